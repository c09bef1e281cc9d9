import { inputError } from '../../kit/errors.ts';
import { SALES_COLUMNS, type SalesColumn } from './sales.types.ts';

/**
 * What lines are told apart by, in the order of the report.
 *
 * @param by names with commas between; undefined: by day
 * @throws Refusal `inputerror`
 */
export function columnsOf(by = 'day'): readonly SalesColumn[] {
  const named = by.split(',');
  if (named.some((name) => !SALES_COLUMNS.includes(name as SalesColumn))) {
    throw inputError('by', `takes ${SALES_COLUMNS.join(', ')}, with commas between`);
  }
  return SALES_COLUMNS.filter((column) => named.includes(column));
}
