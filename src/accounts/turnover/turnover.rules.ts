import { forbidden, type Refusal } from '../../kit/errors.ts';
import type { Effect, LedgerState, PaymentOperation } from '../../ledger/ledger.types.ts';
import {
  type CountedCard,
  type Flow,
  type LimitedCard,
  type LimitPeriod,
  type LimitScope,
  type ReachedLimit,
  type Rest,
  TURNOVERS,
  type Turnover,
  type ValueLimit,
} from './turnover.types.ts';

const PERIODS: readonly LimitPeriod[] = ['Day', 'Month'];

type NamedTurnover = Pick<Turnover, 'payeeId' | 'productId' | 'scope' | 'subject'>;

/** The id of a sum on its shelf, which its store takes apart: a payer's reference may have any character, so it comes last. */
export function turnoverId({ payeeId, productId, scope, subject }: NamedTurnover): string {
  return [payeeId, productId, scope, subject].join('/');
}

/** The ids of the sums that a card counts to; none of a payer where the sale named no payer. */
export function turnoversOf({ payeeId, accountId }: CountedCard, card: LimitedCard | undefined): readonly string[] {
  if (card === undefined) return [];
  const { productId, payerReference, scopes } = card;
  const subjects: Readonly<Record<LimitScope, string | null>> = {
    Product: '',
    Card: accountId,
    Payer: payerReference,
  };
  return scopes.flatMap((scope) => {
    const subject = subjects[scope];
    return subject === null ? [] : [turnoverId({ payeeId, productId, scope, subject })];
  });
}

/** Whose sums are limited. */
export function scopesOf(limits: readonly ValueLimit[]): readonly LimitScope[] {
  return [...new Set(limits.map(({ scope }) => scope))];
}

/** What a command's keys say of these sums. */
export function rowsOfTurnovers(ids: readonly string[]) {
  return ids.map((id) => ({ shelf: TURNOVERS, id }));
}

/** The sums that a command has named, under their locks. */
export function turnoversIn(state: Pick<LedgerState<never>, 'row'>, ids: readonly string[]): readonly Turnover[] {
  return ids.flatMap((id) => state.row(TURNOVERS, id) ?? []);
}

/** Which way a payment moves value. */
export function flowOf(operation: PaymentOperation): Flow {
  return operation === 'Deposit' || operation === 'Credit' ? 'Loaded' : 'Spent';
}

/** The first limit that so much more would pass; undefined where none would be. */
export function limitPassed(turnovers: readonly Turnover[], flow: Flow, amount: number): ReachedLimit | undefined {
  if (amount === 0) return undefined;
  for (const { productId, scope, sums, limits } of turnovers) {
    for (const period of PERIODS) {
      const limit = limits[`${flow}${period}`];
      if (limit !== undefined && sums[`${flow}${period}`] + amount > limit) {
        return { productId, flow, scope, period, amount: limit };
      }
    }
  }
  return undefined;
}

/** How much more the limits of each sum leave; infinite where it has none. */
export function restsOf(
  turnovers: readonly (NamedTurnover & Pick<Turnover, 'sums' | 'limits'>)[],
  flow: Flow,
): readonly Rest[] {
  return turnovers.map((turnover) => {
    const { sums, limits } = turnover;
    const rests = PERIODS.map(
      (period) => (limits[`${flow}${period}`] ?? Number.POSITIVE_INFINITY) - sums[`${flow}${period}`],
    );
    return { id: turnoverId(turnover), left: Math.max(0, Math.min(...rests)) };
  });
}

/** The rows of an effect that count an amount. */
export function counted(turnovers: readonly Turnover[], flow: Flow, amount: number): NonNullable<Effect['rows']> {
  if (amount === 0) return [];
  return turnovers.map((turnover) => rowOf(addedTo(turnover, flow, { Day: amount, Month: amount })));
}

/** The rows of an effect that take back what was counted at an instant, as far as its day and month are not over. */
export function uncounted(
  turnovers: readonly Turnover[],
  flow: Flow,
  { amount, countedAt }: { readonly amount: number; readonly countedAt: string },
): NonNullable<Effect['rows']> {
  return turnovers.map((turnover) => {
    const { dayBeganAt, monthBeganAt } = turnover;
    const back = {
      Day: countedAt >= dayBeganAt ? -amount : 0,
      Month: countedAt >= monthBeganAt ? -amount : 0,
    };
    return rowOf(addedTo(turnover, flow, back));
  });
}

/** A limit that is set later counts from then on: what was counted before it may be more than it takes back. */
function addedTo(turnover: Turnover, flow: Flow, amounts: Readonly<Record<LimitPeriod, number>>): Turnover {
  const sums = { ...turnover.sums };
  for (const period of PERIODS) sums[`${flow}${period}`] = Math.max(0, sums[`${flow}${period}`] + amounts[period]);
  return { ...turnover, sums };
}

function rowOf(turnover: Turnover) {
  return { shelf: TURNOVERS, id: turnoverId(turnover), row: turnover };
}

const WHOSE: Readonly<Record<LimitScope, string>> = {
  Product: 'all cards of the product together',
  Card: 'a card',
  Payer: 'a payer',
};

/** 403: the payee's limits do not let so much be loaded or spent. */
export function overLimit(operation: PaymentOperation, { flow, scope, period, amount }: ReachedLimit): Refusal {
  const done = flow === 'Loaded' ? 'loaded on' : 'spent with';
  const whose = scope === 'Payer' ? `the cards of ${WHOSE.Payer}` : WHOSE[scope];
  return forbidden(
    operation,
    `It is more than may be ${done} ${whose} in a ${period.toLowerCase()}: ${amount}, in the smallest unit of the currency.`,
  );
}
