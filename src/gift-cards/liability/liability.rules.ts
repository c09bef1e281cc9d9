import { type ProblemDetail, Refusal } from '../../kit/errors.ts';
import { isDay, isInstant } from '../../kit/instants.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import type { Currency } from '../../kit/money.ts';
import type {
  CountedCards,
  Liability,
  LiabilityFigure,
  LiabilityInstants,
  LiabilityQuestion,
  LiabilityRow,
  LiabilityRows,
  Outstanding,
  OwedByAge,
  SumRow,
  Turnover,
} from './liability.types.ts';

const TIMES = ['asOf', 'from', 'to'] as const;

/**
 * Refuses what is no time.
 *
 * @throws Refusal `inputerror`
 */
export function refuseNoTime(question: LiabilityQuestion): void {
  refuse(
    TIMES.filter((name) => !isTime(question[name])).map((name) => ({
      name,
      description: 'must be an instant of ISO 8601 with its zone, or a day, YYYY-MM-DD',
    })),
  );
}

function isTime(text: string | undefined): boolean {
  return text === undefined || isDay(text) || isInstant(text);
}

/**
 * Refuses instants that are too recent to be known: a transaction that has begun may still write something into them.
 *
 * @throws Refusal `inputerror`
 */
export function refuseTooNew(instants: LiabilityInstants): void {
  const { latest, from, to } = instants;
  // What was left out follows the others: to name the first one is enough.
  const tooNew = TIMES.find((name) => instants[name] > latest);
  refuse(tooNew ? [{ name: tooNew, description: `must be at least ${LIABILITY_AGE_SECONDS} seconds ago` }] : []);
  refuse(from > to ? [{ name: 'from', description: 'must not be after to' }] : []);
}

function refuse(problems: readonly ProblemDetail[]): void {
  if (problems.length === 0) return;
  throw new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', { problems });
}

/** Tells sums that are kept apart; undefined where they were not those that were looked for. */
export function keptRows(sums: readonly SumRow[]): LiabilityRows | undefined {
  if (!sums.some(({ figure }) => figure === 'kept')) return undefined;
  const rows: LiabilityRow[] = [];
  const ages: OwedByAge[] = [];
  for (const { figure, productId, productName, issued, month, ...sum } of sums) {
    if (figure === 'age') ages.push({ ...sum, productId, issued: issued ?? '', expiring: month });
    else if (figure !== 'kept' && productId !== null) {
      rows.push({ ...sum, figure, productId, productName: productName ?? '', month });
    }
  }
  return { rows, ages };
}

/** Puts the sums together, product by product. */
export function liabilityOf({ latest: _, ...instants }: LiabilityInstants, { rows, ages }: LiabilityRows): Liability {
  const owed = byProduct(rows.filter(({ figure }) => figure === 'outstanding')).map(outstandingOf);
  const totals = new Map<Currency, number>();
  for (const { currency, amount } of owed) totals.set(currency, (totals.get(currency) ?? 0) + amount);
  return {
    ...instants,
    outstanding: owed,
    ages,
    turnover: byProduct(rows.filter(({ figure }) => figure !== 'outstanding')).map(turnoverOf),
    totals: [...totals].map(([currency, amount]) => ({ currency, amount })),
  };
}

type Rows = readonly [LiabilityRow, ...LiabilityRow[]];

/** They come in the order of their products. */
function byProduct(rows: readonly LiabilityRow[]): Rows[] {
  const products = new Map<string, [LiabilityRow, ...LiabilityRow[]]>();
  for (const row of rows) {
    const name = `${row.currency} ${row.productId}`;
    const own = products.get(name);
    if (own === undefined) products.set(name, [row]);
    else own.push(row);
  }
  return [...products.values()];
}

function outstandingOf(rows: Rows): Outstanding {
  const { currency, productId, productName } = rows[0];
  return {
    currency,
    productId,
    productName,
    cards: rows.reduce((sum, { cards }) => sum + cards, 0),
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    expiring: rows.map(({ month, cards, amount }) => ({ month: month ?? '', cards, amount })),
  };
}

function turnoverOf(rows: Rows): Turnover {
  const { currency, productId, productName } = rows[0];
  const amountOf = (name: LiabilityFigure) => rows.find(({ figure }) => figure === name)?.amount ?? 0;
  const cardsOf = (name: CountedCards) => rows.find(({ figure }) => figure === name)?.cards ?? 0;
  return {
    currency,
    productId,
    productName,
    cardsIssued: cardsOf('cardsIssued'),
    cardsImported: cardsOf('cardsImported'),
    cardsReplaced: cardsOf('cardsReplaced'),
    issued: amountOf('issued'),
    imported: amountOf('imported'),
    opening: amountOf('opening'),
    loaded: amountOf('loaded'),
    refunded: amountOf('refunded'),
    spent: amountOf('spent'),
    takenBack: amountOf('takenBack'),
    expired: amountOf('expired'),
    merged: amountOf('merged'),
  };
}
