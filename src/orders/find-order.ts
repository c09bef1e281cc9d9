import { legOf } from '../accounts/steps.rules.ts';
import { NO_LEG } from '../engine/leg.rules.ts';
import type { Leg } from '../engine/leg.types.ts';
import { notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import { findCardPayment } from '../payments/find-payment.ts';
import type { CardPayment } from '../payments/payments.types.ts';
import { type OrderJob, selectDueOrders, selectHistory } from './orders.store.ts';
import type { HistoryEntry, LegWithAmounts, OrderId, OrderKey, OrderLeg, OrderView } from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { remainingOfOrder } from './split.rules.ts';

/** What finding an order needs. */
export type FindingContext = Pick<OrdersContext, 'read' | 'accounts' | 'findStored'>;

/** An order as a path names it. */
export interface NamedOrder {
  readonly payeeId: PayeeId;
  readonly orderId: string;
}

/** Times that an order is read again because it changed between its row and what its legs stand for. */
const READS_AGAIN = 10;

/**
 * An order with all that was done to it. Its row and the payments of its legs are read one after the other: where their sums
 * differ, it has changed in between, and is read again.
 *
 * @throws Refusal `notfound` where it is unknown or another payee's
 */
export async function findOrder(context: FindingContext, named: NamedOrder): Promise<OrderView> {
  let view = await readOrder(context, named);
  for (let again = 0; again < READS_AGAIN && !isOfOneMoment(view); again++) view = await readOrder(context, named);
  return view;
}

const SUMS = ['captured', 'cancelled', 'reversed', 'reservedHold', 'reservedReversal'] as const;

function isOfOneMoment({ order, legs }: OrderView): boolean {
  if (order.paidBy === null) return true;
  return SUMS.every((member) => legs.reduce((sum, { amounts }) => sum + amounts[member], 0) === order[member]);
}

async function readOrder(context: FindingContext, named: NamedOrder): Promise<OrderView> {
  const key = keyOf(named);
  const found = key && (await context.findStored(key));
  if (found === undefined) throw notFound();
  const { legs: stored, transactions, now, ...order } = found;
  const { payeeId, cardPaymentId: paymentId } = order;
  const shown = stored.filter(({ state }) => state !== 'Released');
  const [card, legs] = await Promise.all([
    findCardPayment(context, { payeeId, paymentId }),
    Promise.all(shown.map((leg) => (leg.kind === 'Account' ? withAmounts(context, leg) : leg))),
  ]);
  return {
    order,
    legs: legs.map((leg) => ('amounts' in leg ? leg : { ...leg, amounts: amountsOf(card.payment) })),
    transactions,
    card,
    remaining: remainingOfOrder(order),
    now,
  };
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

/** Orders that one round of a job looks after. */
const DUE_ORDERS = 100;

export type { OrderJob };

/** Orders of all payees that a job has to look after. */
export function findDueOrders({ read }: Pick<FindingContext, 'read'>, job: OrderJob): Promise<readonly OrderKey[]> {
  return selectDueOrders(read, job, DUE_ORDERS);
}

async function withAmounts({ accounts }: FindingContext, leg: OrderLeg): Promise<LegWithAmounts> {
  const { payeeId, paymentId } = leg;
  const payment = paymentId === null ? undefined : await accounts.lookUps.payment({ payeeId, paymentId });
  return { ...leg, amounts: payment === undefined ? NO_LEG : amountsOf(legOf(payment)) };
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
