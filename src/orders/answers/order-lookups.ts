import { isUuid, type PayeeId } from '../../kit/ids.ts';
import type { PaymentId } from '../../ledger/ledger.types.ts';
import { namePayee } from '../../merchants/payees/which-payee.ts';
import { findCardPayment } from '../../payments/find-payment.ts';
import { openPageLink, pageLink } from '../../payments/page/page-link.ts';
import type { CardPaymentView } from '../../payments/payments.types.ts';
import { brandsOffered, isOffered } from '../../payments/show-payment.ts';
import { findOrder } from '../find-order.ts';
import type { OrderView } from '../orders.types.ts';
import type { OrdersContext } from '../orders-context.types.ts';
import { giftCardView } from './leg-payment.rules.ts';
import type { CardOffers } from './order-state.rules.ts';

/** The path of the page of an order: the one of its card payment. */
export function pagePathOf({ cardPayments }: OrdersContext, { payeeId, cardPaymentId }: OrderView['order']): string {
  return pageLink(cardPayments.keyRing, { payeeId, paymentId: cardPaymentId });
}

/** What the acquirer of an order's card can be asked for. */
export function offeredBy({ cardPayments: { issuers } }: OrdersContext, card: CardPaymentView): CardOffers {
  return (step) => isOffered(card, issuers, step);
}

/** Brands whose cards an order takes. */
export function brandsOf(
  { cardPayments: { issuers } }: OrdersContext,
  { payment }: CardPaymentView,
): readonly string[] {
  return brandsOffered(payment, issuers);
}

/** What a payee is called. */
export function payeeName({ read }: OrdersContext, payeeId: PayeeId): Promise<string> {
  return namePayee({ run: read }, payeeId);
}

/** The order whose page has this address; undefined where it is none, or another payee's. */
export async function findBySession(
  context: OrdersContext,
  { payeeId, session }: { readonly payeeId: PayeeId; readonly session: string },
): Promise<OrderView | undefined> {
  const key = openPageLink(context.cardPayments.keyRing, { payeeId, secret: session });
  if (key === undefined) return undefined;
  const { payment } = await findCardPayment(context, key);
  return payment.orderId === null ? undefined : findOrder(context, { payeeId, orderId: payment.orderId });
}

/** The leg that a gift card pays, by its payment; undefined where that is none of an order. */
export async function findGiftCardPayment(
  context: OrdersContext,
  { payeeId, paymentId }: { readonly payeeId: PayeeId; readonly paymentId: string },
): Promise<CardPaymentView | undefined> {
  if (!isUuid(paymentId)) return undefined;
  const payment = await context.accounts.lookUps.payment({ payeeId, paymentId: paymentId.toLowerCase() as PaymentId });
  if (payment === undefined || payment.orderId === null) return undefined;
  const view = await findOrder(context, { payeeId, orderId: payment.orderId });
  const leg = view.legs.find((one) => one.kind === 'Account' && one.paymentId === payment.paymentId);
  return leg && giftCardView(view, leg);
}
