import type { Read, Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import type { Actor } from '../kit/caller.ts';
import { forbidden, notFound, Refusal } from '../kit/errors.ts';
import type { Given } from '../kit/given.ts';
import type { PayeeId } from '../kit/ids.ts';
import { postSettlement } from '../ledger/postings.rules.ts';
import { bookShares } from './book-shares.ts';
import { settleDays } from './days/days.store.ts';
import { endItem, noteEnded, resolveOpen, selectBlockedBy, selectOwedFor, wasResolvedSo } from './differences.store.ts';
import { noteDisputed } from './disputes/save-dispute.ts';
import { lockImports } from './files/import.store.ts';
import type { DifferenceOutcome, SettlementContext } from './settlements.types.ts';

/** Who ends which difference, how and why. */
export interface ResolveDifference {
  readonly payeeId: PayeeId;
  readonly differenceId: string;
  readonly outcome: DifferenceOutcome;
  readonly reason: string;
  readonly actor: Actor;
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/** What is given away by that: what is owed, where it is booked; else what a chargeback blocks no more, so that it can be refunded. */
export async function givenByResolving(
  read: Read,
  { payeeId, differenceId, outcome, reason }: Omit<ResolveDifference, 'actor' | 'now'>,
): Promise<Given | undefined> {
  const select = outcome === 'AcquirersMistake' ? selectBlockedBy : selectOwedFor;
  const given = await select(read, payeeId, differenceId);
  if (given === undefined) return undefined;
  const { amount, currency } = given;
  return { amount: Math.abs(amount), currency, object: { kind: 'difference', id: differenceId }, way: outcome, reason };
}

/** The same as `resolveDifference`, for what may come again because its answer was lost. */
export async function resolveOnce(
  transaction: Transaction,
  context: SettlementContext,
  command: ResolveDifference,
): Promise<void> {
  if (await wasResolvedSo(transaction, command)) return;
  try {
    await resolveDifference(transaction, context, command);
  } catch (error) {
    // The same, run at the same time, may have come first.
    const isGone = error instanceof Refusal && error.code === 'notfound';
    if (!isGone || !(await wasResolvedSo(transaction, command))) throw error;
  }
}

/**
 * Ends a difference by a person's word. Where its sale or refund is written off, or was paid otherwise, that is booked, is owed no
 * more, and ends its other differences. A day that the difference kept open is settled then.
 *
 * @throws Refusal `notfound` where none of that id is open; `forbidden` where there is nothing to be booked
 */
export async function resolveDifference(
  transaction: Transaction,
  { newId }: SettlementContext,
  { payeeId, differenceId, outcome, reason, actor, now }: ResolveDifference,
): Promise<void> {
  const isBooked = outcome !== 'AcquirersMistake';
  // A line that an import finds meanwhile would settle the same sale.
  if (isBooked) await lockImports(transaction);
  const resolved = await resolveOpen(transaction, { payeeId, differenceId, reason, outcome });
  if (resolved === undefined) throw notFound();
  const ended = isBooked ? await endItem(transaction, { payeeId, differenceId }) : undefined;
  if (isBooked && ended === undefined) {
    throw forbidden(
      'outcome',
      'Nothing is owed for this difference. End it as acquirers-mistake, which books nothing.',
    );
  }
  if (ended !== undefined) {
    const { currency, agreement, amount } = ended;
    const [movementId] = await bookShares(transaction, { payeeId, newId, now }, [
      { draft: postSettlement(currency, [amount]), shares: [{ agreement, amount }] },
    ]);
    await noteEnded(transaction, { payeeId, differenceId }, movementId);
  }
  const details = {
    reason,
    outcome,
    ...(ended !== undefined && { amount: ended.amount, currency: ended.currency }),
  };
  await writeAudit(transaction, [{ payeeId, actor, action: 'resolve-difference', objectId: differenceId, details }]);
  await settleDays(transaction, payeeId);
  // Last: payments wait for these rows.
  if (resolved.paymentId !== null) await noteDisputed(transaction, [{ payeeId, paymentId: resolved.paymentId }]);
}
