import { inputError } from '../kit/errors.ts';
import { isDay } from '../kit/instants.ts';

/** Of a period that has no beginning or no end: no file has days outside of them. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

/**
 * A period of days.
 *
 * @throws Refusal `inputerror` for a day that is none, or an end before the beginning
 */
export function periodOf({
  from = FIRST_DAY,
  to = LAST_DAY,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}) {
  if (!isDay(from)) throw inputError('from', 'must be a day of the calendar, YYYY-MM-DD');
  if (!isDay(to)) throw inputError('to', 'must be a day of the calendar, YYYY-MM-DD');
  if (from > to) throw inputError('to', 'must not be before from');
  return { from, to };
}
