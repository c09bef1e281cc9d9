import type { QueryOf } from '../api/endpoints.types.ts';
import type { listMovements } from '../api/operations.generated.ts';

type Query = QueryOf<typeof listMovements>;

/** What people ask a day for: each number of the first screen leads to the movements that it is the sum of. */
export const FIGURES = ['volume', 'spent', 'sold', 'sales'] as const satisfies readonly NonNullable<Query['figure']>[];

/** What the list of movements is narrowed to, and which part of the books is open. It stands in the address. */
export interface MovementFilters {
  readonly tab?: 'movements' | 'accounts';
  readonly figure?: (typeof FIGURES)[number];
  readonly currency?: string;
  /** Days, where the payee is. */
  readonly from?: string;
  readonly to?: string;
}

/** What each filter may say. */
const VALUES: Readonly<Record<keyof MovementFilters, readonly string[] | RegExp>> = {
  tab: ['movements', 'accounts'],
  figure: FIGURES,
  currency: /^[A-Z]{3}$/,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
};

/** The filters of an address; what is none of them is left out. */
export function readMovementFilters(search: Record<string, unknown>): MovementFilters {
  return Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, values]) => {
      const value = search[name];
      const isKnown =
        typeof value === 'string' && (values instanceof RegExp ? values.test(value) : values.includes(value));
      return isKnown ? [[name, value]] : [];
    }),
  );
}
