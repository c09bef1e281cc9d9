import { digitsOf, netAmount } from '../../iso8583/compose.rules.ts';
import type { FieldName } from '../../iso8583/dialects/dialect.types.ts';
import type { AcquirerOperation } from '../acquirers/acquirers.types.ts';
import type { StepOutcome, Totals } from './certification.types.ts';

/** No messages. */
export const NO_TOTALS: Totals = {
  salesNumber: 0,
  salesAmount: 0,
  saleReversalsNumber: 0,
  saleReversalsAmount: 0,
  refundsNumber: 0,
  refundsAmount: 0,
  refundReversalsNumber: 0,
  refundReversalsAmount: 0,
};

/** Totals as fields of a message. */
export function totalsFields(totals: Totals): Partial<Record<FieldName, string>> {
  const { salesAmount, saleReversalsAmount, refundsAmount, refundReversalsAmount } = totals;
  return {
    ...Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, digitsOf(value)])),
    netAmount: netAmount(salesAmount - saleReversalsAmount - refundsAmount + refundReversalsAmount),
  };
}

/** What a day's totals count a message as; what holds and releases is in none. */
const COUNTED: Partial<Record<AcquirerOperation, 'sale' | 'refund'>> = {
  Purchase: 'sale',
  Capture: 'sale',
  Reversal: 'refund',
  Credit: 'refund',
};

/** Totals with a message that was carried out, or was taken back: that counts on both sides. */
export function counted(
  totals: Totals,
  { operation, amount }: { readonly operation: AcquirerOperation; readonly amount: number },
  { outcome, takenBack }: Pick<StepOutcome, 'outcome' | 'takenBack'>,
): Totals {
  const kind = COUNTED[operation];
  if (kind === undefined) return totals;
  if (takenBack === 'TakenBack') return plus(plus(totals, `${kind}s`, amount), `${kind}Reversals`, amount);
  return outcome === 'Approved' ? plus(totals, `${kind}s`, amount) : totals;
}

/** The same where a message that was counted before is taken back. */
export function countedBack(
  totals: Totals,
  { operation, amount }: { readonly operation: AcquirerOperation; readonly amount: number },
): Totals {
  const kind = COUNTED[operation];
  return kind === undefined ? totals : plus(totals, `${kind}Reversals`, amount);
}

function plus(totals: Totals, what: 'sales' | 'saleReversals' | 'refunds' | 'refundReversals', amount: number): Totals {
  const number = `${what}Number` as const;
  const sum = `${what}Amount` as const;
  return { ...totals, [number]: totals[number] + 1, [sum]: totals[sum] + amount };
}
