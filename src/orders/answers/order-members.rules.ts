import { orderPath } from '../../kit/cards/payment-order-paths.ts';
import type { OrderInstrument, OrderView } from '../orders.types.ts';
import type { OrderDetails } from './order-parts.rules.ts';
import { shownState, shownStatus } from './order-state.rules.ts';
import { legShown } from './paid.rules.ts';
import type { MemberName } from './views.rules.ts';

/** An order and what of it is shown beside what a GET finds. */
export interface ShownOrder extends OrderDetails {
  /** In menu order. */
  readonly menu: readonly OrderInstrument[];
}

/**
 * All members that an order has in any view; what is undefined is absent.
 *
 * @param cardBrands whose cards it takes
 */
export function membersOf(
  { view, menu }: ShownOrder,
  cardBrands: readonly string[],
): Readonly<Record<MemberName, unknown>> {
  const { order, legs, remaining } = view;
  const { terms } = order;
  return {
    id: orderPath(order),
    number: order.number,
    created: order.createdAt,
    updated: order.updatedAt,
    operation: order.operation,
    state: shownState(view),
    status: shownStatus(view),
    currency: order.currency,
    amount: order.amount,
    vatAmount: order.vatAmount,
    remainingCaptureAmount: whenAny(remaining.capture),
    remainingCancellationAmount: whenAny(remaining.cancel),
    remainingReversalAmount: whenAny(remaining.reversal),
    description: terms.description,
    initiatingSystemUserAgent: terms.initiatingSystemUserAgent,
    userAgent: terms.userAgent,
    language: terms.language,
    instrument: order.instrument ?? undefined,
    availableInstruments: menu,
    implementation: 'PaymentsOnly',
    integration: order.integration ?? undefined,
    instrumentMode: order.instrument !== null,
    guestMode: terms.payerReference === undefined,
    items: [{ creditCard: { cardBrands } }],
    ...madeTokens(view),
    legs: legs.some(({ state }) => state !== 'Added') ? legs.map(legShown) : undefined,
  };
}

/** Clients read absence as "all done". */
function whenAny(amount: number): number | undefined {
  return amount > 0 ? amount : undefined;
}

/** The tokens that the card has become. */
function madeTokens({
  order,
  card,
}: OrderView): Record<'paymentToken' | 'recurrenceToken' | 'unscheduledToken', unknown> {
  const by = card.transactions.find(({ transactionId }) => transactionId === order.paidBy);
  const made = (wanted: string) => by?.tokens.find(({ type }) => type === wanted)?.token;
  return {
    paymentToken: made('Payment'),
    recurrenceToken: made('Recurrence'),
    unscheduledToken: made('Unscheduled'),
  };
}
