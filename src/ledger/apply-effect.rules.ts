import type { AuditEntry, EventDraft } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { book } from './book.rules.ts';
import type {
  Account,
  AccountChange,
  AccountId,
  Applied,
  Effect,
  Payment,
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
  const account = (accountId: AccountId) => lockedAccount(workspace, accountId);
  const booked = book({ payeeId: cause.payeeId, account, newId: workspace.newId }, effect.movements ?? []);
  const accounts = changeAccounts(workspace, booked.accounts, { payment, changes: effect.accountChanges ?? [] });
  const audit = auditOf(cause, effect, { payment, transaction });
  const events = eventsOf(workspace, effect, { payment, transaction });
  return {
    applied: { payment, transaction },
    install() {
      if (payment !== undefined) workspace.payments.set(payment.paymentId, payment);
      if (transaction !== undefined) workspace.transactions.set(transaction.transactionId, transaction);
      for (const changed of accounts) workspace.accounts.set(changed.accountId, changed);
      workspace.movements.push(...booked.movements);
      workspace.entries.push(...booked.entries);
      workspace.audit.push(audit);
      workspace.events.push(...events);
    },
  };
}

function completePayment({ payments, now }: Workspace, payment: Payment, event: string | undefined): Payment {
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

function lockedAccount({ accounts }: Workspace, accountId: AccountId): Account {
  const account = accounts.get(accountId);
  assert(account !== undefined, 'an account is locked before it is booked on');
  return account;
}

/** Accounts after the booking, with what else changes of them. */
function changeAccounts(
  workspace: Workspace,
  booked: ReadonlyMap<AccountId, Account>,
  { payment, changes }: { readonly payment: Payment | undefined; readonly changes: readonly AccountChange[] },
): Account[] {
  const accounts = new Map(booked);
  const current = (accountId: AccountId) => accounts.get(accountId) ?? lockedAccount(workspace, accountId);
  for (const change of changes) accounts.set(change.accountId, { ...current(change.accountId), ...change });
  if (payment !== undefined) {
    const account = current(payment.accountId);
    const next = earlier(account.nextHoldExpiresAt, payment.holdExpiresAt);
    if (next !== account.nextHoldExpiresAt) accounts.set(account.accountId, { ...account, nextHoldExpiresAt: next });
  }
  return [...accounts.values()].map((account) => ({ ...account, version: account.version + 1 }));
}

/** The earlier of two instants, each of which may be missing. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Rows of an effect, whichever it has. */
type Rows = Pick<Applied, 'payment' | 'transaction'>;

function auditOf({ payeeId, actor }: Cause, effect: Effect<unknown>, { payment, transaction }: Rows): AuditEntry {
  const accountId = effect.accountChanges?.[0]?.accountId;
  const { action } = effect;
  if (payment === undefined) {
    assert(accountId !== undefined, 'an effect is about a payment or an account');
    return { payeeId, actor, action, objectKind: 'account', objectId: accountId };
  }
  const { state, amount } = transaction ?? payment;
  const details = { state, amount, ...(transaction && { transactionId: transaction.transactionId }) };
  return { payeeId, actor, action, objectKind: 'payment', objectId: payment.paymentId, details };
}

function eventsOf({ now }: Workspace, { event }: Effect<unknown>, { payment, transaction }: Rows): EventDraft[] {
  if (event === undefined || payment === undefined) return [];
  const { payeeId, paymentId, accountId, operation, state, eventSequence } = payment;
  const transactionId = transaction?.transactionId ?? null;
  return [
    {
      payeeId,
      type: event,
      resourceKind: 'payment',
      resourceId: paymentId,
      resourceSequence: eventSequence,
      happenedAt: now,
      payload: { paymentId, accountId, operation, state, transactionId },
    },
  ];
}
