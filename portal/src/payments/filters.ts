import { daysOf } from '../parts/days.ts';

/** What the list of payments is narrowed to. It stands in the address, so that a list can be sent to somebody. */
export interface Filters {
  readonly family?: 'card' | 'account';
  readonly state?: string;
  readonly kind?: string;
  /** As people write amounts. */
  readonly amountFrom?: string;
  readonly amountTo?: string;
  /** Days, in the reader's zone. */
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
}

const NAMES = ['family', 'state', 'kind', 'amountFrom', 'amountTo', 'from', 'to', 'search'] as const;

/** The filters of an address; what is none of them is left out. */
export function readFilters(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );
}

/**
 * The filters with some changed. At most one of state, kind and amount is asked for at a time, and a search stands
 * alone: the service keeps lists fast by that.
 */
export function narrowed(filters: Filters, change: Partial<Record<keyof Filters, string | undefined>>): Filters {
  const changed = readFilters({ ...filters, ...change });
  const keys = Object.keys(change) as (keyof Filters)[];
  if (keys.includes('search') && change.search !== undefined && change.search !== '') {
    return readFilters({ family: changed.family, search: changed.search });
  }
  const { search: _, ...rest } = changed;
  const groups: readonly (readonly (keyof Filters)[])[] = [['state'], ['kind'], ['amountFrom', 'amountTo']];
  const kept = groups.find((group) => group.some((name) => keys.includes(name) && change[name] !== undefined));
  if (kept === undefined) return withoutEmpty(rest);
  const dropped = groups.filter((group) => group !== kept).flat();
  return withoutEmpty(
    Object.fromEntries(Object.entries(rest).filter(([name]) => !dropped.includes(name as keyof Filters))),
  );
}

const withoutEmpty = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

/** The filters as the portal's API takes them: days become instants, amounts the smallest unit of two decimals. */
export function queryOf(filters: Filters): Record<string, string | undefined> {
  const { from, to, amountFrom, amountTo, ...same } = filters;
  return {
    ...same,
    ...daysOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }),
    ...amountsOf(amountFrom, amountTo),
  };
}

const LARGEST_MINOR = 999_999_999_999;

function amountsOf(from: string | undefined, to: string | undefined): Record<string, string> {
  if (from === undefined && to === undefined) return {};
  return { amountFrom: String(minorOf(from) ?? 0), amountTo: String(minorOf(to) ?? LARGEST_MINOR) };
}

function minorOf(text: string | undefined): number | undefined {
  const amount = Number(text?.replace(',', '.').replaceAll(/\s/g, ''));
  return text === undefined || Number.isNaN(amount) ? undefined : Math.round(amount * 100);
}
