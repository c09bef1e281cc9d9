import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inUtc, isDay } from '../../kit/instants.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import { selectSpans, selectSums } from './kept-liability.store.ts';
import { keptRows, liabilityOf, refuseNoTime, refuseTooNew } from './liability.rules.ts';
import { selectAges, selectInstants, selectLiability } from './liability.store.ts';
import type { Liability, LiabilityInstants, LiabilityQuestion, LiabilityRows } from './liability.types.ts';

/**
 * What a payee owes on its gift cards at an instant, and what moved in a period: every figure is a sum of ledger entries, or of sums of these
 * that are kept of each day.
 *
 * @param reader a transaction, or whatever runs one statement
 * @throws Refusal `inputerror` for what is no time, or too new to be told
 */
export async function askLiability(reader: Transaction, question: LiabilityQuestion): Promise<Liability> {
  refuseNoTime(question);
  const { asOf, from, to } = question;
  const inUtcOnly = { ...question, asOf: plain(asOf), from: plain(from), to: plain(to) };
  const [instants] = (await selectInstants(reader, inUtcOnly, LIABILITY_AGE_SECONDS)).rows;
  assert(instants !== undefined, 'the payee was looked up before');
  refuseTooNew(instants);
  const read = (await readKept(reader, question, instants)) ?? (await readAll(reader, question, instants));
  return liabilityOf(instants, read);
}

/** By the sums of days that are kept; undefined where there are none, or they were made anew at that moment. */
async function readKept(
  reader: Transaction,
  { payeeId }: LiabilityQuestion,
  instants: LiabilityInstants,
): Promise<LiabilityRows | undefined> {
  const [spans] = (await selectSpans(reader, payeeId, instants)).rows;
  if (spans === undefined) return undefined;
  return keptRows((await selectSums(reader, payeeId, instants, spans)).rows);
}

/** By all cards, and what has moved on them since. */
export async function readAll(
  reader: Transaction,
  { payeeId }: LiabilityQuestion,
  instants: LiabilityInstants,
): Promise<LiabilityRows> {
  const { rows } = await selectLiability(reader, payeeId, instants);
  return { rows, ages: (await selectAges(reader, payeeId, instants)).rows };
}

/** A day stays what it is: its beginning depends on where the payee is. */
function plain(time: string | undefined): string | undefined {
  return time === undefined || isDay(time) ? time : inUtc(time);
}
