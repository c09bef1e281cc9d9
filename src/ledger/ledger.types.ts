import type { Call, GuardedCall, QueueStats } from '../db/batch/batch.types.ts';
import type { AuditAction, AuditEntry, OwnEvent } from '../journal/journal.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { Change } from '../kit/change.types.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { RowWrite, RowWriter } from '../kit/row-writes.ts';
import type { Lock, LockName } from './locks.types.ts';
import type { Strikers } from './strikers.types.ts';

/** `paymentAccountId`. UUID version 7. */
export type AccountId = Branded<string, 'AccountId'>;
/** An account payment. UUID version 7, made at the edge. */
export type PaymentId = Branded<string, 'PaymentId'>;
/** A capture, cancel or reversal: `transactionId` or `operationId` on the wire. UUID version 7, made at the edge. */
export type TransactionId = Branded<string, 'TransactionId'>;

/** A payment order. UUID version 7, made at the edge. */
export type OrderId = Branded<string, 'OrderId'>;

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** `StoredValue`: money that we owe, in two buckets. `External`: the shadow of a card of an issuer elsewhere; no buckets. */
export type AccountKind = 'StoredValue' | 'External';

/** What is fixed when an account is made. */
export interface AccountTerms {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly kind: AccountKind;
  /** `paymentInstrumentType` on the wire. */
  readonly instrument: 'giftcard' | 'prepaid' | 'creditcard';
  /** Names the issuer that decides: see `issuers/`. */
  readonly issuer: string;
  /** Null for an external card, which takes any. */
  readonly currency: Currency | null;
  /** First six, asterisks, last four. */
  readonly numberMasked: string;
  /** The last day on which it can be used, `YYYY-MM-DD`: the end of its month; null where only the issuer knows. */
  readonly expiresOn: string | null;
  readonly cvcRequired: boolean;
  /** What a derived cvc is computed with; null where there is none. */
  readonly cvcKeyId: string | null;
  readonly cvcSequence: number;
  /** Products that it can be spent on; empty: any. */
  readonly allowedProductIds: readonly string[];
  /** What `available` and `held` may be together; null: the largest amount. */
  readonly largestBalance: AmountMinor | null;
}

/** An account as it is under its lock. Times are ISO 8601 in UTC. */
export interface Account extends AccountTerms {
  /** The instant when `expiresOn` is over where the payee is. */
  readonly expiresAt: string | null;
  readonly available: AmountMinor;
  readonly held: AmountMinor;
  readonly blockedAt: string | null;
  /** Null: blocked until a request unblocks it, where `blockedAt` is set. */
  readonly blockedUntil: string | null;
  /** Since then it is empty, and nothing is booked on it any more. Null: it is open. */
  readonly closedAt: string | null;
  /** Wrong cvc and expiry values of all callers in the present window, which `strikesEndAt` ends; 0 and null: none. */
  readonly strikes: number;
  readonly strikesEndAt: string | null;
  /** The callers that gave them, by what each counts as; null: there are none. */
  readonly strikers: Strikers | null;
  /** No hold expires earlier. */
  readonly nextHoldExpiresAt: string | null;
  /** Entries of this account so far: the number of the latest one. */
  readonly entryCount: number;
  /** Changes of the row so far; guards the next one. */
  readonly version: number;
  readonly createdAt: string;
}

/** An account as a look-up finds it, without its lock: its number's digest tells whether a number is its own. */
export interface KnownAccount extends Account {
  readonly numberDigest: Buffer;
  readonly numberKeyId: KeyId;
  /** Whether the digest is to be put off when the card is used. Absent: not. */
  readonly numberEndsSoon?: boolean;
}

/** An account that a command opens, empty: money comes to it by a movement of the same effect. */
export interface AccountOpening extends AccountTerms, Pick<KnownAccount, 'numberDigest' | 'numberKeyId'> {
  readonly expiresAt: string | null;
}

export type PaymentOperation = 'Authorize' | 'Purchase' | 'Deposit' | 'Credit';

export type TransactionOperation = 'Capture' | 'Cancel' | 'Reversal';

