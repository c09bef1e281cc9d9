import type { Read, Transaction } from '../../db/transaction.types.ts';
import { waitForHeaders } from '../../engine/locks.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, notFound } from '../../kit/errors.ts';
import type { Given, WeighedAmount } from '../../kit/given.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { letsGo, stateAfter } from './disputes.rules.ts';
import {
  lockAccountsOf,
  lockDispute,
  selectDispute,
  selectHeaders,
  updateDisputed,
  upsertDispute,
} from './disputes.store.ts';
import type { Dispute, DisputedPayment, DisputeStep, OfPayment } from './disputes.types.ts';

/** A dispute before and after. */
export interface DisputeChange {
  /** Undefined: it is new. */
  readonly before: Dispute | undefined;
  readonly after: Omit<Dispute, 'openedAt' | 'updatedAt' | 'eventSequence' | keyof OfPayment>;
  readonly actor: Actor;
}

/** Stores a dispute as it now is, and tells of it. What it blocks of its payment is noted by `noteDisputed`. */
export async function saveDispute(transaction: Transaction, { before, after, actor }: DisputeChange): Promise<void> {
  const eventSequence = (before?.eventSequence ?? 0) + 1;
  const saved = await upsertDispute(transaction, { ...after, eventSequence });
  assert(saved !== undefined, 'a dispute that is locked changes from what was seen of it');
  const { updatedAt: happenedAt, refunded } = saved;
  const { payeeId, disputeId, paymentId, state, stage, amount, currency } = after;
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: before === undefined ? 'open-dispute' : 'change-dispute',
      objectId: disputeId,
      details: { state, amount, currency },
    },
  ]);
  await writeEvents(transaction, [
    {
      payeeId,
      type: before === undefined ? 'dispute.opened' : 'dispute.changed',
      resourceId: disputeId,
      resourceSequence: eventSequence,
      happenedAt,
      payload: { disputeId, paymentId, stage, state, amount, currency, refunded, respondBy: after.respondBy },
    },
  ]);
}

/**
 * Stores what of payments cannot be given back, under their locks, so that a batch that has read one does not give back meanwhile what
 * is asked back. The locks are taken as batches take them: accounts, and then orders and card payments. It is the last thing of a
 * transaction, for payments wait for these rows.
 */
export async function noteDisputed(transaction: Transaction, payments: readonly DisputedPayment[]): Promise<void> {
  const named = [...new Map(payments.map((one) => [one.payeeId + one.paymentId, one])).values()];
  if (named.length === 0) return;
  await lockAccountsOf(transaction, named);
  await waitForHeaders(transaction, await selectHeaders(transaction, named));
  for (const payment of named) await updateDisputed(transaction, payment);
}

/** A person's step. */
export interface ChangeDispute {
  readonly payeeId: PayeeId;
  readonly disputeId: string;
  readonly step: DisputeStep;
  readonly actor: Actor;
  /** What may be let go by it: lines may have asked for more since that was weighed. Undefined: whatever is asked back. */
  readonly most?: WeighedAmount | undefined;
}

/** What is given away by a step: what is asked back, where the payee lets it go. A step that is refused gives nothing. */
export async function givenByStep(
  read: Read,
  { payeeId, disputeId, step }: Omit<ChangeDispute, 'actor' | 'most'>,
): Promise<Given | undefined> {
  const found = await selectDispute({ run: read }, payeeId, disputeId);
  if (found === undefined || !letsGo(found.state, step)) return undefined;
  const { amount, currency } = found;
  return { amount, currency, object: { kind: 'dispute', id: disputeId }, way: step };
}

/**
 * Takes a step of a dispute. Twice is as once. It frees nothing of the payment: what was taken is blocked until a line gives it back.
 *
 * @throws Refusal `notfound` where there is none, `forbidden` where it has gone another way, or where more is asked back
 */
export async function changeDispute(
  transaction: Transaction,
  { payeeId, disputeId, step, actor, most }: ChangeDispute,
): Promise<Dispute> {
  const before = await lockDispute(transaction, payeeId, disputeId);
  if (before === undefined) throw notFound();
  const state = stateAfter(before.state, step);
  if (state === before.state) return before;
  if (most !== undefined && letsGo(before.state, step)) refuseMore(before, most);
  await saveDispute(transaction, { before, after: { ...before, state }, actor });
  return (await lockDispute(transaction, payeeId, disputeId)) ?? before;
}

function refuseMore({ amount, currency }: Dispute, most: WeighedAmount): void {
  if (amount === 0 || (currency === most.currency && amount <= most.amount)) return;
  throw forbidden('amount', 'More is asked back than when this was asked for: look at the dispute, and ask again.');
}
