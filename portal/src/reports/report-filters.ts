/** What sales can be told apart by, in the order of the report. */
export const SALES_COLUMNS = ['day', 'shop', 'site', 'terminal', 'vatRate', 'means', 'brand'] as const;
export type SalesColumn = (typeof SALES_COLUMNS)[number];

/** Reports beside that of sales. */
const TABS = ['trialBalance', 'businessDays'] as const;

/** Which report is open, of which days, and what it is narrowed to. It stands in the address. */
export interface ReportFilters {
  readonly tab?: (typeof TABS)[number];
  /** Days, where the payee is. */
  readonly from?: string;
  readonly to?: string;
  /** Columns with commas between. */
  readonly by?: string;
  readonly shop?: string;
  readonly site?: string;
  readonly terminal?: string;
}

const DAY = /^2\d{3}-\d\d-\d\d$/;

/** What each filter may say: a text as long as the API takes it. */
const VALUES: Readonly<Record<keyof ReportFilters, (text: string) => boolean>> = {
  tab: (text) => TABS.some((tab) => tab === text),
  from: (text) => DAY.test(text),
  to: (text) => DAY.test(text),
  by: (text) => text.split(',').every((name) => SALES_COLUMNS.some((column) => column === name)),
  shop: (text) => text !== '' && text.length <= 100,
  site: (text) => text !== '' && text.length <= 40,
  terminal: (text) => text !== '' && text.length <= 16,
};

/** The filters of an address; what is none of them is left out. */
export function readReportFilters(search: Record<string, unknown>): ReportFilters {
  return Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, isKnown]) => {
      const value = search[name];
      const text = typeof value === 'number' ? String(value) : value;
      return typeof text === 'string' && isKnown(text) ? [[name, text]] : [];
    }),
  );
}
