import { type Command, type CommandRuntime, command, flag, optional, payeeOption } from '../../kit/command.ts';
import { csvLine } from '../../kit/csv.ts';
import { Refusal } from '../../kit/errors.ts';
import { formatAmount, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { askLiability } from './ask-liability.ts';
import type {
  CountedCards,
  Liability,
  LiabilityFigure,
  LiabilityService,
  Outstanding,
  Turnover,
} from './liability.types.ts';

type Runtime = CommandRuntime<LiabilityService>;

const liability = command({
  name: 'liability',
  about: 'what is owed on gift cards at an instant, and what moved in a period',
  takes: {
    asOf: optional('<time>', 'the instant, or a day: its beginning (default: now)'),
    from: optional('<time>', 'begin of the period (default: the beginning of its last month)'),
    to: optional('<time>', 'end of the period, left out (default: as --as-of)'),
    payee: payeeOption('whose cards'),
    csv: flag('print a table with a line for each sum'),
  },
  json: 'print an object; amounts are in minor units',
  run: ({ withService }: Runtime, { asOf, from, to, payee }) =>
    withService(({ report, whichPayee }) =>
      report(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        return askLiability(transaction, { payeeId, asOf, from, to }).catch(byFlags);
      }),
    ),
  show: (found, { csv }) => (csv ? asCsv(found).trimEnd() : describe(found)),
});

/** That of `gift-cards …` that is about what is owed. */
export const liabilityCommands: readonly Command<Runtime>[] = [liability];

const FLAGS: Readonly<Record<string, string>> = { asOf: '--as-of', from: '--from', to: '--to' };

/** What is wrong with a time, by the name that a command has for it. */
function byFlags(error: unknown): never {
  if (!(error instanceof Refusal) || error.problems.length === 0) throw error;
  throw new Trouble(error.problems.map(({ name, description }) => `${FLAGS[name] ?? name} ${description}.`).join(' '));
}

const FIGURES: readonly LiabilityFigure[] = [
  'issued',
  'imported',
  'opening',
  'loaded',
  'refunded',
  'spent',
  'takenBack',
  'expired',
  'merged',
];

/** The cards of a figure. */
const COUNTED: Readonly<Partial<Record<LiabilityFigure, CountedCards>>> = {
  issued: 'cardsIssued',
  imported: 'cardsImported',
};

/** One sum a line, so that a program for tables can sort, filter and add. */
function asCsv({ asOf, outstanding, ages, turnover }: Liability): string {
  const lines = [csvLine(['currency', 'product', 'name', 'figure', 'month', 'cards', 'amount', 'issued'])];
  const add = (of: Outstanding | Turnover, figure: string, [month, cards, amount]: [string, number | '', number]) =>
    lines.push(
      csvLine([of.currency, of.productId, of.productName, figure, month, cards, formatAmount(amount, of.currency), '']),
    );
  for (const product of outstanding) {
    for (const { month, cards, amount } of product.expiring) add(product, 'outstanding', [month, cards, amount]);
  }
  for (const product of turnover) {
    for (const figure of FIGURES) {
      const counted = COUNTED[figure];
      add(product, figure, ['', counted === undefined ? '' : product[counted], product[figure]]);
    }
    add(product, 'replaced', ['', product.cardsReplaced, 0]);
  }
  for (const { currency, productId, expiring, cards, amount, issued } of ages) {
    const sum = formatAmount(amount, currency);
    lines.push(csvLine([currency, productId ?? '', '', 'outstandingByIssue', expiring ?? '', cards, sum, issued]));
  }
  lines.push(csvLine([`End: ${lines.length - 1} lines as of ${asOf}`, '', '', '', '', '', '', '']));
  return lines.join('');
}

function describe({ timeZone, asOf, from, to, outstanding, ages, turnover, totals }: Liability): string[] {
  const owed = outstanding.flatMap(({ productId, productName, currency, expiring }) =>
    expiring.map(({ month, cards, amount }) => [
      productId,
      productName,
      month,
      String(cards),
      formatMoney(amount, currency),
    ]),
  );
  const moved = turnover.map((product) => [
    product.productId,
    String(product.cardsIssued),
    String(product.cardsImported),
    String(product.cardsReplaced),
    product.currency,
    ...FIGURES.map((figure) => formatAmount(product[figure], product.currency)),
  ]);
  return [
    `Owed on gift cards at ${asOf} (${timeZone}): ${describeTotals(totals)}`,
    ...(owed.length === 0 ? [] : [formatTable(['product', 'name', 'expiring', 'cards', 'owed'], owed)]),
    ...(ages.length === 0
      ? []
      : ['The same by the month of issue, with accounts that are no gift card:', describeAges(ages)]),
    `Moved from ${from} to ${to}:${moved.length === 0 ? ' nothing' : ''}`,
    ...(moved.length === 0
      ? []
      : [formatTable(['product', 'new cards', 'imported cards', 'replaced cards', 'in', ...FIGURES], moved)]),
  ];
}

function describeAges(ages: Liability['ages']): string {
  return formatTable(
    ['product', 'issued', 'expiring', 'cards', 'owed'],
    ages.map(({ productId, issued, expiring, cards, amount, currency }) => [
      productId ?? '',
      issued,
      expiring ?? '',
      String(cards),
      formatMoney(amount, currency),
    ]),
  );
}

function describeTotals(totals: Liability['totals']): string {
  return totals.length === 0
    ? 'nothing'
    : totals.map(({ currency, amount }) => formatMoney(amount, currency)).join(', ');
}
