import type { DifferenceKind } from '../settlements.types.ts';
import type { DisputedItem, DisputeLineName } from './disputes.types.ts';

/** A line about a dispute as a file has it. */
export interface JudgedLine extends DisputeLineName {
  readonly merchantId: string;
  readonly currency: string;
}

/** What was booked of the same sale and the same case before. */
export interface Before {
  /** Undefined where the case is new. */
  readonly known: { readonly paymentId: string; readonly taken: number } | undefined;
  /** What was taken of the sale, by all cases, and not given back. */
  readonly takenOfSale: number;
  /** The booked lines of the case. */
  readonly lines: readonly DisputeLineName[];
}

/** What a line about a dispute differs in; undefined where it is booked. */
export function differenceOf(
  line: JudgedLine,
  item: DisputedItem | undefined,
  before: Before,
): DifferenceKind | undefined {
  if (item === undefined) return 'unknownToUs';
  if (before.known !== undefined && before.known.paymentId !== item.paymentId) return 'unknownToUs';
  if (line.currency !== item.currency) return 'currencyDiffers';
  if (line.merchantId !== item.merchantId) return 'merchantDiffers';
  return line.type === 'Chargeback' ? chargebackDiffers(line, item, before) : reversalDiffers(line, before);
}

/** Cumulative: the cases of a sale take no more than the sale. */
function chargebackDiffers(line: JudgedLine, item: DisputedItem, { known, takenOfSale, lines }: Before) {
  const asked = -line.gross;
  if (asked > 0 && count(lines, line) > 0 && (known?.taken ?? 0) >= asked) return 'twice';
  return item.type === 'Sale' && asked >= 0 && takenOfSale + asked <= item.amount ? undefined : 'amountDiffers';
}

/** Cumulative: what comes back for a case is no more than it took, which is nothing where there is none. */
function reversalDiffers(line: JudgedLine, { known, lines }: Before) {
  if (known === undefined || line.gross < 0) return 'amountDiffers';
  const taking: DisputeLineName = { ...line, type: 'Chargeback', gross: -line.gross };
  const [given, asked] = [count(lines, line), countAmounts(lines, taking)];
  if (given > 0 && given >= asked) return 'twice';
  return line.gross <= known.taken ? undefined : 'amountDiffers';
}

function count(lines: readonly DisputeLineName[], { type, gross, reasonCode, transactionDate }: DisputeLineName) {
  return lines.filter(
    (one) =>
      one.type === type &&
      one.gross === gross &&
      one.reasonCode === reasonCode &&
      one.transactionDate === transactionDate,
  ).length;
}

function countAmounts(lines: readonly DisputeLineName[], { type, gross }: DisputeLineName) {
  return lines.filter((one) => one.type === type && one.gross === gross).length;
}
