import { textOf } from '../../iso8583/answers.rules.ts';
import { digitsOf, netAmount } from '../../iso8583/compose.rules.ts';
import type { FieldName } from '../../iso8583/dialects/dialect.types.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import type { Totals } from '../settlements.types.ts';

/** The names of all totals, which are those of the fields that tell them. */
export const TOTALS = [
  'salesNumber',
  'salesAmount',
  'saleReversalsNumber',
  'saleReversalsAmount',
  'refundsNumber',
  'refundsAmount',
  'refundReversalsNumber',
  'refundReversalsAmount',
] as const satisfies readonly (keyof Totals & FieldName)[];

/** What the acquirer owes by these totals; below 0 where it is owed. */
export function netOf(totals: Totals): number {
  const { salesAmount, saleReversalsAmount, refundsAmount, refundReversalsAmount } = totals;
  return salesAmount - saleReversalsAmount - refundsAmount + refundReversalsAmount;
}

/** Totals as fields of a message. */
export function totalsFields(totals: Totals): Partial<Record<FieldName, string>> {
  return {
    ...Object.fromEntries(TOTALS.map((name) => [name, digitsOf(totals[name])])),
    netAmount: netAmount(netOf(totals)),
  };
}

/** The totals that an acquirer tells; undefined where it tells not all of them. */
export function totalsIn({ fields }: Message): Totals | undefined {
  const told = TOTALS.map((name) => [name, textOf(fields[name])] as const);
  if (told.some(([, text]) => !/^[0-9]{1,16}$/.test(text))) return undefined;
  const totals = Object.fromEntries(told.map(([name, text]) => [name, Number(text)])) as unknown as Totals;
  return TOTALS.every((name) => Number.isSafeInteger(totals[name])) ? totals : undefined;
}
