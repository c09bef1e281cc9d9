import type { QueryOf } from '../api/endpoints.types.ts';
import type { searchPayments } from '../api/operations.generated.ts';
import { daysOf } from '../parts/days.ts';
import { readAmount } from '../words/money.ts';

type Query = QueryOf<typeof searchPayments>;
type SearchedState = NonNullable<Query['state']>;

/** The states that a list can be cut down to, in the order of the tabs. `Succeeded`: all that an issuer has approved. */
export const SEARCHED_STATES = [
  'Succeeded',
  'ToCapture',
  'Authorized',
  'PartlyCaptured',
  'Captured',
  'PartlyReversed',
  'Reversed',
  'Cancelled',
  'Completed',
  'Declined',
  'Failed',
  'Open',
  'Aborted',
] as const satisfies readonly SearchedState[];

/** Those that are asked for most. */
const TABS: readonly string[] = ['Succeeded', 'ToCapture', 'Authorized', 'Captured', 'Reversed', 'Declined', 'Open'];

/** The states that have a tab: those, and what is chosen. */
export const tabsOf = (chosen: string | undefined) =>
  SEARCHED_STATES.filter((state) => TABS.includes(state) || state === chosen);

/** Amounts that a list is narrowed to. */
export interface AmountFilters {
  /** As people write amounts. */
  readonly amountFrom?: string;
  readonly amountTo?: string;
  /** What the amounts are in, ISO 4217. */
  readonly currency?: string;
}

/** What the list of payments is narrowed to. It stands in the address, so that a list can be sent to a colleague. */
export interface Filters extends AmountFilters {
  /** Payments that are legs of orders, too. */
  readonly legs?: 'also';
  readonly family?: NonNullable<Query['family']>;
  readonly state?: SearchedState;
  readonly kind?: NonNullable<Query['kind']>;
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

const NAMES = [
  'family',
  'state',
  'kind',
  'problem',
  'shop',
  'site',
  'terminal',
  'legs',
  'amountFrom',
  'amountTo',
  'currency',
  'from',
  'to',
  'search',
] as const;

/** The filters of an address; what is none of them is left out. */
export function readFilters(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      const isText = typeof value === 'string' || typeof value === 'number';
      return isText && isKnown(name, value) ? [[name, String(value)]] : [];
    }),
  );
}

/** A saved view may name a state that there was once. */
const isKnown = (name: keyof Filters, value: string | number): boolean =>
  name === 'legs' ? value === 'also' : name !== 'state' || SEARCHED_STATES.some((state) => state === value);

/** The filters with some changed. A search stands alone: what it finds is found by an id or a reference. */
export function narrowed(filters: Filters, change: Partial<Record<keyof Filters, string | undefined>>): Filters {
  const changed = readFilters({ ...filters, ...change });
  if (change.search !== undefined && change.search !== '') {
    return readFilters({ family: changed.family, search: changed.search });
  }
  const { search: _, ...rest } = changed;
  return withoutEmpty(rest);
}

/** The filters that say something. */
export const withoutEmpty = <Some extends object>(filters: Some): Some =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as Some;

/** The filters as the portal's API takes them: days become instants, amounts the smallest unit of their currency. */
export function queryOf<Some extends AmountFilters & { readonly from?: string; readonly to?: string }>(
  filters: Some,
  timeZone: string,
) {
  const { from, to, amountFrom: _from, amountTo: _to, ...same } = filters;
  return {
    ...same,
    ...daysOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }, timeZone),
    ...amountsOf(filters),
  };
}

const LARGEST_MINOR = 999_999_999_999;

/**
 * Amounts mean nothing without their currency: where an address has none, its page asks for it. A currency alone stands for
 * whatever amount.
 */
function amountsOf({ amountFrom, amountTo, currency }: AmountFilters): Record<string, string> {
  if (currency === undefined || (amountFrom === undefined && amountTo === undefined)) return {};
  const minorOf = (text: string | undefined, absent: number) =>
    String(Math.min(text === undefined ? absent : (readAmount(text, currency) ?? absent), LARGEST_MINOR));
  return { amountFrom: minorOf(amountFrom, 0), amountTo: minorOf(amountTo, LARGEST_MINOR) };
}
