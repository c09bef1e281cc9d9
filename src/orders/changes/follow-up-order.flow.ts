import { waitsForCapture, waitsForTakeBack } from '../../engine/ask-issuer.flow.ts';
import { assert } from '../../kit/assert.ts';
import { forbidden, inputError, notFound, Refusal } from '../../kit/errors.ts';
import { type AmountMinor, amountMinor, ZERO_MINOR } from '../../kit/money.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import { changePayment } from '../../payments/changes/change-payment.flow.ts';
import { ENDS_DECLINED, unlessForbidden } from '../../payments/changes/end-authorization.flow.ts';
import { prepareFollowUp } from '../../payments/changes/follow-up.flow.ts';
import type { CardRelease, Outcome } from '../../payments/payment-commands.types.ts';
import { approvedOf, isKept } from '../../payments/payment-state.rules.ts';
import { inOrder } from '../../payments/terms.rules.ts';
import { FOLLOW_UP_GIFT_CARDS, FOLLOW_UP_ORDER } from '../change-kinds.ts';
import { findMenu } from '../find-menu.ts';
import { afterChange, findOrder } from '../find-order.ts';
import type { ChangeOrderCommand, FollowUpOrderCommand, FollowUpOutcome } from '../order-commands.types.ts';
import type { OrderChanged, OrderFollowUpRequest } from '../order-requests.types.ts';
import type { OrderView, SplitTransaction } from '../orders.types.ts';
import type { OrderFlows, OrdersContext } from '../orders-context.types.ts';
import { isDeclinedEnd, partsOf, type Share, type Unsplittable } from '../split.rules.ts';
import { changeOrder } from '../submit-change.ts';
import { mayFollow } from './may-follow.rules.ts';

/**
 * Captures, cancels or reverses over the legs of an order. A decline is an outcome, and no refusal: the transaction is
 * `Failed` then; and `Initialized` where the outcome is not known yet.
 *
 * @throws Refusal `notfound`; `inputerror` where the parts that it names are none of the amount
 * @throws Refusal `forbidden` where less is left than it asks for, or an outcome is unknown
 * @throws Refusal `referencereused`, `conflict`, and as `Submit`
 */
export async function followUpOrder({ context }: OrderFlows, request: OrderFollowUpRequest): Promise<OrderChanged> {
  const known = await submit(context, request);
  const view = known.after ?? (await findOrder(context, request));
  const transaction = view.transactions.find(({ transactionId }) => transactionId === known.transactionId);
  if (transaction === undefined || (known.isReplay && !isSame(request, transaction))) {
    throw new Refusal('referencereused', 'The reference is known with other content.');
  }
  const onCard = view.card.transactions.find(({ transactionId }) => transactionId === transaction.transactionId);
  return {
    view,
    transaction,
    isReplay: known.isReplay,
    menu: known.menu,
    isKept: onCard !== undefined && isKept(onCard),
  };
}

interface Submitted extends Pick<OrderChanged, 'isReplay' | 'menu'> {
  readonly transactionId: string | null;
  /** The order as it is then, where that is known. */
  readonly after?: OrderView | undefined;
}

/** What came of the order. */
type Followed = Exclude<FollowUpOutcome, { readonly kind: 'Stale' }>;

async function submit(context: OrdersContext, request: OrderFollowUpRequest): Promise<Submitted> {
  const { amount, vatAmount = 0 } = request;
  if (amount !== undefined && vatAmount > amount) {
    throw inputError('transaction.vatAmount', 'must not be above the amount');
  }
  const transactionId = context.newId() as TransactionId;
  const view = await findOrder(context, request);
  const isOnCard = hasCard(view);
  // What its card is asked is made ready with the parts, which are known once the order is.
  let asking: Awaited<ReturnType<typeof prepareFollowUp>> | undefined;
  const submitted = () =>
    changeOrder<FollowUpOrderCommand, FollowUpOutcome>(context, isOnCard ? FOLLOW_UP_ORDER : FOLLOW_UP_GIFT_CARDS, {
      changing: request,
      seen: view,
      make: async (base, now) => {
        if (hasCard(now) !== isOnCard)
          throw new Refusal('conflict', 'The order is being paid.', { retryAfterSeconds: 1 });
        const { command, card } = await commandOf(context, request, { base, transactionId, view: now });
        asking = card ?? asking;
        return command;
      },
    });
  if (!isOnCard) {
    // In the turn in which the change asks for the payee's settings: both are one look-up.
    const [{ changed, before }, menu] = await Promise.all([submitted(), findMenu(context, view.order)]);
    const after = changed.kind === 'Done' ? afterChange(before, changed.after) : undefined;
    return { after, menu, ...known(changed, transactionId) };
  }
  let outcome: Followed | undefined;
  await changePayment(context.cardPayments, {
    command: {
      payeeId: request.payeeId,
      actor: request.actor,
      paymentId: view.order.cardPaymentId,
      transactionId,
    },
    payment: view.card.payment,
    tokens: [],
    submit: async () => {
      const { changed, before } = await submitted();
      outcome = changed;
      const isNewToUs =
        changed.kind === 'Known' &&
        before.transactions.every(({ transactionId: seen }) => seen !== changed.transactionId);
      // The same request, sent twice at the same moment: what the other one asks for was not there when this one looked.
      return cardOutcome(changed, isNewToUs ? await findOrder(context, request) : before);
    },
    askingOf: (asked) => {
      assert(asking !== undefined, 'a card part is made ready before it is asked for');
      return asking.askingOf(asked);
    },
  });
  return known(outcome, transactionId);
}

