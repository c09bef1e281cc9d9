import type { Look, ShownAuthentication } from '../../issuers/authentication/three-ds.types.ts';
import type { IssuerRoute } from '../../issuers/issuers.types.ts';
import type { CardData, Device, Initiator } from '../../issuers/questions.types.ts';
import type { Secret } from '../../kit/secret.ts';
import type { MadeToken } from '../../tokens/stored/make-tokens.types.ts';
import type { TokenType } from '../../tokens/tokens.types.ts';
import type { CardRange, InstrumentId } from '../../vault/vault.types.ts';
import type { Vouched } from './vouched.rules.ts';

/** What may be shown of a card. */
export type ShownCard = {
  readonly cardBrand?: string;
  readonly cardType?: string;
  readonly maskedPan: string;
  /** `MM/YYYY`. */
  readonly expiryDate: string;
  readonly issuingBank?: string;
  readonly countryCode?: string;
  /** Of tries of before, whose names are not sealed yet. */
  readonly cardholderName?: string;
  /** A name was given: see `holderSealed`. */
  readonly hasHolder?: true;
  readonly issuerAuthorizationApprovalCode?: string;
  /** What the acquirer says of the security code and of the billing address: see `Answered`. */
  readonly cvcResult?: string;
  readonly addressResult?: string;
  /** The acquirer has not said what the scheme calls the payment, so payments by the merchant with its tokens cannot name it. */
  readonly schemeReference?: 'Missing';
} & Partial<ShownAuthentication>;

/** What is known of a card, without its number: it travels instead of the card. */
export interface CardSummary {
  readonly shown: ShownCard;
  readonly range: Pick<CardRange, 'brand' | 'cardType' | 'holderType'> | undefined;
  readonly digest: Buffer;
  /** The issuer that decides on it; undefined where there is none. */
  readonly issuerId: string | undefined;
  readonly authentication: Look;
  readonly hasCvc: boolean;
  /** `YYYY-MM`. */
  readonly expiryMonth: string;
  /** Of the tokens that an approval makes of it. */
  readonly tokenTypes: readonly TokenType[];
  /** Where it is sealed in the vault, if it has to be. */
  readonly instrumentId: InstrumentId | undefined;
  /** Whether its payer has chosen it among those that were stored before. */
  readonly isStored: boolean;
  /** Whether it is a sandbox's test card: its payer may always try it again, whatever the test acquirer has said. */
  readonly isOfSandbox: boolean;
}

/** A card as it was sent or opened, with what the vault and the card ranges know of it. */
export interface PreparedCard {
  readonly summary: CardSummary;
  /** Its digests under keys that were replaced lately. */
  readonly earlierDigests: readonly Buffer[];
  /** Under which agreements it can be charged, the one to be asked first. */
  readonly routes: readonly IssuerRoute[];
  /** For the issuer. Lives as long as the request. */
  readonly data: CardData;
  /** The name on it, as it was typed. Lives as long as the request. */
  readonly holderName: string | undefined;
  /** Tokens that an approval makes of it. */
  readonly tokens: readonly MadeToken[];
  /** Of the payment that stored it first; undefined where that is not known, or its payer is here. */
  readonly schemeTransactionId: string | undefined;
  /** For the issuer. Lives as long as the request. */
  readonly vouched: Vouched;
}

/** Where a card came from. */
export interface Origin {
  readonly channel: Initiator['channel'];
  readonly device: Device;
}

/** A card as a request sends it. */
export interface SentCard {
  readonly number: Secret;
  readonly month: string;
  readonly year: string;
  readonly code: { readonly digits: Secret; readonly cameAsNumber: boolean } | undefined;
  readonly holderName: string | undefined;
  /** What the payee vouches for, so that the payer does not authenticate here. */
  readonly vouched?: Vouched;
}
