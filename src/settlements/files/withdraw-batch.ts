import type { Read, Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { forbidden, notFound } from '../../kit/errors.ts';
import type { Given } from '../../kit/given.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { postDispute, postSettlement } from '../../ledger/postings.rules.ts';
import { bookShares, conversionsOf } from '../book-shares.ts';
import { lockDispute } from '../disputes/disputes.store.ts';
import { noteDisputed, saveDispute } from '../disputes/save-dispute.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { selectConversions, selectShares } from '../shares.store.ts';
import type { BatchKey } from './files.types.ts';
import { lockImports } from './import.store.ts';
import {
  lockBatch,
  type Resting,
  type StandingBatch,
  selectAskedBack,
  selectDisputed,
  selectResting,
  selectTouched,
  selectTurnover,
  type TouchedDispute,
  wasWithdrawn,
} from './rests-on-batch.store.ts';
import {
  endOwn,
  type FreedItem,
  freeEnded,
  freeItems,
  moveBatch,
  reopenCured,
  unbookEarlier,
  unsettleDays,
} from './withdraw.store.ts';

/** Who withdraws which batch, and why. */
export interface WithdrawBatch {
  readonly payeeId: PayeeId;
  /** Of the batch in the order of imports: that very one, whatever bears its name now. */
  readonly number: number;
  readonly reason: string;
  readonly actor: Actor;
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/** What a person decides about who withdraws it: all that went through the batch. It always needs another person. */
export async function givenByWithdrawing(
  read: Read,
  { payeeId, number, reason }: Pick<WithdrawBatch, 'payeeId' | 'number' | 'reason'>,
): Promise<Given | undefined> {
  const turnover = await selectTurnover(read, payeeId, number);
  if (turnover === undefined) return undefined;
  return { ...turnover, object: { kind: 'batch', id: String(number) }, reason, needsSecondPerson: true };
}

/**
 * Takes back all that a batch of a wrong file has done: it is booked the other way, its sales and refunds wait for their lines again, its
 * differences are ended, and those that it has cured are open again. Its name is free for the right file. Twice is as once.
 *
 * @returns false where it was withdrawn before
 * @throws Refusal `notfound` where there is none; `forbidden`, named `batch`, where a later batch or a refund rests on it
 */
export async function withdrawBatch(
  transaction: Transaction,
  context: SettlementContext,
  asked: WithdrawBatch,
): Promise<boolean> {
  await lockImports(transaction);
  const batch = await lockBatch(transaction, asked);
  if (batch === undefined) {
    if (await wasWithdrawn(transaction, asked)) return false;
    throw notFound();
  }
  const command = { ...asked, acquirer: batch.acquirer, batchId: batch.batchId };
  const resting = await selectResting(transaction, command, batch.number);
  if (resting !== undefined) throw forbidden('batch', WHY_RESTING(resting));
  const touched = await selectTouched(transaction, command);
  const { oppositeId, freed } = await takeBack(transaction, context, { command, batch });
  const withdrawalId = context.newId();
  const reopened = await reopenCured(transaction, command);
  await endOwn(transaction, command, { withdrawalId, reason: command.reason });
  await moveBatch(transaction, command, {
    withdrawalId,
    oppositeId,
    withdrawnBy: nameOfActor(command.actor),
    reason: command.reason,
  });
  await unsettleDays(transaction, command.payeeId, freed);
  for (const dispute of touched) await putBack(transaction, command, dispute);
  await tell(transaction, { command, batch, reopened });
  const differing = reopened.flatMap(({ paymentId }) => paymentId ?? []);
  await noteBlocked(transaction, command, [...touched.map(({ paymentId }) => paymentId), ...differing]);
  return true;
}

const BY: Readonly<Record<Resting['by'], string>> = {
  cure: 'it has put a line of this one right',
  twice: 'a line of it is a second one beside this batch',
  dispute: 'it goes on with a dispute of this one',
};

const WHY_RESTING = ({ name, by }: Resting) =>
  `Batch ${name} was imported later and rests on this one: ${BY[by]}. Withdraw that one first, and import it again afterwards.`;

interface Taking {
  readonly command: WithdrawBatch & BatchKey;
  readonly batch: StandingBatch;
}

/** Books the opposite of all that the batch, and people because of it, have booked: what takes back the batch's own movement, and what waits for a line again. */
async function takeBack(
  transaction: Transaction,
  { newId }: SettlementContext,
  { command, batch }: Taking,
): Promise<{ readonly oppositeId: string | null; readonly freed: readonly FreedItem[] }> {
  const { payeeId, now } = command;
  const disputed = await selectDisputed(transaction, command);
  const converted = await selectConversions(transaction, payeeId, batch.conversionIds);
  const unsettled = await freeItems(transaction, command);
  await unbookEarlier(transaction, command);
  const ended = await freeEnded(transaction, command);
  const shares = batch.movementId === null ? [] : await selectShares(transaction, payeeId, batch.movementId);
  // Movements of an earlier version have no parts.
  const own = postSettlement(batch.currency, shares.length > 0 ? shares.map(({ amount }) => -amount) : [-batch.booked]);
  const ids = await bookShares(transaction, { payeeId, newId, now }, [
    { draft: own, shares: shares.map(({ agreement, amount }) => ({ agreement, amount: -amount })) },
    ...disputed.map(({ currency, ...share }) => ({ draft: postDispute(currency, share.amount), shares: [share] })),
    ...conversionsOf(converted.map((one) => ({ ...one, amount: -one.amount }))),
    ...ended.map(({ currency, agreement, amount }) => ({
      draft: postSettlement(currency, [-amount]),
      shares: [{ agreement, amount: -amount }],
    })),
  ]);
  const freed = [...unsettled, ...ended];
  if (batch.movementId === null) return { oppositeId: null, freed };
  assert(own.length === 1 && ids[0] !== undefined, 'a movement of the batch has an opposite');
  return { oppositeId: ids[0], freed };
}

/** A dispute stands as before the batch; one that the batch has opened ends. */
async function putBack(
  transaction: Transaction,
  { payeeId, actor }: WithdrawBatch,
  { disputeId, before }: TouchedDispute,
): Promise<void> {
  if (before === undefined) {
    throw forbidden(
      'batch',
      'A dispute of this batch was opened by an earlier file, and how it stood then was not kept. Note what is right at the dispute.',
    );
  }
  const now = await lockDispute(transaction, payeeId, disputeId);
  assert(now !== undefined, 'a dispute that a line is about is there');
  const standing = before ?? ({ state: 'Withdrawn', taken: 0 } as const);
  await saveDispute(transaction, { before: now, after: { ...now, ...standing }, actor });
}

async function tell(
  transaction: Transaction,
  { command, batch, reopened }: Taking & { readonly reopened: readonly { readonly differenceId: string }[] },
): Promise<void> {
  const { payeeId, actor, reason } = command;
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'withdraw-settlement-batch',
      objectId: batch.name,
      details: { reason, amount: batch.net, currency: batch.currency },
    },
    ...reopened.map(({ differenceId }) => ({
      payeeId,
      actor,
      action: 'reopen-difference' as const,
      objectId: differenceId,
      details: { reason },
    })),
  ]);
}

/** Notes what of payments is asked back again. Money that a line of the batch gave back and that was refunded since cannot be both. */
async function noteBlocked(
  transaction: Transaction,
  { payeeId }: WithdrawBatch,
  paymentIds: readonly string[],
): Promise<void> {
  if (paymentIds.length === 0) return;
  const before = new Map(
    (await selectAskedBack(transaction, payeeId, paymentIds)).map(({ paymentId, disputed }) => [paymentId, disputed]),
  );
  await noteDisputed(
    transaction,
    paymentIds.map((paymentId) => ({ payeeId, paymentId })),
  );
  const after = await selectAskedBack(transaction, payeeId, paymentIds);
  if (after.some((one) => one.isRefunded && one.disputed > (before.get(one.paymentId) ?? 0))) {
    throw forbidden(
      'batch',
      'A line of this batch gave back a chargeback whose sale was refunded since. Ask the acquirer for an adjustment instead.',
    );
  }
}