function hasCard({ legs }: OrderView): boolean {
  return legs.some(({ kind }) => kind === 'Card');
}

function known(outcome: Followed | undefined, transactionId: string): Submitted {
  if (outcome?.kind !== 'Known') return { transactionId, isReplay: false };
  return { transactionId: outcome.transactionId, isReplay: !outcome.isOwn };
}

/** What the flow of card payments, which asks the acquirer, makes of it. */
function cardOutcome(outcome: Followed, view: OrderView): Outcome {
  if (outcome.kind === 'Call') return outcome.card;
  const { payment, transactions } = view.card;
  if (outcome.kind !== 'Known') return { kind: 'Done', payment, transaction: undefined };
  const transaction = transactions.find((one) => one.transactionId === outcome.transactionId);
  if (transaction === undefined) return { kind: 'Done', payment, transaction: undefined };
  const { transactionId, paymentId } = transaction;
  return { kind: 'Known', paymentId, transactionId, isOwn: outcome.isOwn };
}

interface Making {
  readonly base: ChangeOrderCommand;
  readonly transactionId: TransactionId;
  readonly view: OrderView;
}

async function commandOf(context: OrdersContext, request: OrderFollowUpRequest, { base, transactionId, view }: Making) {
  const { type, payeeId, vatAmount, payeeReference, idempotencyKey, description, receiptReference, orderItems } =
    request;
  const split = splitOf(request, view, base);
  const shares = split instanceof Refusal ? [] : split;
  const onCard = shares.find(({ legId }) => view.legs.some((leg) => leg.legId === legId && leg.kind === 'Card'));
  const part = onCard && { view, transactionId, amount: onCard.amount };
  const card = part && (await askCard(context, request, part));
  const command: FollowUpOrderCommand = {
    transactionId,
    type,
    shares,
    // A repeat of what has taken all is answered with that.
    refusal: split instanceof Refusal ? split : undefined,
    vatAmount: vatAmount === undefined ? ZERO_MINOR : amountMinor(vatAmount),
    description: description ?? null,
    reference: payeeReference ?? null,
    receiptReference: receiptReference ?? null,
    orderItems: orderItems ?? null,
    card: card?.command,
    released: part && card === undefined ? releaseOf(request, part) : undefined,
    payeeReference: payeeReference && `${type}:${payeeReference}`,
    // Without a reference of its own it could be carried out twice where it is not known whether it was.
    idempotencyKey: followUpKey({ type, idempotencyKey, payeeReference, payeeId }, transactionId),
    ...base,
  };
  return { command, card };
}

function followUpKey(
  {
    type,
    idempotencyKey,
    payeeReference,
  }: Pick<OrderFollowUpRequest, 'type' | 'idempotencyKey' | 'payeeReference' | 'payeeId'>,
  transactionId: TransactionId,
): string | undefined {
  if (idempotencyKey !== undefined) return `${type.toLowerCase()}:${idempotencyKey}`;
  return payeeReference === undefined ? `own:${transactionId}` : undefined;
}

interface CardPart {
  readonly view: OrderView;
  readonly transactionId: TransactionId;
  readonly amount: AmountMinor;
}

/** Whether an acquirer has been asked for the end of an authorization often enough. */
function hasDeclined({ transactions }: OrderView, { initiatedBy }: OrderFollowUpRequest): boolean {
  if (initiatedBy !== 'PaymentGateway') return false;
  return transactions.filter(isDeclinedEnd).length >= ENDS_DECLINED;
}

/**
 * The question to the acquirer about the part of the card, under the transaction's own id. Undefined for a cancellation that it
 * cannot be asked for, because it takes none, its agreement has ended, or it has declined for a day: gift cards do not wait for
 * that.
 */
