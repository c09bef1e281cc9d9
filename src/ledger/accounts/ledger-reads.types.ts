import type { JobContext } from '../../db/job-context.types.ts';
import type { Find, OnOneConnection, Transact } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import type { Currency } from '../../kit/money.ts';
import type {
  Account,
  AccountKey,
  KnownAccount,
  Ledger,
  MovementKind,
  NumberKey,
  PaymentId,
  PaymentNumber,
  ReferenceKey,
  Side,
  TakenReference,
} from '../ledger.types.ts';

/** What no payment changes of an account, and a card that is sent is held against: a third of its columns. */
export type AccountIdentity = Pick<
  KnownAccount,
  | 'payeeId'
  | 'accountId'
  | 'kind'
  | 'issuer'
  | 'expiresOn'
  | 'cvcKeyId'
  | 'cvcSequence'
  | 'allowedProductIds'
  | 'numberDigest'
  | 'numberKeyId'
  | 'numberEndsSoon'
> & {
  /** Whether it is a gift card of a payee that limits what is loaded on cards and spent with them. */
  readonly mayBeLimited?: boolean;
};

/** Reads outside of a batch: what was committed last. */
export interface LedgerLookUps {
  readonly account: Find<AccountKey, KnownAccount>;
  readonly accountIdentity: Find<AccountKey, AccountIdentity>;
  readonly accountByNumber: Find<NumberKey, KnownAccount>;
  readonly reference: Find<ReferenceKey, TakenReference>;
  readonly paymentNumber: Find<Pick<PaymentNumber, 'payeeId' | 'number'>, PaymentNumber>;
}

/** One line of an account's statement. */
export interface StatementLine {
  /** Number of the entry among the account's. */
  readonly sequence: number;
  readonly happenedAt: string;
  readonly kind: MovementKind;
  readonly paymentId: PaymentId | null;
  readonly side: Side;
  /** Minor units, as the next. */
  readonly amount: number;
  /** What the bucket holds after it. */
  readonly balance: number;
  readonly currency: Currency;
}

/** What the commands of this slice need of the running installation. */
export interface LedgerService {
  readonly newId: () => string;
  /** What must hold of the tables of slices above this one. */
  readonly invariants: readonly Invariant[];
  /** What of the schema does not guard its rows as the migrations made it. */
  readonly guardComplaints: () => Promise<readonly string[]>;
  /** Reads as of one instant, without time-outs. */
  readonly report: Transact;
  readonly reports: OnOneConnection;
  /** Lets others work after work that took so many milliseconds. */
  readonly rest: (tookMs: number) => Promise<void>;
  readonly transact: Transact;
}

/** What the job of this slice needs. */
export interface ExpiryContext extends JobContext {
  readonly ledger: Ledger;
  readonly newId: () => string;
}

/** An account as a list has it. */
export interface AccountLine
  extends Pick<Account, 'accountId' | 'instrument' | 'issuer' | 'currency' | 'numberMasked' | 'expiresOn'> {
  readonly available: number;
  readonly held: number;
  readonly createdAt: string;
}
