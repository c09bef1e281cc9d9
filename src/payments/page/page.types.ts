import type { Actor } from '../../kit/caller.ts';
import type { Secret } from '../../kit/secret.ts';
import type { TokenGuid, TokenType } from '../../tokens/tokens.types.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';
import type { SentCard } from '../cards/payment-cards.types.ts';
import type { SeenSplit } from '../payment-commands.types.ts';
import type { CardPayment, CardPaymentKey, CardPaymentView, TestCard, TokenConsent } from '../payments.types.ts';

/** What a payer finds on the page of a payment. `ready`, `declined` and `authentication` can be paid. */
export type PageState = 'ready' | 'declined' | 'authentication' | 'pending' | 'paid' | 'failed' | 'aborted' | 'expired';

/** All that was paid was given back after it was charged, or cancelled before. */
export type Undone = 'Reversed' | 'Cancelled';

/** A card that the payer has stored with the payee, as it may be shown. */
export interface StoredCard {
  /** Of the payer's tokens of this card the one that the payee names, else the newest that may pay. */
  readonly token: TokenGuid;
  readonly payerReference: string;
  readonly instrumentId: InstrumentId;
  readonly brand: string;
  readonly lastFour: string;
  /** `MM/YY`. */
  readonly expiry: string;
}

/** A payment as its page shows it. */
export interface OpenedPage extends CardPaymentView {
  readonly state: PageState;
  /** The payee as its payer knows it. */
  readonly merchantName: string;
  /** At most three, and none where the payment cannot be paid. */
  readonly storedCards: readonly StoredCard[];
  /** Whether a payer must agree to having the card stored, or may, or is told; undefined where nothing is stored. */
  readonly consent: TokenConsent | 'Stated' | undefined;
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
  /** Of a payment that pays a part of an order. */
  readonly menu: Menu | undefined;
}

/** What a payer fills in. */
export type FieldName = 'number' | 'expiry' | 'cvc' | 'name' | 'consent' | 'card' | 'giftNumber' | 'giftCode';

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
  | 'cardGone'
  | 'giftNumberMissing'
  | 'giftCodeMissing'
  | 'giftNotUsable'
  | 'giftExpired'
  | 'giftEmpty'
  | 'giftCurrency'
  | 'giftNotAllowed'
  | 'giftAlreadyAdded'
  | 'giftTooMany';

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

/** A means of payment on the menu of a page. */
export type MenuInstrument = 'CreditCard' | 'GiftCard';

/** A gift card, or prepaid account, that pays a part. Minor units. */
export interface ShownGiftCard {
  readonly legId: string;
  readonly lastFour: string;
  readonly amount: number;
  /** What is on it once that is paid. */
  readonly left: number;
}

/** A line of what is bought. */
export interface MenuItem {
  readonly name: string;
  readonly quantity: number;
  readonly quantityUnit: string;
  readonly amount: number;
}

/** What surrounds a card payment that pays a part of an order. Minor units. */
export interface Menu {
  /** Of the order, as its resource: `/psp/paymentorders/…`. */
  readonly id: string;
  /** What the order says of itself; undefined where it is as its card payment says. */
  readonly state: PageState | undefined;
  readonly undone: Undone | undefined;
  readonly isEndedByPayer: boolean;
  /** Whether the page was opened before. */
  readonly wasOpened: boolean;
  readonly total: number;
  readonly reversed: number;
  /** When all of it was paid; ISO 8601. */
  readonly paidAt: string | undefined;
  readonly items: readonly MenuItem[];
  /** In the order in which they are offered: one of them at least. */
  readonly instruments: readonly MenuInstrument[];
  /** The one that is open at first. */
  readonly opened: MenuInstrument | undefined;
  /** In the order added. */
  readonly giftCards: readonly ShownGiftCard[];
  /** What is left for a card. */
  readonly byCard: number;
  /** Until when what gift cards pay is kept for this payer; undefined where nothing is held. */
  readonly keptUntil: string | undefined;
  /** `Open`: another gift card may be entered. `Full`: there are as many as there may be. `Closed`: too many were wrong. */
  readonly entry: 'Open' | 'Full' | 'Closed';
  /** Whether the payer is asked if the card may be stored; else they are told. */
  readonly asksConsent: boolean;
  /** Whether the payer's stored cards are offered. */
  readonly showsStoredCards: boolean;
}

/** What the page of an order is told. */
export type PageOutcome =
  | 'ok'
  | 'changed'
  | 'busy'
  | 'declined'
  | 'ended'
  | 'notusable'
  | 'expired'
  | 'empty'
  | 'currency'
  | 'notallowed'
  | 'alreadyadded'
  | 'toomany'
  | 'closed';

/** Where a payer comes from. */
export interface From {
  /** Undefined where all payers have one, behind a proxy that does not tell. */
  readonly address: string | undefined;
  /** On this machine, in a sandbox: what is counted of addresses does not hold. */
  readonly isFree: boolean;
}

/** A payer on a page, and from where. */
interface PayerFrom extends From {
  readonly actor: Actor;
}

/** A payer on the page of an order. */
export interface PayerAtMenu extends PayerFrom {
  readonly payment: CardPayment;
}

/** What became of what a payer did. */
export interface MenuAnswer {
  readonly outcome: PageOutcome;
  /** Seconds after which it may be tried again. */
  readonly retryAfterSeconds?: number | undefined;
  /** The order as this left it; undefined where it is to be looked for. */
  readonly after?: FoundPayment | undefined;
  /** Whether this has paid it just now. */
  readonly isPaid?: boolean;
}

/** A payment that has a page, as it was found. */
export interface FoundPayment {
  readonly view: CardPaymentView;
  /** What it pays a part of, found at the same moment. */
  readonly order: OrderAtPage | undefined;
  /** Whether its payee takes payments: the operator may have stopped it. */
  readonly isOpen: boolean;
}

/** An order as its page has found it, and what its payer can do with it. What has changed since is told as its outcome. */
export interface OrderAtPage {
  /** Of its gift cards, and of its card. */
  readonly legIds: readonly string[];
  /** What surrounds the payment on the page. */
  menu(from: From): Promise<Menu>;
  /** Adds a gift card. Number and code are told to no other, and live as long as the request. */
  add(
    payer: PayerFrom & {
      readonly number: string;
      readonly code: string;
    },
  ): Promise<MenuAnswer>;
  /** Pays with gift cards alone. `key` names the form, so that it is sent once. */
  pay(payer: PayerFrom & { readonly seen: SeenSplit; readonly key: string | undefined }): Promise<MenuAnswer>;
}

/** What the page asks of orders, which card payments do not know: a port. */
export interface OrderPages {
  /** A payment, and the order that it pays a part of: by one look-up, that all who ask at the same moment share. */
  find(key: CardPaymentKey): Promise<FoundPayment | undefined>;
  /** Notes that the page was opened for the first time, by itself or inside a page of the payee's. */
  noteOpened(payment: CardPayment, how: { readonly isFramed: boolean }): Promise<void>;
  /** Notes that a means of payment of the menu was chosen. */
  noteSelected(payment: CardPayment, instrument: MenuInstrument): Promise<void>;
  remove(payer: PayerAtMenu & { readonly legId: string }): Promise<MenuAnswer>;
  /** Ends an order whose payer does not want to pay it. */
  cancel(payer: PayerAtMenu): Promise<void>;
}
