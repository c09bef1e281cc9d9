/** Parts of the screen of settlement. */
const TABS = ['days', 'differences', 'payouts', 'imports', 'disputes'] as const;

/** Which part is open, and of which days. It stands in the address. */
export interface SettlementFilters {
  readonly tab?: (typeof TABS)[number];
  /** Days of the acquirer in the list of days; elsewhere where the payee is. */
  readonly from?: string;
  readonly to?: string;
}

/** A year that is being typed begins with zeros. */
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What each filter may say. */
const VALUES: Readonly<Record<keyof SettlementFilters, (text: string) => boolean>> = {
  tab: (text) => TABS.some((tab) => tab === text),
  from: (text) => DAY.test(text),
  to: (text) => DAY.test(text),
};

/** The filters of an address; what is none of them is left out. */
export function readSettlementFilters(search: Record<string, unknown>): SettlementFilters {
  return Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, isKnown]) => {
      const value = search[name];
      return typeof value === 'string' && isKnown(value) ? [[name, value]] : [];
    }),
  );
}
