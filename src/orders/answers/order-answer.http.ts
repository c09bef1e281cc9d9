import { type Operation, operation } from '../../http/operations.ts';
import type { Scope } from '../../kit/caller.ts';
import { orderPath, PAYMENT_SESSIONS } from '../../kit/cards/payment-order-paths.ts';
import type { OrderVersion, OrderView } from '../orders.types.ts';
import { membersOf, type ShownOrder } from './order-members.rules.ts';
import { orderPart, partPath } from './order-parts.rules.ts';
import { type CardOffers, possibleWith } from './order-state.rules.ts';
import { membersIn, operationsIn, partsIn, SUB_RESOURCES } from './views.rules.ts';

/** Who looks at an order, in which view, and from where. */
export interface OrderLooking {
  readonly version: OrderVersion;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The path of the order's page. */
  readonly page: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Names in lower case. */
  readonly expand: ReadonlySet<string>;
  readonly cardOffers: CardOffers;
  readonly cardBrands: readonly string[];
}

/** An order in a view, with what can be done with it now. */
export function orderAnswer(shown: ShownOrder, looking: OrderLooking) {
  const { order } = shown.view;
  const parts = partsIn(looking.version).map(
    (name) => [name, isExpanded(name, looking) ? orderPart(name, shown) : { id: partPath(name, order) }] as const,
  );
  return {
    paymentOrder: Object.fromEntries([
      ...membersIn(looking.version, membersOf(shown, looking.cardBrands)),
      ...parts,
    ]) as never,
    operations: orderOperations(shown.view, looking),
  };
}

/** Whether a part is asked for by the name of its member, or that of its address. */
export function isExpanded(name: keyof typeof SUB_RESOURCES, { expand }: Pick<OrderLooking, 'expand'>): boolean {
  return expand.has(name.toLowerCase()) || expand.has(SUB_RESOURCES[name].path);
}

/** What a view lists of what can be done with an order now. */
export function orderOperations(view: OrderView, { version, baseUrl, page, cardOffers }: OrderLooking): Operation[] {
  const { order } = view;
  const roots = {
    order: `${baseUrl}${orderPath(order)}`,
    page: `${baseUrl}${page}`,
    session: `${baseUrl}${PAYMENT_SESSIONS}/${page.slice(page.lastIndexOf('/') + 1)}`,
  };
  const possible = new Set(possibleWith(view, cardOffers));
  if ((order.terms.urls.hostUrls ?? []).length === 0) possible.delete('view');
  return operationsIn(version, possible).map(({ method, rel, to, path, contentType }) => ({
    ...operation(method, rel, `${roots[to]}${path}`),
    contentType,
  }));
}
