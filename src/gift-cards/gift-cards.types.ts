import type { Payment } from '../accounts/account-payments.types.ts';
import type { CardVerdict, FailedLookUp, PaymentEcho } from '../accounts/accounts.types.ts';
import type { LimitedCard, LimitReached, ValueLimit } from '../accounts/turnover/turnover.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { Refusal } from '../kit/errors.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type { Secret } from '../kit/secret.ts';
import type { AccountId, AccountOpening, LedgerCommand, PaymentId } from '../ledger/ledger.types.ts';

/** Names a product within its payee; its maker chooses it. */
export type ProductId = Branded<string, 'ProductId'>;

/** What is fixed when a product is created. */
export interface ProductTerms {
  readonly payeeId: PayeeId;
  readonly productId: ProductId;
  /** For people. */
  readonly name: string;
  readonly currency: Currency;
  /** First digits of its cards' numbers. */
  readonly numberPrefix: string;
  /** 16 to 19. */
  readonly numberLength: number;
  /** Full months after the one in which a card is made. */
  readonly validityMonths: number;
  /** Of one issue or deposit; 0 is always allowed. */
  readonly smallestAmount: AmountMinor;
  readonly largestAmount: AmountMinor;
  /** What a card may hold. */
  readonly largestBalance: AmountMinor;
  /** What its cards can be spent on; empty: anything. */
  readonly allowedProductIds: readonly string[];
  /** Whether a cvc is needed to spend and to ask for the balance. */
  readonly cvcRequired: boolean;
  /** Whether money on its cards is not merged into cards with fewer limits. */
  readonly mergeKeepsLimits: boolean;
  /** Whether it is meant where a request names no product. */
  readonly isDefault: boolean;
}

/** What a card is sold as. */
export interface Product extends ProductTerms {
  /** No new cards since then; null where it is on sale. */
  readonly retiredAt: string | null;
  readonly createdAt: string;
  /** What may be loaded on its cards, and spent with them. */
  readonly limits: readonly ValueLimit[];
}

/** What one issue or deposit may be. */
export type AmountLimits = Pick<ProductTerms, 'smallestAmount' | 'largestAmount'>;

/** The same of a card that is there, and what it counts to. */
export interface CardLimits extends AmountLimits, LimitedCard {}

/** Names a product that is on sale; null: the payee's default. */
export interface ProductKey {
  readonly payeeId: PayeeId;
  readonly productId: ProductId | null;
}

/** A product that is on sale, with the expiry that a card made now has. */
export interface ProductOnSale extends Product {
  /** Last day of a month, `YYYY-MM-DD`. */
  readonly cardExpiresOn: string;
  /** The instant when that day is over where the payee is. */
  readonly cardExpiresAt: string;
}

/** Whose card it is, where the payee said so. */
export interface Contact {
  readonly email: Secret | undefined;
  readonly msisdn: Secret | undefined;
  /** The payee's own reference of who buys it. */
  readonly payerReference?: string | undefined;
}

/** What is kept sealed of a gift card, bound to its row. */
export interface SealedCard {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly numberSealed: Buffer;
  readonly emailSealed: Buffer | null;
  readonly msisdnSealed: Buffer | null;
  /** The key that wraps the data keys of the three. */
  readonly sealedWith: KeyId;
}

/** The same with what is in the clear beside it. */
export interface KeptCard extends SealedCard {
  /** The payee's own reference of who has bought it; null: not said. */
  readonly payerReference: string | null;
}

/** The part of a gift card that spending does not ask for. What it holds, its expiry and its block are its account's. */
export interface GiftCard extends KeptCard {
  readonly productId: ProductId;
  readonly issuedAt: string;
  /** Ends of a card, each for good; one at most is set. */
  readonly voidedAt: string | null;
  readonly mergedAt: string | null;
  readonly mergedInto: AccountId | null;
  readonly replacedAt: string | null;
  readonly replacedBy: AccountId | null;
  readonly sweptAt: string | null;
  /** Whether it was issued to be sold later: until money comes to it, it is inactive. */
  readonly inactiveUntilSold: boolean;
  /** `YYYY-MM-DD`, its last day, where that is not the printed one. */
  readonly extendedTo: string | null;
  /** Number of its latest event; raised by every change, and guards it. */
  readonly eventSequence: number;
}

