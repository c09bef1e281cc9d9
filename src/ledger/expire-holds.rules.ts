import { SERVICE } from '../kit/caller.ts';
import { EXPIRED_HOLDS } from '../kit/limits.ts';
import { prepareEffect } from './apply-effect.rules.ts';
import type { Account, AccountId, Payment, ReleasedHold } from './ledger.types.ts';
import { post } from './postings.rules.ts';
import { type Loaded, notBefore, type Workspace } from './workspace.rules.ts';

/**
 * Releases the holds whose time is over on the accounts that the batch has locked, before any command sees them: so
 * expiry happens under the lock like every other change. At most so many for each account; the next batch goes on.
 */
export function expireHolds(
  workspace: Workspace,
  { accounts, payments, holds }: Loaded,
  release: (payment: Payment) => ReleasedHold,
): void {
  for (const { accountId } of accounts) {
    const first = holds.get(accountId) ?? [];
    // A payment that a command asks for by its id is among them at the latest now, however many came before it.
    const asked = payments.filter((payment) => payment.accountId === accountId);
    const expired = [...first.slice(0, EXPIRED_HOLDS), ...asked].filter(hasExpiredAt(workspace.now));
    for (const paymentId of new Set(expired.map((payment) => payment.paymentId))) {
      const payment = workspace.payments.get(paymentId);
      if (payment !== undefined) expire(workspace, payment, release(payment));
    }
    if (holds.has(accountId)) noteNextHold(workspace, accountId, first);
  }
}

/** Whether a hold's time is over at an instant. */
export function hasExpiredAt(now: string): (payment: Payment) => boolean {
  return ({ holdExpiresAt }) => holdExpiresAt !== null && holdExpiresAt <= now;
}

function expire(workspace: Workspace, payment: Payment, { payment: released, amount }: ReleasedHold): void {
  const account = workspace.accounts.get(payment.accountId);
  if (account === undefined) return;
  const cause = { payeeId: payment.payeeId, actor: SERVICE };
  prepareEffect(notBefore(workspace, payment.updatedAt), cause, {
    payment: released,
    movements: post({ kind: 'Expire', account, payment, amount }),
    action: 'expire-hold',
    // Nothing is released where an issuer is being asked for all of it: its answer tells what becomes of that.
    ...(amount > 0 && { event: 'payment.expired' }),
  }).install();
}

/** The first hold that is still open is the next to expire. */
function noteNextHold(workspace: Workspace, accountId: AccountId, first: readonly Payment[]): void {
  const account: Account | undefined = workspace.accounts.get(accountId);
  if (account === undefined) return;
  const next = first.map(({ paymentId }) => workspace.payments.get(paymentId)?.holdExpiresAt ?? null);
  const nextHoldExpiresAt = next.find((instant) => instant !== null) ?? null;
  if (nextHoldExpiresAt === account.nextHoldExpiresAt) return;
  workspace.accounts.set(accountId, { ...account, nextHoldExpiresAt, version: account.version + 1 });
}
