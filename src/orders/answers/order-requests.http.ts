import { textOf, withPlainNumbers } from '../../http/body/json-number.ts';
import { CardRefusal } from '../../http/document/problem.ts';
import type { ApiRoute, EdgeRequest } from '../../http/route.types.ts';
import { GIFT_CARD_PAYMENTS } from '../../kit/cards/payment-order-paths.ts';
import { Refusal } from '../../kit/errors.ts';
import { findMenu } from '../find-menu.ts';
import { findHistory, type NamedOrder } from '../find-order.ts';
import type { OrderChanged } from '../order-requests.types.ts';
import type { OrderInstrument, OrderItem, OrderVersion, OrderView } from '../orders.types.ts';
import type { OrderFlows } from '../orders-context.types.ts';
import { findPayer } from '../payers/order-payers.ts';
import type { PayersContext } from '../payers/payers.types.ts';
import type { SentItem } from '../requests/order-bodies.wire.ts';
import { giftCardView } from './leg-payment.rules.ts';
import { isExpanded, type OrderLooking, orderAnswer } from './order-answer.http.ts';
import { brandsOf, offeredBy, pagePathOf } from './order-lookups.ts';
import type { OrderDetails } from './order-parts.rules.ts';
import { leadOf } from './order-state.rules.ts';

/** Bytes of a body about an order: 500 items of 500 bytes each. */
export const ORDER_BODY_BYTES = 256 * 1024;
/** Names in one `$expand` of an order: there are 16 sub-resources, and clients ask for all of them. */
export const ORDER_EXPAND_NAMES = 20;

/** What the API's document files the endpoints under. */
export const PAYMENT_ORDERS_TAG = 'Payment orders';

/** Where payments of a kind are, and what they are paid with. */
interface PaymentPlace {
  readonly root: string;
  readonly instrument: 'CreditCard' | 'GiftCard';
}

/** How payments are shown: given by the slice of card payments. */
export interface PaymentAnswers {
  readonly show: (
    view: OrderView['card'],
    request: Pick<EdgeRequest, 'caller' | 'expand'>,
    place?: PaymentPlace,
  ) => Readonly<Record<string, unknown>>;
  readonly readRoutes: (payments: {
    readonly place: PaymentPlace;
    readonly tag: string;
    readonly noun: string;
    readonly words: string;
    readonly lacks: readonly ('verifications' | 'failed' | 'aborted')[];
    readonly find: (named: {
      readonly payeeId: OrderView['order']['payeeId'];
      readonly paymentId: string;
    }) => Promise<OrderView['card']>;
    readonly exists: (named: {
      readonly payeeId: OrderView['order']['payeeId'];
      readonly paymentId: string;
    }) => Promise<boolean>;
  }) => ApiRoute[];
}

/** What the routes of this slice are made with. */
export interface OrderRoutesOptions extends OrderFlows {
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
  readonly answers: PaymentAnswers;
}

/** Where gift cards' legs are. */
export const GIFT_CARD_PLACE: PaymentPlace = { root: GIFT_CARD_PAYMENTS, instrument: 'GiftCard' };

type Asking = Pick<EdgeRequest, 'caller' | 'expand' | 'version' | 'noteVersion'>;

/** Who looks at an order: in the view that the request names, else in the one that the order was made in. */
export function lookingAt({ order, card }: OrderView, request: Asking, options: OrderRoutesOptions): OrderLooking {
  const version: OrderVersion = request.version ?? order.madeIn;
  request.noteVersion(version);
  return {
    version,
    baseUrl: options.baseUrl(),
    page: pagePathOf(options.context, order),
    scopes: request.caller.scopes,
    expand: request.expand,
    cardOffers: offeredBy(options.context, card),
    cardBrands: brandsOf(options.context, card),
  };
}

/** An order as an answer, with what is read only where it is asked for, and its menu where that is not known yet. */
export async function answerOrder(
  view: OrderView,
  request: Asking,
  options: OrderRoutesOptions,
  known?: readonly OrderInstrument[],
) {
  const looking = lookingAt(view, request, options);
  const [details, menu] = await Promise.all([
    orderDetails(view, request, options),
    known ?? findMenu(options.context, view.order),
  ]);
  return orderAnswer({ menu, ...details }, looking);
}

/** What an order's parts are shown of. */
export async function orderDetails(
  view: OrderView,
  request: Asking,
  options: OrderRoutesOptions,
): Promise<OrderDetails> {
  const wants = (name: 'history' | 'payer' | 'currentPayment') => isExpanded(name, request);
  const [history, payer] = await Promise.all([
    wants('history') ? findHistory(options.context, view.order) : [],
    wants('payer') ? findPayer(payersOf(options), view.order) : undefined,
  ]);
  return {
    view,
    history,
    payer,
    payment: wants('currentPayment') ? leadPayment(view, request, options) : undefined,
    baseUrl: options.baseUrl(),
  };
}

/** What keeping payers needs. */
export function payersOf({ context, transact }: OrderFlows): PayersContext {
  return { transact, read: context.read, keyRing: context.cardPayments.keyRing };
}

function leadPayment(view: OrderView, request: Asking, { answers }: OrderRoutesOptions) {
  const lead = leadOf(view.legs.filter(({ paymentId }) => paymentId !== null));
  if (lead === undefined) return undefined;
  // `$expand` names parts of the order.
  const asking = { caller: request.caller, expand: new Set<string>() };
  return lead.kind === 'Card'
    ? answers.show(view.card, asking)
    : answers.show(giftCardView(view, lead), asking, GIFT_CARD_PLACE);
}

/** Lines of an order with their numbers as JavaScript has them, and their texts without blanks around them. */
export function readItems(items: readonly SentItem[]): readonly OrderItem[] {
  return items.map((item) => withPlainNumbers(item) as OrderItem);
}

/** A text of a member that some clients send as a number. */
export function textIn(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : textOf(value);
}

/** Names an order, with who asks. */
export function namedBy({
  payeeId,
  params,
}: {
  readonly payeeId: NamedOrder['payeeId'];
  readonly params: { readonly orderId: string };
}): NamedOrder {
  return { payeeId, orderId: params.orderId };
}

/**
 * Answers what did not come to pass as the problem that it is: shops take any 2xx as done. A capture that is kept needs no repeat.
 *
 * @throws CardRefusal where the issuer declined; Refusal `gatewaytimeout` where its answer is not known
 */
export function refuseUndone({ transaction, isKept }: Pick<OrderChanged, 'transaction' | 'isKept'>): void {
  if (transaction?.state === 'Failed') throw new CardRefusal(transaction.problem ?? 'acquirererror');
  if (transaction?.state === 'Initialized' && !isKept) {
    throw new Refusal(
      'gatewaytimeout',
      'The issuer did not answer in time. Repeat the request with the same reference.',
    );
  }
}
