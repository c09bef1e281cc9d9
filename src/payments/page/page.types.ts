import type { Secret } from '../../kit/secret.ts';
import type { TokenGuid, TokenType } from '../../tokens/tokens.types.ts';
import type { SentCard } from '../cards/payment-cards.types.ts';
import type { CardPaymentView, TokenConsent } from '../payments.types.ts';

/** What a payer finds on the page of a payment. `ready`, `declined` and `authentication` can be paid. */
export type PageState = 'ready' | 'declined' | 'authentication' | 'pending' | 'paid' | 'failed' | 'aborted' | 'expired';

/** All that was paid was given back after it was charged, or cancelled before. */
export type Undone = 'Reversed' | 'Cancelled';

/** A card that the payer has stored with the payee, as it may be shown. */
export interface StoredCard {
  readonly token: TokenGuid;
  /** Of the payer's tokens those of the same card, this one too. */
  readonly tokens: readonly TokenGuid[];
  readonly brand: string;
  readonly lastFour: string;
  /** `MM/YY`. */
  readonly expiry: string;
}

/** A card to try a sandbox with. */
export interface TestCard {
  readonly number: string;
  readonly brand: string;
  /** `MM/YY`. */
  readonly expiry: string;
  readonly cvc: string;
  readonly needsAuthentication: boolean;
}

/** A payment as its page shows it. */
export interface OpenedPage extends CardPaymentView {
  readonly state: PageState;
  /** The payee as its payer knows it. */
  readonly merchantName: string;
  /** At most three, and none where the payment cannot be paid. */
  readonly storedCards: readonly StoredCard[];
  /** Whether a payer must agree to having the card stored, or may; undefined where nothing is stored. */
  readonly consent: TokenConsent | undefined;
  /** Of which cards are taken. */
  readonly brands: readonly string[];
  /** Whether it came to nothing because its payer wanted so, and no card was refused. */
  readonly isEndedByPayer: boolean;
  /** What became of all that was paid: see `undoneAs`. */
  readonly undone: Undone | undefined;
  /** What the form begins with, by the names of its fields: of a try that came to nothing all but the number and code. */
  readonly kept: ReadonlyMap<string, string>;
  /** What the payer of a sandbox may type; in production none. */
  readonly testCards: readonly TestCard[];
}

/** What a payer fills in. */
export type FieldName = 'number' | 'expiry' | 'cvc' | 'name' | 'consent' | 'card';

/** What is wrong with a field: each has a text in every language. */
export type FieldFault =
  | 'numberMissing'
  | 'numberWrong'
  | 'numberNoTestCard'
  | 'expiryMissing'
  | 'expiryWrong'
  | 'expiryPast'
  | 'cvcMissing'
  | 'cvcWrong'
  | 'cvcWrongAmex'
  | 'nameWrong'
  | 'consentMissing'
  | 'cardGone';

export type Faults = { readonly [Field in FieldName]?: FieldFault };

/** A form that makes sense: a card that was typed, or a stored one with its code. */
export type PaidWith =
  | { readonly kind: 'Typed'; readonly sent: SentCard }
  | { readonly kind: 'Stored'; readonly token: TokenGuid; readonly cvc: Secret | undefined };

export type ReadForm =
  | { readonly faults: undefined; readonly paidWith: PaidWith; readonly tokenTypes: readonly TokenType[] }
  | { readonly faults: Faults };

/** What a browser loads beside a page. */
export interface PageAsset {
  /** Below the service's address. */
  readonly path: string;
  /** What the browser is to find in it, for the attribute `integrity`. */
  readonly integrity: string;
  readonly content: Buffer;
}

/** What was built for browsers, by what it is called: `page.js`, `page.css`. */
export type PageAssets = ReadonlyMap<string, PageAsset>;
