import { assert } from '../kit/assert.ts';
import { Refusal } from '../kit/errors.ts';
import { sha256 } from '../kit/secret.ts';
import type { OrderId, PaymentId } from '../ledger/ledger.types.ts';
import { hasAcquirer, refuseUnagreed } from '../payments/create-payment.ts';
import { isPaidByToken } from '../payments/payment-state.rules.ts';
import { inOrder, USABLE_TOKENS } from '../payments/terms.rules.ts';
import { findTokenToUse } from '../tokens/get-token.ts';
import { menuWith } from './answers/order-state.rules.ts';
import { CREATE_ORDER } from './command-kinds.ts';
import { cardTermsOf } from './create-order.rules.ts';
import { findOrder } from './find-order.ts';
import type { CreateOrderCommand } from './order-commands.types.ts';
import type { CreateOrderRequest } from './order-requests.types.ts';
import type { OrderInstrument, OrderView, PayeeOffer } from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { sealPayer } from './payers/order-payers.ts';
import { payeeOffer } from './settings/order-settings.ts';
import { remainingOfOrder } from './split.rules.ts';

/** An order that was made now, or before by a request with the same reference. */
export interface CreatedOrder extends OrderView {
  readonly isReplay: boolean;
  /** What its page offers; undefined where that was not looked up. */
  readonly menu?: readonly OrderInstrument[];
}

/**
 * Makes an order. A request whose reference or key is known gets what that has made.
 *
 * @throws Refusal `notfound`, `paymenttokeninactive` for a token that cannot be used
 * @throws Refusal `noacquirer` where neither a card nor a gift card could pay it
 * @throws Refusal `referencereused`, and as `Submit`
 */
export async function makeOrder(context: OrdersContext, request: CreateOrderRequest): Promise<CreatedOrder> {
  const { payeeId } = request;
  const offer = await payeeOffer(context, request);
  const menu = menuWith(request, offer);
  const command = await commandOf(context, { request, menu, offer });
  const outcome = await context.submit(CREATE_ORDER, command);
  if (outcome.kind === 'Known') {
    const view = await findOrder(context, { payeeId, orderId: outcome.orderId });
    if (!view.order.contentDigest.equals(command.contentDigest)) {
      throw new Refusal('referencereused', 'The reference is known with other content.');
    }
    return { ...view, isReplay: !outcome.isOwn };
  }
  assert(outcome.kind === 'Done', 'an order is made or known');
  const { order, payment } = outcome;
  const now = order.createdAt;
  const card = { payment, transactions: [], now };
  const nothing = { legs: [], lastPosition: 0, transactions: [] };
  return { order, card, ...nothing, remaining: remainingOfOrder(order), now, isReplay: false, menu };
}

/** A request, and what can pay what it asks for. */
interface Asked {
  readonly request: CreateOrderRequest;
  readonly menu: readonly OrderInstrument[];
  readonly offer: PayeeOffer;
}

async function commandOf(context: OrdersContext, { request, menu, offer }: Asked): Promise<CreateOrderCommand> {
  const { cardPayments, newId } = context;
  const { payeeId, actor, idempotencyKey, operation, intent, currency, amount, vatAmount, terms, payer } = request;
  refuseUnagreed(cardPayments, { payeeId, operation, intent, currency, terms });
  const { token } = terms;
  const stored =
    token === undefined
      ? undefined
      : await findTokenToUse(cardPayments.tokens, payeeId, {
          tokenId: token,
          tokenTypes: USABLE_TOKENS[operation],
          payerReference: terms.payerReference,
        });
  const brand = stored?.cardBrand ?? undefined;
  const takesCards = isPaidByToken(request) || menu.includes('CreditCard');
  const takesGiftCards = menu.includes('GiftCard') && offer.settings.giftCardsOnPage !== false;
  const canBePaid =
    (takesCards && hasAcquirer(cardPayments, { payeeId, operation, intent, currency }, brand)) ||
    (takesGiftCards && offer.hasGiftCards);
  const orderId = newId() as OrderId;
  const madeUp = terms.generate.length > 0 ? newId() : null;
  const { payeeReference } = terms.payeeInfo;
  return {
    payeeId,
    commandId: newId(),
    actor,
    orderId,
    cardPaymentId: newId() as PaymentId,
    operation,
    intent,
    currency,
    amount,
    vatAmount,
    madeIn: request.madeIn,
    instrument: request.instrument,
    payerReference: terms.payerReference ?? stored?.payerReference ?? madeUp,
    terms,
    orderItems: request.orderItems,
    contentDigest: digestOf(request),
    cardTerms: cardTermsOf(terms, { operation, amount, vatAmount }),
    settings: offer.settings,
    canBePaid,
    payeeReference: payeeReference && `order:${payeeReference}`,
    idempotencyKey: idempotencyKey && `create:${idempotencyKey}`,
    sealedPayer: payer && sealPayer(cardPayments.keyRing, { payeeId, orderId, payer }),
  };
}

/** Where a request came from is no part of its content. */
function digestOf({ terms, ...request }: CreateOrderRequest): Buffer {
  const { userAgent: _, initiatingSystemUserAgent: __, ...content } = terms;
  const { operation, intent, currency, amount, vatAmount, instrument, orderItems } = request;
  const whole = { operation, intent, currency, amount, vatAmount, instrument, orderItems, terms: content };
  return sha256(inOrder(whole));
}
