import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import type { Actor } from '../kit/caller.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { settleDays } from './days/days.store.ts';
import { resolveOpen } from './differences.store.ts';
import { noteDisputed } from './disputes/save-dispute.ts';

/** Who ends which difference, and why. */
export interface ResolveDifference {
  readonly payeeId: PayeeId;
  readonly differenceId: string;
  readonly reason: string;
  readonly actor: Actor;
}

/**
 * Ends a difference by a person's word: nothing is booked. A day that it kept open is settled then.
 *
 * @throws Refusal `notfound` where none of that id is open
 */
export async function resolveDifference(
  transaction: Transaction,
  { payeeId, differenceId, reason, actor }: ResolveDifference,
): Promise<void> {
  const resolved = await resolveOpen(transaction, { payeeId, differenceId, reason });
  if (resolved === undefined) throw notFound();
  await writeAudit(transaction, [
    { payeeId, actor, action: 'resolve-difference', objectId: differenceId, details: { reason } },
  ]);
  await settleDays(transaction, payeeId);
  // Last: payments wait for these rows.
  if (resolved.paymentId !== null) await noteDisputed(transaction, [{ payeeId, paymentId: resolved.paymentId }]);
}
