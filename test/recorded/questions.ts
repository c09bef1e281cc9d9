import type { TSchema } from 'typebox';
import { ACCESS } from '../../src/portal-users/access.rules.ts';
import type { RouteList } from '../../src/wiring/routes.ts';
import { fillPath } from '../support/prober/routes-requests.ts';
import { objectsIn, type Source } from './objects.ts';

/** Who asks: a program of the payee, in this version of the API; a person in the portal; a payer. */
export type AskedBy = 'program' | '2.0' | '3.0' | '3.1' | 'administrator' | 'operator' | 'payer';

/** A question to the service: an address, and whose it is. */
export interface Question {
  readonly operationId: string;
  /** Of the route, in one word: answers are kept by it. */
  readonly about: string;
  readonly path: string;
  readonly as: AskedBy;
  /** Whether the next page is asked for as well, until there is none. */
  readonly walks?: true;
}

/** Routes that are not asked, and why. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  getSession: 'says when the person signed in and what the page needs for its next change',
  listAcquirers: 'says how lines to acquirers are now',
  listUnacknowledged: 'is asked of the lines of this process',
  listKeys: 'is of the key ring: see src/keys',
  listCardRanges: 'is what a scheme says of card numbers, and not of payments',
  getBooks: 'says when the books were verified last, which the service does by itself',
  getGettingStarted: 'is made of addresses of this installation',
};

interface Route {
  readonly operationId: string;
  readonly path: string;
  readonly tag: string;
  readonly shape: { readonly query: TSchema };
  readonly expandable?: readonly string[];
  readonly mostExpanded?: number;
}

/** All that is asked, in the order of the routes. */
export async function questionsOf(
  source: Source,
  { apiRoutes, portalRoutes }: Pick<RouteList, 'apiRoutes' | 'portalRoutes'>,
): Promise<Question[]> {
  const objects = objectsIn(source);
  const queries = await ownQueries(source);
  const asked: Question[] = [];
  const routes = [
    ...apiRoutes.filter(({ method }) => method === 'GET').map((route) => ({ route: route as Route, isPortal: false })),
    ...portalRoutes
      .filter(({ method }) => method === 'GET')
      .map((route) => ({ route: route as Route, isPortal: true })),
  ];
  for (const { route, isPortal } of routes) {
    if (route.operationId in NOT_ASKED) continue;
    const about = slug(route.tag);
    for (const params of await objects(route.path)) {
      const address = fillPath(route.path, params);
      for (const as of askers(route, isPortal)) {
        for (const query of queries[route.operationId] ?? queriesOf(route)) {
          const path = query === '' ? address : `${address}?${query}`;
          const walks = ['cursor', 'after'].some((name) => name in properties(route));
          asked.push({ operationId: route.operationId, about, path, as, ...(walks && { walks }) });
        }
      }
    }
  }
  return asked;
}

const slug = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const properties = ({ shape }: Route) => (shape.query as { properties?: Record<string, TSchema> }).properties ?? {};

function askers({ operationId, path }: Route, isPortal: boolean): readonly AskedBy[] {
  if (isPortal) return [ACCESS[operationId]?.roles.includes('administrator') ? 'administrator' : 'operator'];
  if (path === '/psp/paymentorders/:orderId') return ['2.0', '3.0', '3.1'];
  return [path.startsWith('/psp/paymentorders/:orderId') ? '3.1' : 'program'];
}

/** A question without a filter, and one for each value that a filter can have. */
function queriesOf(route: Route): string[] {
  const { expandable, mostExpanded = EXPANDED_AT_ONCE } = route;
  if (expandable !== undefined) return inPortions(expandable, mostExpanded).map((names) => `$expand=${names}`);
  const filters = Object.entries(properties(route)).flatMap(([name, schema]) =>
    valuesOf(schema).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return ['', ...filters];
}

/** Names that `$expand` may have where a route does not say so. */
const EXPANDED_AT_ONCE = 10;

function inPortions(names: readonly string[], most: number): (readonly string[])[] {
  return names.length <= most ? [names] : [names.slice(0, most), ...inPortions(names.slice(most), most)];
}

function valuesOf(schema: TSchema): readonly string[] {
  const { enum: values, anyOf } = schema as { enum?: readonly string[]; anyOf?: readonly { const?: string }[] };
  return values ?? anyOf?.flatMap((one) => one.const ?? []) ?? [];
}

/** Queries of routes that need one, or are asked for more than filters tell. */
async function ownQueries({ database }: Source): Promise<Readonly<Record<string, readonly string[]>>> {
  const values = async (sql: string) =>
    (await database.asAdmin(sql)).map(({ value }) => encodeURIComponent(String(value)));
  const references = await values(`
    select payment_transaction_ref as value from payment where order_id is null
    union select payment_transaction_ref from payment_transaction order by 1`);
  const [first = '', last = ''] = await values(`
    select ((min(happened_at) - interval '1 day') at time zone 'Europe/Oslo')::date as value from movement union all select (kontor_now() at time zone 'Europe/Oslo')::date`);
  const days = `from=${first}&to=${last}`;
  const currencies = (await values('select distinct currency as value from movement order by 1')).map(
    (value) => `currency=${value}`,
  );
  const products = await values('select product_id as value from gift_card_product order by 1');
  const by = ['day', 'shop', 'site', 'terminal', 'vatRate', 'means', 'brand', 'day,shop,means'];
  const inPeriod = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, [days]]));
  return {
    ...inPeriod('listPayouts', 'getTrialBalance', 'exportDifferences', 'exportSettlements', 'exportDisputes'),
    ...inPeriod('exportPayouts', 'exportTrialBalance', 'listBusinessDays', 'exportBusinessDays'),
    lookUpAccountReference: references.map((ref) => `paymentTransactionRef=${ref}&$expand=transactions,cancellations`),
    getGiftCardLiability: ['', `from=${first}`, `asOf=${last}T00:00:00.000Z`],
    getSales: by.map((column) => `${days}&by=${column}`),
    exportSales: [`${days}&by=day,shop,site,terminal,means,brand`],
    listMovements: ['limit=40', ...currencies, ...MOVED.map((kind) => `kind=${kind}`)],
    exportMovements: [''],
    listActivity: ['limit=100', 'only=people'],
    exportActivity: ['only=people'],
    previewOrderSplit: ['type=Capture&amount=1000', 'type=Reversal&amount=700'],
    previewSweep: products.map((product) => `productId=${product}&expiredBefore=${last}`),
    searchPayments: [...PAYMENT_FILTERS.map((filter) => `legs=also&${filter}`), 'limit=20', ...PAYMENT_FILTERS],
    countPayments: PAYMENT_FILTERS,
    exportPayments: ['', 'legs=also'],
    exportOrders: [''],
    getStatistics: ['', 'days=30'],
  };
}

const MOVED = ['Expire', 'Sweep', 'Merge', 'Opening', 'Settlement', 'Dispute', 'Conversion'];
const STATES = [
  ...['Open', 'Declined', 'Authorized', 'PartlyCaptured', 'Captured', 'PartlyReversed', 'Reversed', 'Cancelled'],
  ...['Completed', 'Failed', 'Aborted', 'Succeeded', 'ToCapture'],
];
const PAYMENT_FILTERS = [
  ...['family=card', 'family=account', 'currency=NOK', 'amountFrom=2000&currency=NOK', 'shop=Kiosk', 'search=Coffee'],
  ...['Authorize', 'Purchase', 'Deposit', 'Credit', 'Verify', 'Recur', 'UnscheduledPurchase'].map(
    (one) => `kind=${one}`,
  ),
  ...STATES.map((state) => `state=${state}`),
];