/**
 * What a reference is one of; those of different scopes do not meet. `payment`: an account payment's. `nonce`: of a signed
 * request that has no reference of its own, as `<user>:<nonce>`. `new-gift-card`: an `Idempotency-Key` of that endpoint.
 * `pre-deposit`: the payee's there. `gift-card`: of a change in a card's life. `card-payment`: the payee's of a card payment or
 * of what follows it, as `<operation>:<reference>`. `card-payment-key`: an `Idempotency-Key` there, as `<endpoint>:<key>`.
 * `payment-order`, `payment-order-key`: the same of payment orders.
 */
export type ReferenceScope = Reference['scope'];

type PaymentScope =
  | 'payment'
  | 'nonce'
  | 'new-gift-card'
  | 'pre-deposit'
  | 'gift-card'
  | 'card-payment'
  | 'card-payment-key';

/** A reference of the payee's, and what it stands for once it is taken. Each is taken once, for ever. */
export type Reference = (
  | { readonly scope: 'payment-order'; readonly objectId: OrderId }
  | { readonly scope: 'payment-order-key'; readonly objectId: OrderId }
  /** Null for a nonce and for a change of a gift card, which stand for no payment. */
  | { readonly scope: PaymentScope; readonly objectId: PaymentId | null }
) & {
  readonly reference: string;
  /** Null where it stands for the payment or order itself. */
  readonly transactionId: TransactionId | null;
};

/** A reference as it is stored. */
export type TakenReference = Reference & {
  readonly payeeId: PayeeId;
  /** The command that took it. */
  readonly commandId: string;
};

/** What a command locks, takes and needs to see. */
export interface CommandKeys {
  /**
   * Accounts to lock. Look an unknown one up before: a command for an account that does not exist waits in vain. An empty
   * list, of an account that is not known, takes the statements of one that is; commands without accounts leave it out.
   */
  readonly accountIds?: readonly AccountId[];
  /** Rows of shelves to load; those under the references are loaded anyway. */
  readonly rows?: readonly RowName[];
  /** References to take: all of them, or none where the command turns out to have no effect. Of each scope one at most. */
  readonly references: readonly Reference[];
  /** Digests of a number that is to become an account, under every live key: see `isNumberTaken`. */
  readonly numberDigests?: readonly Buffer[];
  /** Whether a payment or transaction that it makes gets a payment number. */
  readonly isNumbered?: true;
  /**
   * What it locks beside accounts: two commands that name the same one never share a batch, because the second one has to load
   * what the first one left.
   */
  readonly locks?: readonly LockName[];
}

/** What every command of money has. It travels through the queue, so it never holds a cvc, track 2 or PIN. */
export interface LedgerCommand {
  readonly payeeId: PayeeId;
  /** UUID made at the edge; the same again when the command runs again after an unknown outcome. */
  readonly commandId: string;
  readonly actor: Actor;
}

/**
 * What `decide` sees, each time on the state that the command before left.
 */
export interface LedgerState<Row = never> {
  /** The time of the batch, read after its locks. ISO 8601 in UTC. */
  readonly now: string;
  /** An account of the command's keys, locked; undefined where there is none. Holds that have expired are released. */
  account(accountId: AccountId): Account | undefined;
  /** A row of a shelf, of the command's keys or under its references; undefined where there is none. */
  row<ShelfRow>(shelf: ShelfName<ShelfRow>, id: string | null): ShelfRow | undefined;
  /**
   * Who has the command's reference: undefined where this command has just taken it, so that it is free to act. Else it
   * is taken: by this very command in an earlier run whose outcome was not known (`commandId` is its own; answer as if
   * it had run now), or by another one. Of several references the first that is taken.
   */
  readonly taken: TakenReference | undefined;
  /** The same of the command's reference of this scope. */
  takenIn(scope: ReferenceScope): TakenReference | undefined;
  /** Whether an account has the number of the command's keys already: then try another one. */
  readonly isNumberTaken: boolean;
  /** A free number, where the command's keys ask for one and the payee has one left: see `requireNumber`. */
  readonly paymentNumber: number | undefined;
  /** What the kind's own `load` found for this command. */
  readonly rows: readonly Row[];
}

