import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { postDispute, postSettlement } from '../../ledger/postings.rules.ts';
import { bookShares, byAgreement, conversionsOf, type SharedDraft } from '../book-shares.ts';
import { cureBySettling } from '../differences.store.ts';
import type { DisputedPayment } from '../disputes/disputes.types.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { selectBookedShares, selectConverted } from '../shares.store.ts';
import type { DisputeLine } from './dispute-lines.store.ts';
import type { NewBatch } from './files.types.ts';
import {
  type Cured,
  cureByAdjustments,
  judgeAdjustments,
  judgeFees,
  judgeSales,
  noteByContent,
  noteByName,
  noteMovements,
  raiseDifferentDays,
} from './match.store.ts';
import { takeDisputes } from './take-disputes.ts';

/** What became of a batch. */
export interface SettledBatch {
  readonly matched: number;
  readonly differences: number;
  readonly disputes: number;
  /** What is to be noted of payments at the end of the transaction. */
  readonly disputed: readonly DisputedPayment[];
}

/** A batch whose lines are stored. */
export interface StoredBatch {
  readonly batch: NewBatch;
  /** When it was imported. */
  readonly now: string;
  readonly actor: Actor;
  /** The file that it came in. */
  readonly file: { readonly name: string; readonly digest: Buffer };
}

/**
 * Compares the lines of a batch with our books: each sale and refund that is the same is settled, each dispute is opened or
 * changed, everything else becomes a difference. What was matched is booked.
 */
export async function settleBatch(
  transaction: Transaction,
  context: SettlementContext,
  stored: StoredBatch,
): Promise<SettledBatch> {
  const { batch, actor } = stored;
  const { payeeId, name } = batch;
  await noteByName(transaction, batch);
  await noteByContent(transaction, batch);
  const sales = await judgeSales(transaction, batch);
  const disputes = await takeDisputes(transaction, context, stored);
  const cured = await cureByAdjustments(transaction, batch);
  const unexplained = (await judgeAdjustments(transaction, batch)) + (await judgeFees(transaction, batch));
  const settled = await cureBySettling(transaction, batch);
  const freed = cured.flatMap(({ paymentId }) => (paymentId === null ? [] : [{ payeeId, paymentId }]));
  await bookBatch(transaction, context, { ...stored, cured, disputes: disputes.booked });
  await writeAudit(transaction, [
    { payeeId, actor, action: 'import-settlement-batch', objectId: name, details: detailsOf(stored) },
    ...[...cured, ...settled].map(({ differenceId }) => ({
      payeeId,
      actor,
      action: 'cure-difference' as const,
      objectId: differenceId,
    })),
  ]);
  await tellDifferences(transaction, batch);
  return {
    matched: sales.matched,
    differences: sales.differences + disputes.differences + unexplained,
    disputes: disputes.booked.length,
    disputed: [...disputes.payments, ...freed],
  };
}

function detailsOf({ batch: { payout, currency, lines }, file: { name, digest } }: StoredBatch) {
  return { amount: payout, currency, lines, file: name, digest: digest.toString('hex') };
}

interface Booked extends StoredBatch {
  readonly cured: readonly Cured[];
  readonly disputes: readonly DisputeLine[];
}

/** What was matched is paid, and converted where that is in another currency; what was asked back is booked as a refund is, beside its line. */
async function bookBatch(
  transaction: Transaction,
  { newId }: SettlementContext,
  { batch, now, cured, disputes }: Booked,
): Promise<void> {
  const { payeeId, currency } = batch;
  const shares = byAgreement([
    ...(await selectBookedShares(transaction, batch)),
    ...cured.map(({ agreement, gross }) => ({ agreement, amount: gross })),
  ]);
  const settlement = postSettlement(
    currency,
    shares.map(({ amount }) => amount),
  );
  const parts: SharedDraft[] = disputes.map(({ gross, item, currency: asked }) => {
    const amount = gross === 0 ? 0 : -gross;
    return {
      draft: postDispute(asked, amount),
      shares: [{ agreement: item?.agreement ?? batch.agreement, amount }],
    };
  });
  const conversions = conversionsOf(await selectConverted(transaction, batch));
  const ids = await bookShares(transaction, { payeeId, newId, now }, [
    { draft: settlement, shares },
    ...parts,
    ...conversions,
  ]);
  const settlementId = settlement.length === 0 ? undefined : ids[0];
  const conversionIds = ids.slice(ids.length - conversions.length);
  assert(settlement.length === 0 || settlementId !== undefined, 'a movement that was booked has an id');
  await noteMovements(transaction, batch, { settlementId, conversionIds });
}

async function tellDifferences(transaction: Transaction, batch: NewBatch): Promise<void> {
  const { payeeId, name } = batch;
  const days = await raiseDifferentDays(transaction, batch);
  await writeEvents(
    transaction,
    days.map(({ settlementId, day, agreement, currency, net, state, eventSequence, now }) => ({
      payeeId,
      type: 'settlement.different' as const,
      resourceId: settlementId,
      resourceSequence: eventSequence,
      happenedAt: now,
      payload: { settlementId, day, agreement, currency, net, state, batchId: name },
    })),
  );
}
