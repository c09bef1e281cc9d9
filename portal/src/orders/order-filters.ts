import type { QueryOf } from '../api/endpoints.types.ts';
import type { searchOrders } from '../api/operations.generated.ts';
import { type AmountFilters, withoutEmpty } from '../payments/filters.ts';

type Query = QueryOf<typeof searchOrders>;

/** What the list of orders is narrowed to. It stands in the address. */
export interface OrderFilters extends AmountFilters {
  readonly status?: NonNullable<Query['status']>;
  readonly instrument?: NonNullable<Query['instrument']>;
  readonly split?: NonNullable<Query['split']>;
  /** Code of a decline. */
  readonly problem?: string;
  readonly shop?: string;
  readonly site?: string;
  readonly terminal?: string;
  /** Days, where the payee is. */
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
}

/** The statuses that a list can be cut down to. */
export const ORDER_STATUSES = [
  'Succeeded',
  'ToCapture',
  'Paid',
  'Initialized',
  'Cancelled',
  'Reversed',
  'Declined',
  'Failed',
  'Aborted',
] as const satisfies readonly NonNullable<Query['status']>[];

/** What each filter may say; undefined: any text. */
const VALUES: Readonly<Record<keyof OrderFilters, readonly string[] | undefined>> = {
  status: ORDER_STATUSES,
  instrument: ['CreditCard', 'GiftCard'],
  split: ['yes', 'no'],
  problem: undefined,
  shop: undefined,
  site: undefined,
  terminal: undefined,
  amountFrom: undefined,
  amountTo: undefined,
  currency: undefined,
  from: undefined,
  to: undefined,
  search: undefined,
};

/** The filters of an address; what is none of them is left out. */
export function readOrderFilters(search: Record<string, unknown>): OrderFilters {
  return Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, values]) => {
      const value = search[name];
      const isText = typeof value === 'string' || typeof value === 'number';
      const isKnown = isText && (values?.includes(String(value)) ?? true);
      return isKnown ? [[name, String(value)]] : [];
    }),
  );
}

/** The filters with some changed. A search stands alone. */
export function narrowedOrders(
  filters: OrderFilters,
  change: Partial<Record<keyof OrderFilters, string | undefined>>,
): OrderFilters {
  const { search, ...changed } = withoutEmpty(readOrderFilters({ ...filters, ...change }));
  return change.search !== undefined && change.search !== '' ? { search: change.search } : changed;
}
