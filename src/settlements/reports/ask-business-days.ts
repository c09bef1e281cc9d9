import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inputError } from '../../kit/errors.ts';
import { findTimeZone } from '../../merchants/payees/time-zone.ts';
import { businessDayTotals } from './business-days.rules.ts';
import { selectBusinessDays } from './business-days.store.ts';
import type { BusinessDays } from './business-days.types.ts';
import type { SalesAsked } from './sales.types.ts';

/** Lines of one report: two days of ten agreements on each day of two years. */
const LINES = 20_000;

/**
 * What is of a period by the business days of acquirers, and what by the days of the payee: why the sums of both differ at the end of a month
 * or year.
 *
 * @throws Refusal `inputerror` where there are too many lines: none is left out silently
 */
export async function askBusinessDays(
  read: Read,
  asked: Pick<SalesAsked, 'payeeId' | 'from' | 'to'>,
): Promise<BusinessDays> {
  const timeZone = await findTimeZone(read, asked.payeeId);
  assert(timeZone !== undefined, 'the payee was looked up before');
  const lines = await selectBusinessDays(read, asked, { timeZone, most: LINES + 1 });
  if (lines.length > LINES) throw inputError('to', `comes to more than ${LINES} lines: ask for fewer days`);
  return { timeZone, from: asked.from, to: asked.to, lines, totals: businessDayTotals(lines) };
}
