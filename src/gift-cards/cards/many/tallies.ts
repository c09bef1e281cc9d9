import type { Currency } from '../../../kit/money.ts';
import type { CardLine, Reconciled, Tally } from '../../bulk/import.types.ts';

/** Lines by currency. */
export function tallyOf(lines: readonly Pick<CardLine, 'product' | 'balance'>[]): readonly Tally[] {
  return addTallies(
    [],
    lines.map(({ product, balance }) => ({ currency: product.currency, cards: 1, amount: balance })),
  );
}

/** Both together, by currency. */
export function addTallies(tallies: readonly Tally[], more: readonly Tally[]): readonly Tally[] {
  const sums = new Map<Currency, Tally>();
  for (const { currency, cards, amount } of [...tallies, ...more]) {
    const sum = sums.get(currency);
    sums.set(currency, { currency, cards: (sum?.cards ?? 0) + cards, amount: (sum?.amount ?? 0) + amount });
  }
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** The file beside the ledger, currency by currency. */
export function reconcile(file: readonly Tally[], ledger: readonly Tally[]): readonly Reconciled[] {
  const currencies = [...new Set([...file, ...ledger].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const [here, there] = [file, ledger].map((tallies) => tallies.find((tally) => tally.currency === currency));
    return {
      currency,
      cards: here?.cards ?? 0,
      amount: here?.amount ?? 0,
      ledgerCards: there?.cards ?? 0,
      ledgerAmount: there?.amount ?? 0,
    };
  });
}
