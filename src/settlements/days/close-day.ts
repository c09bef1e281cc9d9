import type { Transaction } from '../../db/transaction.types.ts';
import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { insertAbandoned } from '../differences.store.ts';
import { lockImports } from '../files/import.store.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { countItems, insertDay, searchDay, selectDaysToSearch, sumItems } from './days.store.ts';
import type { ClosingDay, DaySums, OpenDay, SummedItems } from './days.types.ts';
import { collectItems, selectAnswers } from './items.store.ts';
import { addOpenDays, deleteOpenDay, lockMark, moveMark, selectOpenDays } from './marks.store.ts';
import { netOf } from './totals.rules.ts';

/** Days after which a line for what a day has must have come. */
const MISSING_AFTER_DAYS = 3;
/** Days of agreements that are searched in one transaction. */
const SEARCHED_DAYS = 100;

/** More answers or items than there are. */
const ALL = 2 ** 31 - 1;

/** Makes items of what an acquirer has answered since the last time, however long ago that was. */
export async function collect(transaction: Transaction, context: SettlementContext, acquirer: Acquirer): Promise<void> {
  await collectSome(transaction, context, acquirer, { after: undefined, most: ALL });
}

/**
 * Makes items of the next answers of an acquirer.
 *
 * @returns behind which time there may be more; undefined where all are collected
 */
export async function collectSome(
  transaction: Transaction,
  context: SettlementContext,
  acquirer: Acquirer,
  next: { readonly after: string | undefined; readonly most: number },
): Promise<string | undefined> {
  const { cutOver, timeZone, id } = acquirer;
  const isCollected = await lockMark(transaction, id);
  if (!isCollected && next.after === undefined) await addOpenDays(transaction, id);
  const { unknownOriginal } = context.hosts.dialect(id).actionCodes.takeBacks;
  const answers = await selectAnswers(transaction, id, next);
  await collectItems(transaction, { acquirer: id, cutOver, timeZone, unknownOriginal, ...answers });
  if (answers.to !== null) return answers.to;
  await moveMark(transaction, id);
  return undefined;
}

/** The days of an acquirer that have something and are open. */
export const findOpenDays = selectOpenDays;

/** Sums the next items of a day. */
export const sumSome = sumItems;

/**
 * Opens a difference for what acquirers have not settled in time, and for what was ended by hand.
 *
 * @returns whether more days may wait
 */
export async function searchDays(transaction: Transaction): Promise<boolean> {
  await insertAbandoned(transaction);
  const due = await selectDaysToSearch(transaction, { afterDays: MISSING_AFTER_DAYS, most: SEARCHED_DAYS });
  if (due.length === 0) return false;
  // What an import under way has settled, or a person has ended, is not missing.
  await lockImports(transaction);
  for (const day of due) await searchDay(transaction, day);
  return due.length === SEARCHED_DAYS;
}

/** Who closes which day. */
export interface CloseDay {
  readonly open: OpenDay;
  /** What was summed before: it stands unless items have come since. */
  readonly summed?: SummedItems;
  readonly isReconciled: boolean;
  readonly actor: Actor;
}

/**
 * Closes a day: from now on its sums stand. Twice is as once.
 *
 * @returns the day as it was closed; undefined where it is closed already, or nothing belongs to it
 * @throws Trouble where the ledger has not booked what its transactions say
 */
export async function closeDay(
  transaction: Transaction,
  context: SettlementContext,
  { open, summed, isReconciled, actor }: CloseDay,
): Promise<ClosingDay | undefined> {
  await lockMark(transaction, open.acquirer);
  await deleteOpenDay(transaction, open);
  const sums = await sumDay(transaction, open, summed);
  if (sums === undefined) return undefined;
  refuseUnbooked(open, sums);
  const { booked: _, now, ...totals } = sums;
  const closing: ClosingDay = {
    ...open,
    ...totals,
    settlementId: context.newId(),
    net: netOf(totals),
    closedAt: now,
    dueAt: isReconciled ? now : null,
    eventSequence: 1,
  };
  const { count } = await insertDay(transaction, closing);
  if (count === 0) return undefined;
  const { payeeId, settlementId, currency, net, day } = closing;
  await writeAudit(transaction, [
    { payeeId, actor, action: 'close-settlement', objectId: settlementId, details: { day, amount: net, currency } },
  ]);
  await writeEvents(transaction, [
    {
      payeeId,
      type: 'settlement.closed',
      resourceId: settlementId,
      resourceSequence: 1,
      happenedAt: now,
      payload: { settlementId, day, agreement: open.agreement, currency, net, state: 'Closed' },
    },
  ]);
  return closing;
}

/** What a day comes to that is locked; undefined where nothing belongs to it. Its items are only ever added, and stay as they are. */
export async function sumDay(
  transaction: Transaction,
  open: OpenDay,
  summed?: SummedItems,
): Promise<DaySums | undefined> {
  const { items, now } = await countItems(transaction, open);
  if (items === 0) return undefined;
  const all = summed?.items === items ? summed : await sumItems(transaction, open, { after: undefined, most: ALL });
  const { merchantId, booked, ...totals } = all;
  assert(merchantId !== null, 'there is an item');
  return { ...totals, merchantId, booked, now };
}

function refuseUnbooked({ agreement, day, currency }: OpenDay, { booked, ...sums }: DaySums): void {
  const standing = netOf(sums);
  if (standing === booked) return;
  throw new Trouble(
    `${agreement}, ${day}, cannot be closed: its transactions come to ${formatMoney(standing, currency)}, and the ledger ` +
      `has booked ${formatMoney(booked, currency)}, ${formatMoney(standing - booked, currency)} less. Run: kontor ledger verify`,
  );
}
