import type { Transaction } from '../../db/transaction.types.ts';
import { actionCodeOf } from '../../iso8583/answers.rules.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { SERVICE } from '../../kit/caller.ts';
import { insertTotalsDifference } from '../differences.store.ts';
import type { SettlementContext, SettlementDay } from '../settlements.types.ts';
import { nameMessage, updateAnswered, updateSent, updateUnanswered } from './days.store.ts';
import type { DueDay } from './days.types.ts';
import { takeDueDays } from './shown-days.store.ts';
import { netOf, totalsIn } from './totals.rules.ts';

/**
 * Stores what an acquirer says of a day's totals. Others than ours become a difference.
 *
 * @returns false where the answer says nothing of them
 */
export async function noteAnswer(
  transaction: Transaction,
  { hosts, newId }: SettlementContext,
  { day, answer }: { readonly day: SettlementDay & Pick<DueDay, 'wasSent'>; readonly answer: Message },
): Promise<boolean> {
  const { reconciliation, actionCodes } = hosts.dialect(day.acquirer);
  const { inBalance, different } = reconciliation;
  const code = actionCodeOf(answer);
  // It has the first message, and does not say again what it makes of it: it is asked by another name.
  if (day.wasSent && actionCodes.duplicates.includes(code)) await updateSent(transaction, day, false);
  if (!inBalance.includes(code) && !different.includes(code)) return false;
  const state = inBalance.includes(code) ? 'Reconciled' : 'Different';
  const acquirerTotals = state === 'Different' ? totalsIn(answer) : undefined;
  const noted = await updateAnswered(transaction, day, { state, acquirerTotals });
  if (noted === undefined) return true;
  const { payeeId, settlementId, currency, net, agreement } = day;
  await writeAudit(transaction, [
    { payeeId, actor: SERVICE, action: 'reconcile-settlement', objectId: settlementId, details: { state } },
  ]);
  if (state === 'Reconciled') return true;
  const theirs = acquirerTotals === undefined ? null : netOf(acquirerTotals);
  await insertTotalsDifference(transaction, { ...day, differenceId: newId(), theirs });
  await writeEvents(transaction, [
    {
      payeeId,
      type: 'settlement.different',
      resourceId: settlementId,
      resourceSequence: noted.eventSequence,
      happenedAt: noted.updatedAt,
      payload: { settlementId, day: day.day, agreement, currency, net, state, acquirerNet: theirs },
    },
  ]);
  return true;
}

/** Days that are taken at once, and seconds that no other instance takes them: longer than an acquirer has for its answer. */
export const DUE_DAYS = 20;
const LEASE_SECONDS = 90;
/** Seconds between two tries: 15, 30, 60 … up to an hour. */
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 3_600;
/** Doublings after which the longest pause is reached. */
const DOUBLINGS = 10;

/**
 * Takes days whose totals are to be told.
 *
 * @param but acquirers of which none is taken
 */
export function takeDue(transaction: Transaction, but: readonly string[] = []): Promise<readonly DueDay[]> {
  return takeDueDays(transaction, { most: DUE_DAYS, leaseSeconds: LEASE_SECONDS, but });
}

/** Names the message that tells a day's totals: the same each time that it is told. */
export async function nameTotals(
  transaction: Transaction,
  day: DueDay,
  named: { readonly stan: string; readonly sentAt: string },
): Promise<void> {
  if (day.stan === null) await nameMessage(transaction, day, named);
}

/** Notes that the message was handed over: the next one repeats it. */
export async function noteSent(transaction: Transaction, day: DueDay): Promise<void> {
  await updateSent(transaction, day, true);
}

/** Notes that no usable answer has come: the totals are told again later. */
export async function noteSilence(transaction: Transaction, day: DueDay): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(day.tries, DOUBLINGS), LONGEST_PAUSE_SECONDS);
  await updateUnanswered(transaction, day, pause);
}
