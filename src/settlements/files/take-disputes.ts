import type { Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { changedBy, type DisputeNews, openedBy, standingOf } from '../disputes/disputes.rules.ts';
import { lockCase } from '../disputes/disputes.store.ts';
import type { Dispute, DisputedPayment } from '../disputes/disputes.types.ts';
import { differenceOf } from '../disputes/judge-line.rules.ts';
import { saveDispute } from '../disputes/save-dispute.ts';
import type { DifferenceKind, SettlementContext } from '../settlements.types.ts';
import {
  type DisputeLine,
  insertLineDifferences,
  noteDisputeLine,
  selectBookedDisputeLines,
  selectDisputeLines,
} from './dispute-lines.store.ts';
import type { LineDifference, NewBatch } from './files.types.ts';

/** What became of the lines of a batch that are about disputes. */
export interface TakenDisputes {
  readonly booked: readonly DisputeLine[];
  readonly differences: number;
  /** Of which another amount may be blocked now. */
  readonly payments: readonly DisputedPayment[];
}

interface Taking {
  readonly batch: NewBatch;
  readonly now: string;
  readonly actor: Actor;
}

/**
 * Takes the lines of a batch about disputes, in the order of the file: each is booked, or becomes a difference. A chargeback opens or
 * changes its dispute also where it differs. What fits only after a later line, such as a second presentment that stands before the
 * reversal of the first, is looked at again after all others.
 */
export async function takeDisputes(
  transaction: Transaction,
  context: SettlementContext,
  taking: Taking,
): Promise<TakenDisputes> {
  const booked: DisputeLine[] = [];
  const later: DisputeLine[] = [];
  const different: LineDifference[] = [];
  const payments: DisputedPayment[] = [];
  const take = async (line: DisputeLine, isLast: boolean) => {
    const { kind, before } = await judge(transaction, taking.batch, line);
    if (kind !== undefined && !isLast) return void later.push(line);
    if (kind === undefined) booked.push(line);
    else different.push(differenceIn(context, taking, { line, kind, ours: oursOf(line, kind, before) }));
    const paymentId = await noteLine(transaction, context, { ...taking, line, before, kind });
    if (paymentId !== undefined) payments.push({ payeeId: taking.batch.payeeId, paymentId });
  };
  for (const line of await selectDisputeLines(transaction, taking.batch)) await take(line, false);
  for (const line of later) await take(line, true);
  if (different.length > 0) {
    const { statement, values } = insertLineDifferences(different);
    await transaction.run(statement, values);
  }
  return { booked, differences: different.length, payments };
}

async function judge(transaction: Transaction, { payeeId, acquirer }: NewBatch, line: DisputeLine) {
  const { item } = line;
  if (item === null) return { kind: 'unknownToUs' as const, before: undefined };
  const before = await lockCase(transaction, { payeeId, acquirer, caseId: line.caseId ?? item.attemptId });
  const lines = await selectBookedDisputeLines(transaction, { payeeId, attemptId: item.attemptId });
  const kind = differenceOf(line, item, {
    known: before,
    takenOfSale: -lines.reduce((sum, { gross }) => sum + gross, 0),
    lines: lines.filter(({ disputeId }) => disputeId === before?.disputeId),
  });
  return { kind, before };
}

/** What our books have beside a line: of a reversal of another amount, what its case took; else the sale. */
function oursOf({ type, item }: DisputeLine, kind: DifferenceKind, before: Dispute | undefined): number | null {
  if (type === 'ChargebackReversal' && kind === 'amountDiffers') return before?.taken ?? 0;
  return item?.amount ?? null;
}

function differenceIn(
  { newId }: SettlementContext,
  { batch, now }: Taking,
  { line, kind, ours }: { readonly line: DisputeLine; readonly kind: DifferenceKind; readonly ours: number | null },
): LineDifference {
  const { payeeId, acquirer, batchId } = batch;
  const { item, lineId, gross } = line;
  const currency = item?.currency ?? line.currency;
  return {
    payeeId,
    acquirer,
    batchId,
    lineId,
    differenceId: newId(),
    kind,
    agreement: item?.agreement ?? batch.agreement,
    currency,
    theirCurrency: line.currency === currency ? null : line.currency,
    day: item?.day ?? null,
    attemptId: item?.attemptId ?? null,
    ours,
    theirs: gross,
    now,
  };
}

interface Noting extends Taking {
  readonly line: DisputeLine;
  readonly before: Dispute | undefined;
  readonly kind: DifferenceKind | undefined;
}

/** Notes what a line says of its dispute; the payment that this is about, or undefined where the line is about no dispute. */
async function noteLine(
  transaction: Transaction,
  { newId }: SettlementContext,
  { batch, actor, line, before, kind }: Noting,
): Promise<string | undefined> {
  const { payeeId, acquirer } = batch;
  const { item, type, lineId } = line;
  const isBooked = kind === undefined;
  const opensOne = type === 'Chargeback' && item?.type === 'Sale' && kind !== 'unknownToUs';
  if (item === null || kind === 'unknownToUs' || (before === undefined && !opensOne)) return undefined;
  const { attemptId, agreement, paymentId, transactionId } = item;
  const disputeId = before?.disputeId ?? newId();
  const stood = {
    disputeId,
    eventSequence: before?.eventSequence ?? 0,
    standing: before === undefined ? null : standingOf(before),
  };
  await noteDisputeLine(transaction, batch, { lineId, before: stood, isBooked });
  // The same line once more says nothing new.
  if (kind === 'twice') return paymentId;
  const known = before ?? {
    payeeId,
    disputeId,
    acquirer,
    agreement,
    caseId: line.caseId ?? attemptId,
    attemptId,
    paymentId,
    transactionId,
  };
  const news: DisputeNews = { ...line, isBooked };
  const standing = before === undefined ? openedBy(news) : changedBy(before, news);
  if (standing !== before) await saveDispute(transaction, { before, after: { ...known, ...standing }, actor });
  return paymentId;
}
