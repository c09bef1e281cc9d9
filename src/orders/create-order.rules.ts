import { Refusal } from '../kit/errors.ts';
import { addSeconds } from '../kit/instants.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { write } from '../kit/row-writes.ts';
import type { Decision, LedgerState } from '../ledger/ledger.types.ts';
import { requireNumber } from '../ledger/numbers.rules.ts';
import { eventOf as cardEventOf } from '../payments/changes/effects.rules.ts';
import { UNPAID } from '../payments/payment-state.rules.ts';
import { type CardPayment, NEW_CARD_PAYMENT, type PaymentTerms } from '../payments/payments.types.ts';
import type { CreateOrderCommand, OrderOutcome } from './order-commands.types.ts';
import { eventOf, historyOf, knownOrder } from './order-effects.rules.ts';
import { HISTORY_ENTRY, NEW_ORDER, type OrderTerms, PAYER_OF_ORDER, type PaymentOrder } from './orders.types.ts';

/** Nothing is authorized, and nothing held. */
const NOTHING_PAID = {
  captured: ZERO_MINOR,
  cancelled: ZERO_MINOR,
  reversed: ZERO_MINOR,
  reservedHold: ZERO_MINOR,
  reservedReversal: ZERO_MINOR,
  paidBy: null,
  unsettled: 0,
  failedTries: 0,
  abortReason: null,
  cancelReason: null,
  problem: null,
  integration: null,
  heldUntil: null,
  authorizedUntil: null,
} as const;

/**
 * Decides on a new order: its row, the card payment that a card pays its part by, the first entry of its history, its
 * event. One that its reference or key has made already is answered first, whatever changed since.
 *
 * @throws Refusal `noacquirer`, and `unavailable` where no number is left
 */
export function decideOrder(state: LedgerState, command: CreateOrderCommand): Decision<OrderOutcome> {
  const known = knownOrder(state, command);
  if (known !== undefined) return { answer: () => known };
  if (!command.canBePaid) throw nothingPays(command);
  const { payeeId, orderId, cardPaymentId, operation, intent, currency, payerReference, settings, sealedPayer } =
    command;
  const number = requireNumber(state.paymentNumber);
  const shared = {
    payeeId,
    number,
    operation,
    intent,
    currency,
    payerReference,
    expiresAt: addSeconds(state.now, settings.unpaidHours * 60 * 60),
    createdAt: state.now,
    updatedAt: state.now,
    version: 0,
  };
  const order: PaymentOrder = {
    ...shared,
    ...NOTHING_PAID,
    orderId,
    status: 'Initialized',
    amount: command.amount,
    vatAmount: command.vatAmount,
    cardPaymentId,
    madeIn: command.madeIn,
    instrument: command.instrument,
    terms: command.terms,
    orderItems: command.orderItems,
    contentDigest: command.contentDigest,
    eventSequence: 1,
    historyCount: 1,
  };
  const card: CardPayment = {
    ...shared,
    ...UNPAID,
    paymentId: cardPaymentId,
    state: 'Ready',
    terms: command.cardTerms,
    eventSequence: 1,
    orderId,
    payerSealed: null,
    payerSealedWith: null,
  };
  const entry = historyOf(order, { name: 'PaymentCreated', initiatedBy: 'Payee', number, amount: order.amount });
  return {
    answer: () => ({ kind: 'Done', order, payment: card }),
    effect: {
      writes: [
        write(NEW_ORDER, order),
        write(NEW_CARD_PAYMENT, card),
        write(HISTORY_ENTRY, entry),
        ...(sealedPayer === undefined ? [] : [write(PAYER_OF_ORDER, sealedPayer)]),
      ],
      ownEvents: [
        eventOf({ order, legs: [], transactions: [] }, { type: 'payment-order.created', transaction: undefined }),
        cardEventOf(card, { type: 'card-payment.created', transaction: undefined }),
      ],
      object: { objectId: orderId, details: { state: order.status, amount: order.amount } },
      ownAudit: [
        { action: 'create-card-payment', objectId: cardPaymentId, details: { state: 'Ready', amount: ZERO_MINOR } },
      ],
      action: 'create-payment-order',
    },
  };
}

/** Refused before there is a page: a payer must not type a card number that cannot be charged. */
function nothingPays({ currency }: CreateOrderCommand): Refusal {
  const description = `No acquirer is agreed for ${currency}, and no gift cards can pay. The operator adds one.`;
  return new Refusal('noacquirer', description, { problems: [{ name: 'paymentorder.currency', description }] });
}

/**
 * The terms of the card payment of an order. It has no callbacks, because its order has them; its price is what gift cards
 * leave, which each try says.
 */
export function cardTermsOf(
  { description, userAgent, language, payerReference, generate, token, urls, payeeInfo, cards, ...terms }: OrderTerms,
  { operation, amount, vatAmount }: Pick<CreateOrderCommand, 'operation' | 'amount' | 'vatAmount'>,
): PaymentTerms {
  const { callbackUrl: _, ...shown } = urls;
  return {
    prices: operation === 'Verify' ? [] : [{ type: 'CreditCard', amount, vatAmount }],
    description,
    ...(userAgent !== undefined && { userAgent }),
    language,
    ...(payerReference !== undefined && { payerReference }),
    generate,
    ...(terms.enablePaymentDetailsConsentCheckbox === true && { tokenConsent: 'Optional' as const }),
    ...(token !== undefined && { token }),
    urls: shown,
    payeeInfo,
    metadata: {},
    cards,
    ...(terms.initiatingSystemUserAgent !== undefined && {
      initiatingSystemUserAgent: terms.initiatingSystemUserAgent,
    }),
  };
}