async function askCard(context: OrdersContext, request: OrderFollowUpRequest, part: CardPart) {
  if (request.type !== 'Cancellation') return prepareCard(context, request, part);
  if (hasDeclined(part.view, request)) return undefined;
  return unlessForbidden(() => prepareCard(context, request, part));
}

/** A cancellation of the card's part that its acquirer is not asked for. */
function releaseOf({ description }: OrderFollowUpRequest, { view: { card }, transactionId }: CardPart): CardRelease {
  const issuerId = approvedOf(card)?.issuerId;
  assert(issuerId != null, 'an issuer has approved what is paid');
  return { transactionId, issuerId, description: description ?? null };
}

async function prepareCard(
  context: OrdersContext,
  request: OrderFollowUpRequest,
  { view, transactionId, amount }: CardPart,
) {
  const { payeeId, actor, type, description } = request;
  const { cardPaymentId: paymentId, orderId } = view.order;
  const prepared = await prepareFollowUp(
    context.cardPayments,
    {
      payeeId,
      actor,
      paymentId,
      type,
      amount: type === 'Cancellation' ? undefined : amount,
      vatAmount: undefined,
      description,
      payeeReference: undefined,
      idempotencyKey: undefined,
    },
    view.card,
  );
  return { ...prepared, command: { ...prepared.command, transactionId, orderId } };
}

/** The parts; or why it cannot be split so. */
function splitOf(
  request: OrderFollowUpRequest,
  view: OrderView,
  base: Pick<ChangeOrderCommand, 'ended' | 'settings'>,
): readonly Share[] | Refusal {
  try {
    return sharesOf(request, view, base);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** @throws Refusal `forbidden`, `inputerror`, `notfound` where it cannot be split so; `conflict` where it waits for what is open */
function sharesOf(
  request: OrderFollowUpRequest,
  view: OrderView,
  { ended, settings }: Pick<ChangeOrderCommand, 'ended' | 'settings'>,
): readonly Share[] {
  const { type, amount, legs } = request;
  if (view.order.paidBy === null) throw forbidden(type, 'The order is not paid.');
  if (!mayFollow(view, type)) throw refusalWhileOpen(view, type);
  const isDisputed = view.legs.some(({ amounts }) => (amounts.disputed ?? 0) > 0);
  if (type === 'Reversal' && isDisputed && legs === undefined) {
    throw forbidden(type, 'The card part is disputed: name the legs that take the money back.');
  }
  const order = type === 'Reversal' ? settings.reversalOrder : settings.captureOrder;
  const shares = partsOf(view.legs, { type, amount, legs, order });
  if (typeof shares === 'string') throw unsplittable(shares, type);
  if (type === 'Reversal' && shares.some(({ legId }) => ended.includes(legId))) {
    throw forbidden(type, 'A gift card of it has ended: name the legs that take the money back.');
  }
  return shares;
}

/** Why a step is not taken while an outcome is open: what ends by itself is waited for, as that of a card payment is. */
function refusalWhileOpen({ card: { transactions } }: OrderView, type: OrderFollowUpRequest['type']): Refusal {
  if (transactions.some(({ takingBack }) => takingBack)) return waitsForTakeBack();
  return transactions.some(isKept) ? waitsForCapture() : forbidden(type, 'An outcome is unknown.');
}

function unsplittable(why: Unsplittable, type: OrderFollowUpRequest['type']): Refusal {
  if (why === 'UnknownLeg') return notFound();
  if (why === 'UnlikeSum') return inputError('transaction.legs', 'must sum to the amount');
  const what = type.toLowerCase();
  return forbidden(
    type,
    why === 'NothingLeft' ? `Nothing is left for a ${what}.` : `Less is left for a ${what} than that.`,
  );
}

/** Whether a request asks for what its reference has made. */
function isSame(request: OrderFollowUpRequest, known: SplitTransaction): boolean {
  const { amount, vatAmount, description, payeeReference, receiptReference, orderItems, legs } = request;
  return (
    request.type === known.type &&
    request.orderId.toLowerCase() === known.orderId &&
    (request.type === 'Cancellation' || amount === known.amount) &&
    (request.type === 'Cancellation' || (vatAmount ?? 0) === known.vatAmount) &&
    (description ?? null) === known.description &&
    (payeeReference ?? null) === known.payeeReference &&
    (receiptReference ?? null) === known.receiptReference &&
    (request.type === 'Cancellation' || inOrder(orderItems ?? null) === inOrder(known.orderItems)) &&
    (legs === undefined ||
      legs.every(
        (part) =>
          part.amount === 0 ||
          known.parts.some((one) => one.legId === part.legId.toLowerCase() && one.amount === part.amount),
      ))
  );
}
