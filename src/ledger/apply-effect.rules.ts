import type { AuditEntry, EventDraft, EventType } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { type Booked, book } from './book.rules.ts';
import type {
  Account,
  AccountChange,
  AccountId,
  AccountOpening,
  Applied,
  Effect,
  Payment,
  PaymentNumber,
  PaymentTransaction,
} from './ledger.types.ts';
import type { Workspace } from './workspace.rules.ts';

/** Who causes an effect. */
export interface Cause {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

/** An effect that is ready to be put into the workspace. */
export interface PreparedEffect {
  /** Its rows, with times and numbers. */
  readonly applied: Applied;
  /** Puts all of it into the workspace, and cannot fail. */
  install(): void;
}

/**
 * Completes the rows of an effect with times and numbers, books its movements, and notes what the journal tells of it.
 * What is wrong with it is thrown here, while nothing has changed.
 *
 * @throws BrokenBelief where a rule let through what must never be
 */
export function prepareEffect(workspace: Workspace, cause: Cause, effect: Effect<unknown>): PreparedEffect {
  const payment = effect.payment && completePayment(workspace, effect.payment, effect.event);
  const transaction = effect.transaction && completeTransaction(workspace, effect.transaction);
  const { opened = [], accountChanges = [], movements = [] } = effect;
  const numbered = numberOf(effect, payment);
  const fresh = opened.map((opening) => freshAccount(opening, workspace.now));
  const account = (accountId: AccountId) =>
    fresh.find((one) => one.accountId === accountId) ?? lockedAccount(workspace, accountId);
  const booked = book({ payeeId: cause.payeeId, account, newId: workspace.newId, now: workspace.now }, movements);
  const accounts = changeAccounts({ fresh, booked, account }, { payment, changes: accountChanges });
  const audit = auditOf(cause, effect, { payment, transaction });
  const events = eventsOf(workspace, effect, cause, { payment, transaction });
  return {
    applied: { payment, transaction, accounts },
    install() {
      if (payment !== undefined) workspace.payments.set(payment.paymentId, payment);
      if (transaction !== undefined) workspace.transactions.set(transaction.transactionId, transaction);
      for (const changed of accounts) workspace.accounts.set(changed.accountId, changed);
      workspace.opened.push(...opened);
      workspace.numbered.push(...numbered);
      workspace.movements.push(...booked.movements);
      workspace.entries.push(...booked.entries);
      workspace.audit.push(...audit);
      workspace.events.push(...events);
    },
  };
}

function numberOf({ paymentNumber }: Effect<unknown>, payment: Payment | undefined): PaymentNumber[] {
  if (paymentNumber === undefined) return [];
  assert(payment !== undefined, 'a number is a payment’s');
  return [{ payeeId: payment.payeeId, paymentId: payment.paymentId, number: paymentNumber }];
}

function completePayment({ payments, now }: Workspace, payment: Payment, event: EventType | undefined): Payment {
  const before = payments.get(payment.paymentId);
  if (before !== undefined) checkSamePayment(before, payment);
  return {
    ...payment,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    eventSequence: (before?.eventSequence ?? 0) + (event === undefined ? 0 : 1),
  };
}

/** What was asked for stays as it was asked. */
function checkSamePayment(before: Payment, after: Payment): void {
  const kept = ['payeeId', 'accountId', 'operation', 'amount', 'currency', 'paymentOrderRef', 'paymentTransactionRef'];
  assert(
    kept.every((member) => before[member as keyof Payment] === after[member as keyof Payment]),
    'a payment keeps what was asked for',
  );
  assert(before.state === 'OK' || before.state === 'CALLING', 'a failed or reversed payment is final');
}

function completeTransaction({ transactions, now }: Workspace, transaction: PaymentTransaction): PaymentTransaction {
  const before = transactions.get(transaction.transactionId);
  assert(before === undefined || before.state === 'CALLING', 'a transaction is final once it has its outcome');
  return { ...transaction, createdAt: before?.createdAt ?? now, updatedAt: now };
}

/**
 * An account that is opened, before anything is booked on it. Member by member: what is left of an object without two of
 * its members takes the engine many times as long, and ten times the memory.
 */
function freshAccount(opening: AccountOpening, now: string): Account {
  return {
    payeeId: opening.payeeId,
    accountId: opening.accountId,
    kind: opening.kind,
    instrument: opening.instrument,
    issuer: opening.issuer,
    currency: opening.currency,
    numberMasked: opening.numberMasked,
    expiresOn: opening.expiresOn,
    expiresAt: opening.expiresAt,
    cvcRequired: opening.cvcRequired,
    cvcKeyId: opening.cvcKeyId,
    cvcSequence: opening.cvcSequence,
    allowedProductIds: opening.allowedProductIds,
    largestBalance: opening.largestBalance,
    available: ZERO_MINOR,
    held: ZERO_MINOR,
    blockedAt: null,
    blockedUntil: null,
    closedAt: null,
    strikes: 0,
    strikesEndAt: null,
    strikers: null,
    nextHoldExpiresAt: null,
    entryCount: 0,
    version: 0,
    createdAt: now,
  };
}

function lockedAccount({ accounts }: Workspace, accountId: AccountId): Account {
  const account = accounts.get(accountId);
  assert(account !== undefined, 'an account is locked before it is booked on');
  return account;
}

/** Accounts as the booking leaves them, and how to get another one. */
interface BookedAccounts {
  /** Those that are opened. */
  readonly fresh: readonly Account[];
  readonly booked: Booked;
  readonly account: (accountId: AccountId) => Account;
}

/** Accounts after the booking, with what else changes of them. */
function changeAccounts(
  { fresh, booked, account: before }: BookedAccounts,
  { payment, changes }: { readonly payment: Payment | undefined; readonly changes: readonly AccountChange[] },
): Account[] {
  const accounts = new Map<AccountId, Account>();
  for (const account of fresh) accounts.set(account.accountId, account);
  for (const account of booked.accounts) accounts.set(account.accountId, account);
  const current = (accountId: AccountId) => accounts.get(accountId) ?? before(accountId);
  for (const change of changes) accounts.set(change.accountId, changeAccount(current(change.accountId), change));
  if (payment !== undefined) {
    const account = current(payment.accountId);
    const next = earlier(account.nextHoldExpiresAt, payment.holdExpiresAt);
    if (next !== account.nextHoldExpiresAt) accounts.set(account.accountId, { ...account, nextHoldExpiresAt: next });
  }
  return Array.from(accounts.values(), (account) => ({ ...account, version: account.version + 1 }));
}

function changeAccount(account: Account, change: AccountChange): Account {
  const changed = { ...account, ...change };
  assert(changed.closedAt === null || changed.available + changed.held === 0, 'a closed account is empty');
  return changed;
}

/** The earlier of two instants, each of which may be missing. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Rows of an effect, whichever it has. */
type Rows = Pick<Applied, 'payment' | 'transaction'>;

/** What an effect is about, and each account that it opens beside; the row of a payment that opens its own says so. */
function auditOf(cause: Cause, effect: Effect<unknown>, rows: Rows): AuditEntry[] {
  const others = (effect.opened ?? []).filter(({ accountId }) => accountId !== rows.payment?.accountId);
  const own = (effect.ownAudit ?? []).map((entry) => ({ ...cause, ...entry }));
  return [mainAudit(cause, effect, rows), ...others.map(openingAudit(cause)), ...own];
}

function mainAudit({ payeeId, actor }: Cause, effect: Effect<unknown>, { payment, transaction }: Rows): AuditEntry {
  const accountId = effect.accountId ?? effect.accountChanges?.[0]?.accountId ?? effect.opened?.[0]?.accountId;
  const { action, object } = effect;
  if (object !== undefined) return { payeeId, actor, action, ...object };
  if (payment === undefined || effect.accountId !== undefined) {
    assert(accountId !== undefined, 'an effect is about a payment or an account');
    return { payeeId, actor, action, objectId: accountId };
  }
  const { state, amount } = transaction ?? payment;
  const details = { state, amount, ...(transaction && { transactionId: transaction.transactionId }) };
  return { payeeId, actor, action, objectId: payment.paymentId, details };
}

/** An account that is opened by something else, such as the card in place of a lost one, is an object of its own. */
function openingAudit({ payeeId, actor }: Cause): (opening: AccountOpening) => AuditEntry {
  return ({ accountId }) => ({ payeeId, actor, action: 'open-account', objectId: accountId });
}

function eventsOf(workspace: Workspace, effect: Effect<unknown>, cause: Cause, rows: Rows): EventDraft[] {
  const { now: happenedAt } = workspace;
  const own = (effect.ownEvents ?? []).map((event) => ({ ...event, payeeId: cause.payeeId, happenedAt }));
  return [...paymentEvents(workspace, effect, rows), ...own];
}

function paymentEvents({ now }: Workspace, { event }: Effect<unknown>, { payment, transaction }: Rows): EventDraft[] {
  if (event === undefined || payment === undefined) return [];
  const { payeeId, paymentId, accountId, operation, state, eventSequence } = payment;
  const transactionId = transaction?.transactionId ?? null;
  return [
    {
      payeeId,
      type: event,
      resourceId: paymentId,
      resourceSequence: eventSequence,
      happenedAt: now,
      payload: { paymentId, accountId, operation, state, transactionId },
    },
  ];
}
