import { legOf } from '../accounts/steps.rules.ts';
import { NO_LEG } from '../engine/leg.rules.ts';
import type { Leg } from '../engine/leg.types.ts';
import { notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import type { OrderId } from '../ledger/ledger.types.ts';
import { cardPaymentView } from '../payments/find-payment.ts';
import type { CardPayment, CardPaymentKey, CardPaymentView } from '../payments/payments.types.ts';
import { ORDER_JOBS, type OrderJob, selectDueOrders, selectHistory } from './orders.store.ts';
import type {
  HistoryEntry,
  LegId,
  LegWithAmounts,
  OrderAfter,
  OrderKey,
  OrderPart,
  OrderView,
  SplitTransaction,
  StoredLeg,
  StoredOrder,
} from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { remainingAt } from './split.rules.ts';

/** What finding an order needs. */
export type FindingContext = Pick<OrdersContext, 'read' | 'findStored'>;

/** An order as a path names it. */
export interface NamedOrder {
  readonly payeeId: PayeeId;
  readonly orderId: string;
}

/**
 * An order with all that was done to it, of one moment.
 *
 * @throws Refusal `notfound` where it is unknown or another payee's
 */
export async function findOrder(
  { findStored }: Pick<FindingContext, 'findStored'>,
  named: NamedOrder,
): Promise<OrderView> {
  const key = keyOf(named);
  const found = key && (await findStored(key));
  if (found === undefined) throw notFound();
  return viewOf(found);
}

/** A payment that a page is of, its order, and whether its payee takes payments. */
interface PageView {
  readonly card: CardPaymentView;
  readonly view: OrderView | undefined;
  readonly isOpen: boolean;
}

/** The payment that a page is of, and its order, of one moment; undefined where there is none. */
export async function findPage(
  { findAtPage }: Pick<OrdersContext, 'findAtPage'>,
  key: CardPaymentKey,
): Promise<PageView | undefined> {
  const stored = await findAtPage(key);
  if (stored === undefined) return undefined;
  const { isOpen, ...found } = stored;
  if (found.orderId === null) return { card: cardPaymentView(found.card, found.now), view: undefined, isOpen };
  const view = viewOf(found);
  return { card: view.card, view, isOpen };
}

function viewOf({ legs, transactions, card: stored, now, ...order }: StoredOrder): OrderView {
  const card = cardPaymentView(stored, now);
  const ids = legs.map(({ legId }) => legId);
  const inOrder = transactions.map((transaction) => inOrderOf(ids, transaction));
  return {
    order,
    legs: legs.filter(({ state }) => state !== 'Released').map((leg) => withAmounts(leg, card)),
    lastPosition: legs.at(-1)?.position ?? 0,
    transactions: inOrder,
    card,
    remaining: remainingAt({ order, transactions: inOrder, now }),
    now,
  };
}

/** A transaction with its parts in the order of the legs: they are read in none. */
function inOrderOf(legIds: readonly LegId[], { parts, ...transaction }: SplitTransaction): SplitTransaction {
  const place = ({ legId }: OrderPart) => legIds.indexOf(legId);
  return { parts: parts.toSorted((one, other) => place(one) - place(other)), ...transaction };
}

/** An order as a change has left it that saw what a view shows; undefined where the order is to be looked for. */
export function afterChange(seen: OrderView, after: OrderAfter | undefined): OrderView | undefined {
  if (after === undefined) return undefined;
  const { order, legs, transaction } = after;
  const transactions =
    transaction === undefined
      ? seen.transactions
      : [...seen.transactions, transaction].sort((one, other) => one.number - other.number);
  const now = order.updatedAt;
  return {
    order,
    legs: legs.map((leg) => ({ ...leg, amounts: amountsOf(leg.amounts) })),
    lastPosition: Math.max(seen.lastPosition, legs.at(-1)?.position ?? 0),
    transactions,
    card: seen.card,
    remaining: remainingAt({ order, transactions, now }),
    now,
  };
}

function withAmounts({ held, ...leg }: StoredLeg, { payment }: CardPaymentView): LegWithAmounts {
  if (leg.kind === 'Card') return { amounts: amountsOf(payment), ...leg };
  return { amounts: held === null ? NO_LEG : amountsOf(legOf(held)), ...leg };
}

/** Whether `findOrder` would find it. */
export async function orderExists(
  { findStored }: Pick<FindingContext, 'findStored'>,
  named: NamedOrder,
): Promise<boolean> {
  const key = keyOf(named);
  return key !== undefined && (await findStored(key)) !== undefined;
}

/** What happened to an order that there is, oldest first. */
export function findHistory({ read }: Pick<FindingContext, 'read'>, key: OrderKey): Promise<readonly HistoryEntry[]> {
  return selectHistory(read, key);
}

/** Orders that a job looks for at once. */
export const DUE_ORDERS = 100;

export type { OrderJob };

/** How many seconds the order that waits longest for each job has waited. */
export async function measureOverdueOrders(
  read: FindingContext['read'],
): Promise<readonly (readonly [OrderJob, number])[]> {
  const oldest = async (job: OrderJob) => (await selectDueOrders(read, job, 1))[0]?.overdueSeconds ?? 0;
  return Promise.all(ORDER_JOBS.map(async (job) => [job, await oldest(job)] as const));
}

/** Orders of all payees that a job has to look after. */
export function findDueOrders({ read }: Pick<FindingContext, 'read'>, job: OrderJob): Promise<readonly OrderKey[]> {
  return selectDueOrders(read, job, DUE_ORDERS);
}

/** The amounts of a payment, and nothing else of it. */
export function amountsOf(leg: Leg | CardPayment): Leg {
  const { amount, captured, cancelled, reversed, reservedHold, reservedReversal, disputed } = leg;
  const amounts = { amount, captured, cancelled, reversed, reservedHold, reservedReversal };
  return disputed === undefined ? amounts : { ...amounts, disputed };
}

function keyOf({ payeeId, orderId }: NamedOrder): OrderKey | undefined {
  return isUuid(orderId) ? { payeeId, orderId: orderId.toLowerCase() as OrderId } : undefined;
}