/** Where an entry is booked. `Available` and `Held` belong to a stored-value account, the others are the payee's sides. */
export type Side = 'Available' | 'Held' | 'Clearing' | 'Funding' | 'Issuer' | 'Breakage' | 'Conversion';

export type MovementKind =
  | PaymentOperation
  | TransactionOperation
  | 'Expire'
  | 'Sweep'
  | 'Merge'
  | 'Opening'
  | 'Settlement'
  | 'Dispute'
  | 'Conversion';

/** One line of a movement, before it has its number and balance. Negative: money leaves this side. */
export interface EntryDraft {
  readonly side: Side;
  /** Null for the payee's sides. */
  readonly accountId: AccountId | null;
  /** Minor units, not 0. */
  readonly amount: number;
}

/** Money that moves: its entries sum to zero. Make it with `postings.rules.ts`. */
export interface MovementDraft {
  readonly kind: MovementKind;
  readonly currency: Currency;
  readonly paymentId: PaymentId | null;
  readonly transactionId: TransactionId | null;
  readonly entries: readonly EntryDraft[];
}

/** Names an account. */
export interface AccountKey {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
}

/** Names an account by its number. */
export interface NumberKey {
  readonly payeeId: PayeeId;
  readonly numberDigest: Buffer;
}

/** The number of an account payment: on the wire of gift cards, `paymentId`. */
export interface PaymentNumber extends PaymentKey {
  readonly number: number;
}

/** Names a capture, cancel or reversal. */
export interface TransactionKey {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
}

/** Names a reference. */
export type ReferenceKey = Pick<TakenReference, 'payeeId' | 'scope' | 'reference'>;

/** Names a payment. */
export interface PaymentKey {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
}

/** Names a shelf, and says what stands on it. */
export type ShelfName<Row> = string & { readonly rowOf?: Row };

/** A row of a shelf by its id. */
export interface RowName {
  readonly shelf: ShelfName<unknown>;
  readonly id: string;
}

/** What the ledger knows of a row of a shelf. */
export interface ShelfRow {
  readonly payeeId: PayeeId;
  /** When it was last changed: what a batch changes of it is not earlier. */
  readonly updatedAt: string;
}

/**
 * Rows of a higher slice that change under their account's lock alone, or that `load` locks and makes. So a batch keeps them as it keeps accounts: loaded
 * once for all its commands, seen by each as the one before it left them, written at the end.
 */
export interface Shelf<Row extends ShelfRow> {
  readonly name: ShelfName<Row>;
  idOf(row: Row): string | null;
  load(keys: readonly ShelfKey[]): Call;
  /** The rows that taken references stand for; absent where they stand for none. */
  loadUnder?(references: readonly TakenReference[]): Call;
  insert?(rows: readonly Row[]): GuardedCall;
  update(changes: readonly Change<Row>[]): GuardedCall;
}

/** Names a row of a shelf among all payees'. */
export interface ShelfKey {
  readonly payeeId: PayeeId;
  readonly id: string;
}

/** Money that rows of a shelf hold on their accounts, and that is released when its time is over. */
export interface Holds<Row extends ShelfRow> {
  readonly shelf: Shelf<Row>;
  /**
   * The first holds of those accounts that have one whose time is over, one more than a batch ends; each row with a member
   * `ofAccount`. An account that turns out to have none has a row without an id.
   */
  load(accounts: readonly AccountKey[]): Call;
  holdOf(row: Row): { readonly accountId: AccountId; readonly expiresAt: string | null };
  /** What ends a hold. */
  end(row: Row, at: { readonly account: Account; readonly now: string }): Effect;
}

/** Writes rows that no command of a batch sees of another one. */
export type LedgerWriter = RowWriter<GuardedCall | readonly GuardedCall[]>;

