import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inUtc, isDay } from '../../kit/instants.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import { liabilityOf, refuseNoTime, refuseTooNew } from './liability.rules.ts';
import { selectAges, selectInstants, selectLiability } from './liability.store.ts';
import type { Liability, LiabilityQuestion } from './liability.types.ts';

/**
 * What a payee owes on its gift cards at an instant, and what moved in a period: every figure is a sum of ledger entries.
 *
 * @param reader a transaction, or whatever runs one statement
 * @throws Refusal `inputerror` for what is no time, or too new to be told
 */
export async function askLiability(reader: Pick<Transaction, 'run'>, question: LiabilityQuestion): Promise<Liability> {
  refuseNoTime(question);
  const { asOf, from, to } = question;
  const inUtcOnly = { ...question, asOf: plain(asOf), from: plain(from), to: plain(to) };
  const [instants] = (await selectInstants(reader, inUtcOnly, LIABILITY_AGE_SECONDS)).rows;
  assert(instants !== undefined, 'the payee was looked up before');
  refuseTooNew(instants);
  const { rows } = await selectLiability(reader, question.payeeId, instants);
  const ages = await selectAges(reader, question.payeeId, instants);
  return liabilityOf(instants, rows, ages.rows);
}

/** A day stays what it is: its beginning depends on where the payee is. */
function plain(time: string | undefined): string | undefined {
  return time === undefined || isDay(time) ? time : inUtc(time);
}
