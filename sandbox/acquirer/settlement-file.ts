import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { behaviourOf } from './behaviour.rules.ts';
import type { Booking } from './books.ts';
import type { DayOfMerchant } from './test-acquirer.ts';
import { testBrandOf } from './test-values.ts';

/** The columns of the file, in their order. Amounts are in minor units with their sign. */
export const SETTLEMENT_COLUMNS = [
  'batchId',
  'lineId',
  'type',
  'merchantId',
  'acquirerReference',
  'retrievalReference',
  'attemptReference',
  'transactionDate',
  'valueDate',
  'cardLast4',
  'brand',
  'currency',
  'grossAmount',
  'feeAmount',
  'interchangeAmount',
  'schemeFeeAmount',
  'netAmount',
  'reasonCode',
  'caseId',
  'respondBy',
] as const;

type Line = Partial<Record<(typeof SETTLEMENT_COLUMNS)[number], string | number>>;

/** Per mille of a sale that the acquirer keeps: what interchange and scheme take, and a margin. */
const FEE_PER_MILLE = 10;
const INTERCHANGE_PER_MILLE = 3;
const SCHEME_PER_MILLE = 1;
/** Days that a payee has to answer a chargeback. */
const RESPOND_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Writes what the acquirer pays for a day that was reconciled, and plants the differences that the amounts ask for: a line
 * that is missing, one with another amount, one that is there twice, a chargeback in the file after.
 */
export class SettlementFiles {
  readonly #directory: string | undefined;
  readonly #chargebacks = new Map<string, Booking[]>();
  readonly #written = new Map<string, number>();

  constructor(directory: string | undefined) {
    this.#directory = directory;
    if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** Writes the file, again where the day is reconciled again. */
  write(day: DayOfMerchant, currencyCode: string, bookings: readonly Booking[]): void {
    if (this.#directory === undefined) return;
    const isoDay = `20${day.day.slice(0, 2)}-${day.day.slice(2, 4)}-${day.day.slice(4, 6)}`;
    const account = `${day.merchantId}-${day.currency}`;
    const batchId = `${account}-${day.day}`;
    const sold = bookings.filter(
      ({ kind, isTakenBack }) => !isTakenBack && ['Sale', 'Capture', 'Refund'].includes(kind),
    );
    const due = this.#chargebacks.get(account) ?? [];
    if (!this.#written.has(batchId)) {
      this.#chargebacks.set(
        account,
        sold.filter((booking) => plannedOf(booking) === 'Chargeback'),
      );
    }
    const about = { batchId, isoDay, currencyCode };
    const lines = [
      ...sold.flatMap((booking) => linesOf(booking, about)),
      ...due.map((one) => chargebackOf(one, about)),
    ];
    const net = lines.reduce((total, line) => total + Number(line.netAmount), 0);
    const payout: Line = {
      ...commonOf(about),
      type: 'Payout',
      merchantId: day.merchantId,
      grossAmount: 0,
      netAmount: net,
    };
    const rows = [...lines, { ...payout, feeAmount: 0 }].map((line, index) =>
      SETTLEMENT_COLUMNS.map((column) => (column === 'lineId' ? index + 1 : (line[column] ?? ''))).join(','),
    );
    this.#written.set(batchId, rows.length);
    writeFileSync(
      join(this.#directory, `${batchId}.csv`),
      `${[SETTLEMENT_COLUMNS.join(','), ...rows].join('\r\n')}\r\n`,
    );
  }
}

interface About {
  readonly batchId: string;
  readonly isoDay: string;
  readonly currencyCode: string;
}

function plannedOf({ amount, kind }: Booking): string | undefined {
  return kind === 'Refund' ? undefined : behaviourOf(amount, false)?.does;
}

function linesOf(booking: Booking, about: About): readonly Line[] {
  const planned = plannedOf(booking);
  if (planned === 'LineMissing') return [];
  const line = lineOf(booking, about, planned === 'LineDiffers' ? 1 : 0);
  return planned === 'LineTwice' ? [line, line] : [line];
}

function commonOf({ batchId, isoDay, currencyCode }: About): Line {
  const valueDate = new Date(Date.parse(isoDay) + 2 * DAY_MS).toISOString().slice(0, 10);
  return { batchId, transactionDate: isoDay, valueDate, currency: currencyCode };
}

function lineOf({ payment, amount, kind, attemptId, acquirerReference }: Booking, about: About, more: number): Line {
  const isRefund = kind === 'Refund';
  const gross = isRefund ? -amount : amount + more;
  const fee = (perMille: number) => (isRefund ? 0 : -Math.round((gross * perMille) / 1000));
  return {
    ...commonOf(about),
    type: isRefund ? 'Refund' : 'Sale',
    merchantId: payment.merchantId,
    acquirerReference,
    retrievalReference: payment.retrievalReference,
    attemptReference: attemptId,
    cardLast4: payment.maskedCard.slice(-4),
    brand: testBrandOf(payment.maskedCard) ?? '',
    grossAmount: gross,
    feeAmount: fee(FEE_PER_MILLE),
    interchangeAmount: fee(INTERCHANGE_PER_MILLE),
    schemeFeeAmount: fee(SCHEME_PER_MILLE),
    netAmount: gross + fee(FEE_PER_MILLE),
  };
}

function chargebackOf(booking: Booking, about: About): Line {
  const line = lineOf(booking, about, 0);
  return {
    ...line,
    type: 'Chargeback',
    grossAmount: -booking.amount,
    feeAmount: 0,
    interchangeAmount: 0,
    schemeFeeAmount: 0,
    netAmount: -booking.amount,
    reasonCode: line.brand === 'Mastercard' || line.brand === 'Maestro' ? '4837' : '10.4',
    caseId: `C${booking.acquirerReference.slice(1, 12)}`,
    respondBy: new Date(Date.parse(about.isoDay) + RESPOND_DAYS * DAY_MS).toISOString().slice(0, 10),
  };
}