/** A gift card that was made and is not stored yet. It travels through the queue: the number is in it only sealed and digested. */
export interface CardDraft {
  readonly productId: ProductId;
  readonly opening: AccountOpening;
  /** Its number under each live key: another account may have it under an earlier one. */
  readonly numberDigests: readonly Buffer[];
  readonly sealed: SealedCard;
  readonly payerReference: string | null;
  /** The sums that it counts to. */
  readonly turnovers: readonly string[];
}

/** A draft, and what its maker alone knows. */
export interface MadeCard {
  readonly draft: CardDraft;
  readonly number: Secret;
}

/** A deposit on a gift card: the payment that it is, with its number on the wire. */
export interface Deposit {
  readonly paymentId: PaymentId;
  /** 0: no money moves, and the payment is there for its id alone. */
  readonly amount: AmountMinor;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly echo: DepositEcho;
}

/** A request for a deposit, ready for the queue: without the code. */
export interface PreDepositCommand extends LedgerCommand, FailedLookUp {
  /** Undefined: no card has the number. */
  readonly accountId: AccountId | undefined;
  /** Of the payment that it will be. */
  readonly paymentId: PaymentId;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly paymentOrderRef: string;
  /** What it is known by: the transactionRef, or else the orderRef. */
  readonly paymentTransactionRef: string;
  /** Which of the two that is. */
  readonly referenceName: 'orderRef' | 'transactionRef';
  readonly verdict: CardVerdict;
  /** Those of the card's product; undefined for stored value that is no gift card. */
  readonly limits: AmountLimits | undefined;
  /** The sums that it counts to. */
  readonly turnovers: readonly string[];
  /** What is stored with the payment; its number and balance come in the batch. */
  readonly echo: Omit<DepositEcho, 'paymentNumber'>;
}

/** How a request for a deposit went. `Failed`: nothing moved, and it was written down. */
export type PreDepositResult =
  | { readonly kind: 'Done'; readonly payment: Payment }
  | { readonly kind: 'Failed' }
  | LimitReached;

/** Gift cards that are issued. */
export const NEW_GIFT_CARD: WriteName<GiftCard> = 'new-gift-card';

/** A request for a new card, ready for the queue. */
export interface NewCardCommand extends LedgerCommand {
  /** What is stored if it is the first request of its kind, or why there is no card for it. */
  readonly card: CardDraft | Refusal;
  /** Of the payment that the deposit will be. */
  readonly paymentId: PaymentId;
  readonly amount: AmountMinor;
  /** Names the sale; undefined: the request names none. */
  readonly orderRef: string | undefined;
  /** Who signed, and the nonce: `<user>:<nonce>`. */
  readonly nonce: string;
  readonly idempotencyKey: string | undefined;
  /** What is stored with the payment; its number comes in the batch. */
  readonly echo: Omit<DepositEcho, 'paymentNumber'>;
}

/**
 * How a request for a new card went. `Known`: an earlier request with its key made the card. `NonceKnown`: it is the very
 * request that came before. `NumberTaken`, `KeyChanged`: nothing was done, and another draft may be.
 */
export type NewCardResult =
  | { readonly kind: 'Issued'; readonly payment: Payment; readonly now: string }
  | { readonly kind: 'Known'; readonly payment: Payment; readonly now: string }
  | { readonly kind: 'NonceKnown' | 'NumberTaken' | 'KeyChanged' }
  | LimitReached;

/** What is stored with the payment that a deposit on a gift card is: what its answers show, and what a repeat is compared with. */
export type DepositEcho = PaymentEcho & {
  /** `paymentId` of the answer. */
  readonly paymentNumber: number;
  /** What was available after it, as its answer says. */
  readonly balance: AmountMinor;
  /** Of a new card: the product as it was asked for. */
  readonly askedProduct?: string | null;
  /** Of a deposit on a card: whether it was named by a transactionRef, or by its orderRef alone. */
  readonly hasTransactionRef?: boolean;
};