/** What the ledger is made with. */
export interface LedgerContext {
  /** A new UUID of version 7: for movements, events and audit rows. */
  readonly newId: () => string;
  /** In the order in which they are taken, behind those of accounts. */
  readonly locks: readonly Lock[];
  /** In the order in which their rows refer to each other. */
  readonly shelves: readonly Shelf<ShelfRow>[];
  /** In the same order. */
  readonly writers: readonly LedgerWriter[];
  readonly holds: Holds<ShelfRow>;
}

/** What may be changed of an account beside money. Absent: stays as it is. */
export interface AccountChange extends Partial<Pick<Account, 'expiresAt'>> {
  readonly accountId: AccountId;
  readonly blockedAt?: string | null;
  readonly blockedUntil?: string | null;
  /** Closes it: it must be empty after the movements of the effect. Null opens it again. */
  readonly closedAt?: string | null;
  readonly strikes?: number;
  readonly strikesEndAt?: string | null;
  readonly strikers?: Strikers | null;
  readonly nextHoldExpiresAt?: string | null;
}

/** What a command changes. All of it commits together, with an audit row and an event. */
export interface Effect {
  /** Rows of shelves, new or changed, whole. */
  readonly rows?: readonly (RowName & { readonly row: ShelfRow })[];
  /** A payment's second id: `paymentNumber` of the state. */
  readonly numbered?: Pick<PaymentNumber, 'paymentId' | 'number'>;
  readonly movements?: readonly MovementDraft[];
  readonly accountChanges?: readonly AccountChange[];
  /** Accounts that are new; the movements may book on them. Their number must not be taken. */
  readonly opened?: readonly AccountOpening[];
  /** The account that it is about, for the audit trail. Unnamed: the first one that it changes or opens. */
  readonly accountId?: AccountId;
  /** What happened to resources of the kind's own slice, which counts their events. */
  readonly ownEvents?: readonly OwnEvent[];
  /** What it is about, for the audit trail, where that is a resource of the kind's own slice. */
  readonly object?: Pick<AuditEntry, 'objectId' | 'details'>;
  /** What the audit trail says beside: of resources that come with it and are objects of their own. */
  readonly ownAudit?: readonly Omit<AuditEntry, 'payeeId' | 'actor'>[];
  /** The verb for the audit trail, as in `authorize-payment`. */
  readonly action: AuditAction;
  /** Whether the references are given back all the same: it notes a failed attempt. */
  readonly isAttempt?: true;
  /** Rows that stand on no shelf. */
  readonly writes?: readonly RowWrite[];
}

/** What `decide` returns. */
export interface Decision<Result> {
  readonly answer: () => Result;
  /**
   * Undefined: nothing changes, and references that were just taken are given back. An effect keeps them; beside one that
   * another request has taken, it moves nothing.
   */
  readonly effect?: Effect;
}

/**
 * A kind of money command. Registered with the ledger by the slice that owns the words (accounts, gift-cards,
 * payments); the ledger claims, locks, loads and saves for all kinds at once.
 *
 * `decide` is a rule: pure, and it throws a `Refusal` where the command has no effect.
 * `load` is for tables of the kind's own slice, and returns a statement as data.
 */
export interface CommandKind<Command extends LedgerCommand, Result, Row = never> {
  /** Unique among the kinds. */
  readonly name: string;
  keys(command: Command): CommandKeys;
  /**
   * One statement for all commands of this kind in a batch; each row has a member `position`: the index of its command,
   * from 0. It runs after the locks, so that it sees what the last holders of them have left, and takes none.
   */
  load?(commands: readonly Command[]): Call;
  /** A second such statement, for rows of another kind: they come after those of the first one. */
  loadMore?(commands: readonly Command[]): Call;
  decide(state: LedgerState<Row>, command: Command): Decision<Result>;
}

/** Runs a command in one of the next batches; see `Batch.submit` for what it throws. */
export type Submit = <Command extends LedgerCommand, Result, Row>(
  kind: CommandKind<Command, Result, Row>,
  command: Command,
) => Promise<Result>;

/** The ledger of a running service. */
export interface Ledger {
  readonly submit: Submit;
  stats(): QueueStats;
}
