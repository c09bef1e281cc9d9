import type { WaitingAct } from '../kit/given.ts';
import { type Currency, formatMoney } from '../kit/money.ts';
import { formatTable } from '../kit/table.ts';
import { netOf } from './days/totals.rules.ts';
import { describeFault } from './files/describe-fault.rules.ts';
import type { FileFault, ImportedFile } from './files/files.types.ts';
import type { Difference, Payout, ShownSettlement, Totals } from './settlements.types.ts';

/** A closed day with all that is known of it. */
export interface WholeSettlement extends ShownSettlement {
  readonly payouts: readonly Payout[];
  readonly differences: readonly Difference[];
}

/** A closed day, for a terminal. */
export function describeSettlement(one: WholeSettlement): string[] {
  const { day, agreement, state, currency, net, acquirerTotals, settledNumber, settledAmount, openTakeBacks } = one;
  const paid = one.payouts.map((payout) => [
    payout.valueDate ?? '',
    payout.batch,
    payout.merchantId,
    formatMoney(payout.gross, payout.currency),
    formatMoney(payout.fee, payout.currency),
    formatMoney(payout.amount, payout.currency),
  ]);
  return [
    `${day}, ${agreement}: ${state}. ${formatMoney(net, currency)} is owed for it.`,
    formatTable(['', 'number', 'amount'], totalsLines(one, currency)),
    ...(acquirerTotals === null
      ? []
      : [
          `The acquirer counts ${formatMoney(netOf(acquirerTotals), currency)}:`,
          formatTable(['', 'number', 'amount'], totalsLines(acquirerTotals, currency)),
        ]),
    `Settled: ${settledNumber}, ${formatMoney(settledAmount, currency)}.`,
    ...(paid.length === 0
      ? []
      : [formatTable(['paid on', 'batch', 'merchant number', 'before fees', 'fees', 'paid'], paid)]),
    ...(openTakeBacks === 0 ? [] : [`Not yet acknowledged by the acquirer: ${openTakeBacks} take-backs and advices.`]),
    ...(one.differences.length === 0 ? [] : [describeDifferences(one.differences)]),
  ];
}

function totalsLines(totals: Totals, currency: ShownSettlement['currency']): string[][] {
  const line = (name: string, number: number, amount: number) => [name, String(number), formatMoney(amount, currency)];
  return [
    line('sales', totals.salesNumber, totals.salesAmount),
    line('sales taken back', totals.saleReversalsNumber, totals.saleReversalsAmount),
    line('refunds', totals.refundsNumber, totals.refundsAmount),
    line('refunds taken back', totals.refundReversalsNumber, totals.refundReversalsAmount),
  ];
}

/** Differences as a table. */
export function describeDifferences(differences: readonly Difference[]): string {
  const money = (minor: number | null, currency: Difference['currency']) =>
    minor === null ? '' : formatMoney(minor, currency);
  return formatTable(
    ['difference', 'kind', 'state', 'day', 'ours', "the acquirer's", 'payment', 'line', 'reason'],
    differences.map((one) => [
      one.differenceId,
      one.kind,
      one.state,
      one.day ?? '',
      money(one.ours, one.currency),
      money(one.theirs, one.theirCurrency ?? one.currency),
      one.paymentId ?? '',
      one.batch === null ? '' : `${one.lineId} of ${one.batch}`,
      [one.outcome ?? '', one.reason ?? ''].filter((text) => text !== '').join(': '),
    ]),
  );
}

/** What a person has asked for and another one must agree to. */
export function describeWaiting({ amount, currency, expiresAt }: WaitingAct): string {
  const much = formatMoney(amount, currency as Currency);
  return (
    `Nothing was done yet: ${much} needs a second person. Until ${expiresAt} a user of the portal can agree to it, under ` +
    'Approvals.'
  );
}

/** What the command can do about it. */
const OPTIONS: Readonly<Partial<Record<FileFault['code'], string>>> = {
  wasWithdrawn: ', or say --again',
};

/** What became of a file. */
export function describeImport(imported: ImportedFile): string[] {
  const { isKnown, lines, batches, known, matched, differences, disputes, refused } = imported;
  if (isKnown) return ['This file was imported before. Nothing has changed.'];
  return [
    `${lines} lines in ${batches} batches: ${matched} matched, ${differences} differ, ${disputes} about disputes.`,
    ...(known === 0 ? [] : [`${known} batches were there before.`]),
    ...refused.map(
      ({ batch, merchantId, reason }) =>
        `Refused: batch ${batch}${merchantId === '' ? '' : ` of merchant number ${merchantId}`}, because ${describeFault(reason)}${OPTIONS[reason.code] ?? ''}.`,
    ),
  ];
}
