import { inputError } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type {
  BalanceTotal,
  ElsewhereNow,
  ReadLine,
  Tie,
  TrialBalance,
  TrialBalancePeriod,
} from './trial-balance.types.ts';

/**
 * Refuses a period that has not begun. One that is not over ends with what is known.
 *
 * @throws Refusal `inputerror`
 */
export function periodUntilNow({ from, to, latest, timeZone }: TrialBalancePeriod): TrialBalancePeriod {
  if (from > latest) throw inputError('from', 'must be a day that has begun');
  return { from, to: to < latest ? to : latest, latest, timeZone };
}

/** Puts the lines together, sums them, and ties them to what is counted elsewhere. */
export function trialBalanceOf(
  { timeZone, from, to }: TrialBalancePeriod,
  read: readonly ReadLine[],
  elsewhere: readonly ElsewhereNow[],
): TrialBalance {
  const lines = read
    .filter(({ opening, debit, credit }) => opening !== 0 || debit !== 0 || credit !== 0)
    .map(({ since: _, ...line }) => line);
  return { timeZone, from, to, lines, totals: totalsOf(lines), ties: tiesOf(read, elsewhere) };
}

function totalsOf(lines: TrialBalance['lines']): readonly BalanceTotal[] {
  const totals = new Map<Currency, BalanceTotal>();
  for (const { currency, opening, debit, credit, closing } of lines) {
    const sum = totals.get(currency) ?? { currency, opening: 0, debit: 0, credit: 0, closing: 0 };
    totals.set(currency, {
      currency,
      opening: sum.opening + opening,
      debit: sum.debit + debit,
      credit: sum.credit + credit,
      closing: sum.closing + closing,
    });
  }
  return [...totals.values()];
}

type Named = Pick<Tie, 'what' | 'currency' | 'agreement' | 'product'>;

const nameOf = ({ what, currency, agreement, product }: Named) => JSON.stringify([what, currency, agreement, product]);

function tiesOf(read: readonly ReadLine[], elsewhere: readonly ElsewhereNow[]): readonly Tie[] {
  const ties = new Map<string, Tie>();
  const add = (
    { what, currency, agreement, product }: Named,
    more: { closing: number; since: number; counted: number },
  ) => {
    const name = nameOf({ what, currency, agreement, product });
    const known = ties.get(name);
    const closing = (known?.closing ?? 0) + more.closing;
    const since = (known?.since ?? 0) + more.since;
    const counted = (known?.counted ?? 0) + more.counted;
    ties.set(name, {
      what,
      currency,
      agreement,
      product,
      closing,
      since,
      counted,
      difference: closing + since - counted,
    });
  };
  for (const { side, closing, since, ...line } of read) {
    if (side === 'Available' || side === 'Held') add({ what: 'CardBalances', ...line }, { closing, since, counted: 0 });
    if (side === 'Issuer') add({ what: 'OpenItems', ...line }, { closing, since, counted: 0 });
  }
  for (const { amount, ...one } of elsewhere) {
    // An acquirer owes what is open: in the ledger it stands below 0.
    add(one, { closing: 0, since: 0, counted: one.what === 'OpenItems' && amount !== 0 ? -amount : amount });
  }
  return [...ties.values()]
    .filter(({ closing, since, counted }) => closing !== 0 || since !== 0 || counted !== 0)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
