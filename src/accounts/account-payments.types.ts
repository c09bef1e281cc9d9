import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type {
  AccountId,
  JsonObject,
  PaymentId,
  PaymentOperation,
  ShelfName,
  TransactionId,
  TransactionOperation,
} from '../ledger/ledger.types.ts';

/** `CALLING`: an external issuer has been asked and has not answered; never shown. */
export type PaymentState = 'CALLING' | 'OK' | 'FAILED' | 'REVERSED';

/**
 * An account payment. `amount` is as asked. `captured` is what was taken (or, of a deposit or credit, given), `cancelled`
 * what was released or has expired, `reversed` what was given back of what was captured.
 */
export interface Payment {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
  readonly accountId: AccountId;
  readonly operation: PaymentOperation;
  readonly state: PaymentState;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly captured: AmountMinor;
  readonly cancelled: AmountMinor;
  readonly reversed: AmountMinor;
  /** What captures and cancels have asked an external issuer for, without an answer yet: it is not left meanwhile. */
  readonly reservedHold: AmountMinor;
  /** The same of reversals. */
  readonly reservedReversal: AmountMinor;
  /** What the card's holder has asked back through the bank, and is not given back a second time. Absent: nothing. */
  readonly disputed?: AmountMinor;
  /** When what is left of the hold is released; null where nothing is held. */
  readonly holdExpiresAt: string | null;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  /** Code of the decline, without `creditcard/`; null unless `FAILED`. */
  readonly problem: string | null;
  /** What the answer shows beside these members, and what "the same content" is compared with. No secret, no card number. */
  readonly echo: JsonObject;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of its latest event. */
  readonly eventSequence: number;
  /** The payment order that it is a leg of, which alone ends its hold; null where it stands for itself. */
  readonly orderId: string | null;
}

/** A capture, cancel or reversal of a payment. */
export interface PaymentTransaction {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
  readonly paymentId: PaymentId;
  readonly operation: TransactionOperation;
  readonly state: PaymentState;
  readonly amount: AmountMinor;
  /** What a capture releases of the hold together with what it takes. */
  readonly released: AmountMinor;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly problem: string | null;
  readonly echo: JsonObject;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Account payments, and their captures, cancels and reversals, as a batch keeps them. */
export const PAYMENTS: ShelfName<Payment> = 'payment';
export const TRANSACTIONS: ShelfName<PaymentTransaction> = 'payment_transaction';
