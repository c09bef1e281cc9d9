import { stepOn } from '../../engine/leg.rules.ts';
import { assert } from '../../kit/assert.ts';
import { forbidden } from '../../kit/errors.ts';
import { addSeconds } from '../../kit/instants.ts';
import { ZERO_MINOR } from '../../kit/money.ts';
import type { Decision } from '../../ledger/ledger.types.ts';
import { requireNumber } from '../../ledger/numbers.rules.ts';
import { type CardDecision, STEPS } from '../../payments/changes/effects.rules.ts';
import { refuseTooManySteps } from '../../payments/changes/steps-most.rules.ts';
import type { CardTransaction, LoadedPayment } from '../../payments/payments.types.ts';
import { decideFollowUp as decideOfCard, decideRelease } from '../../payments/settlement.rules.ts';
import { LESS_VAT, vatOf } from '../../payments/vat.rules.ts';
import type { ChangeOrderCommand, FollowUpOrderCommand, FollowUpOutcome } from '../order-commands.types.ts';
import { knownOrder } from '../order-effects.rules.ts';
import { newTransactionId, type OrderState, OrderWork } from '../order-work.rules.ts';
import type { HistoryName, OrderLeg, OrderPart, OrderTransaction, SplitTransaction } from '../orders.types.ts';
import { type FollowUpOfOrder, isAuthorizationOver, type Share } from '../split.rules.ts';
import { mayFollow } from './may-follow.rules.ts';

const ACTIONS = {
  Capture: 'capture-payment-order',
  Cancellation: 'cancel-payment-order',
  Reversal: 'reverse-payment-order',
} as const;

const EVENTS = {
  Capture: { done: 'payment-order.captured', failed: 'payment-order.capture-failed' },
  Cancellation: { done: 'payment-order.cancelled', failed: 'payment-order.cancellation-failed' },
  Reversal: { done: 'payment-order.reversed', failed: 'payment-order.reversal-failed' },
} as const;

type Followed = Decision<FollowUpOutcome>;

/**
 * Decides on a capture, cancellation or reversal over the legs. With a part of the card, all parts are kept apart until its
 * acquirer has answered; without one, all of it happens at once.
 *
 * @throws Refusal `forbidden`, named `Capture`, `Cancellation` or `Reversal`
 */
export function decideFollowUpOrder(state: OrderState, command: FollowUpOrderCommand): Followed {
  const known = knownOrder(state, command);
  if (known !== undefined) return { answer: () => known };
  const { type, transactionId, shares } = command;
  const work = new OrderWork(state, command);
  if (work.isStale) return { answer: () => ({ kind: 'Stale' }) };
  if (command.refusal !== undefined) throw command.refusal;
  if (work.order.paidBy === null) throw forbidden(type, 'The order is not paid.');
  if (!mayFollow(command.view, type)) throw forbidden(type, 'An outcome is unknown.');
  const { view } = command;
  if (
    type === 'Capture' &&
    isAuthorizationOver({ order: work.order, transactions: view.transactions, now: work.now })
  ) {
    throw forbidden(type, 'Nothing is left for a capture: the authorization is over.');
  }
  refuseTooManySteps(type, view.transactions.filter((one) => one.type === type).length, () => takesAll(work, command));
  const vatAmount = vatOf(command, {
    authorized: work.order.vatAmount,
    captured: vatOfCaptures(command.view.transactions),
    taken: sumOf(shares),
  });
  if (vatAmount === 'TooMuch') throw forbidden(type, LESS_VAT);
  // Merged or replaced since it was read: where it led to is not locked.
  if (type === 'Reversal' && shares.some((share) => isClosed(work, share, command))) {
    return { answer: () => ({ kind: 'Stale' }) };
  }
  const ofCard = decideCardPart(state, command);
  const onCard = ofCard?.answer();
  const isWaiting = onCard?.kind === 'Call';
  const cardTransaction = onCard?.kind === 'Call' || onCard?.kind === 'Done' ? onCard.transaction : undefined;
  const parts = shares.map((share, index) =>
    // The card leads where it takes a part, else the first gift card.
    takePart(work, share, { isWaiting, cardTransaction, isLead: onCard === undefined && index === 0, ...command }),
  );
  if (onCard?.kind === 'Call' || onCard?.kind === 'Done') {
    work.card = onCard.payment;
    work.set({ unsettled: onCard.payment.unsettled });
  }
  const transaction = work.addTransaction(
    {
      transactionId,
      number: requireNumber(state.paymentNumber),
      type,
      state: isWaiting ? 'Initialized' : 'Completed',
      amount: sumOf(shares),
      vatAmount,
      description: command.description,
      payeeReference: command.reference,
      receiptReference: command.receiptReference,
      orderItems: command.orderItems,
      initiatedBy: command.initiatedBy,
      problem: null,
    },
    parts,
  );
  if (!isWaiting) ended(work, transaction);
  const effect = work.finish(ACTIONS[type], ofCard?.effect === undefined ? [] : [ofCard.effect]);
  if (onCard?.kind === 'Call') return { answer: () => ({ kind: 'Call', card: onCard }), effect };
  const after = onCard === undefined ? work.after(transaction) : undefined;
  return { answer: () => ({ kind: 'Done', after }), effect };
}

/** Whether nothing is left of any leg then. */
function takesAll(work: OrderWork, { type, shares }: FollowUpOrderCommand): boolean {
  return work.legs.every((leg) => {
    const all = stepOn(work.amountsOf(leg), { operation: STEPS[type], amount: undefined });
    return typeof all === 'string' || shares.some(({ legId, amount }) => legId === leg.legId && amount === all.amount);
  });
}

/** What becomes of the part of the card: its acquirer is asked, or cannot be; undefined where it has none. */
function decideCardPart(
  state: OrderState,
  { card, released }: Pick<FollowUpOrderCommand, 'card' | 'released'>,
): CardDecision | undefined {
  if (card === undefined && released === undefined) return undefined;
  const [, row] = state.rows as [unknown, LoadedPayment?];
  assert(row !== undefined, 'the card payment is loaded where a part is of it');
  const ofCard = { ...state, taken: undefined, rows: [row] };
  return card === undefined ? released && decideRelease(ofCard, released) : decideOfCard(ofCard, card);
}

/** Captures that failed have taken none; those that wait count. */
function vatOfCaptures(transactions: readonly SplitTransaction[]): OrderTransaction['vatAmount'] {
  const captures = transactions.filter((one) => one.type === 'Capture' && one.state !== 'Failed');
  return captures.reduce((sum, { vatAmount }) => sum + vatAmount, 0) as OrderTransaction['vatAmount'];
}

/** An amount of several parts. */
function sumOf(shares: readonly Share[]) {
  return shares.reduce((sum, { amount }) => sum + amount, 0) as OrderTransaction['amount'];
}

/**
 * Whether a part that waits to go back would go to a card that was merged or replaced since the order was read: where that led
 * to is not locked. Not where its money has gone for good: see `settleForOrder`.
 */
export function isWaitingForMoved(work: OrderWork, command: Pick<ChangeOrderCommand, 'targets' | 'ended'>): boolean {
  return work.waiting.some(
    ({ type, parts }) =>
      type === 'Reversal' && parts.some((part) => !command.ended.includes(part.legId) && isClosed(work, part, command)),
  );
}

/** Whether nothing can be booked where a part would go back to. */
function isClosed(
  work: OrderWork,
  { legId }: Pick<Share, 'legId'>,
  { targets }: Pick<ChangeOrderCommand, 'targets'>,
): boolean {
  const leg = legOf(work, legId);
  return leg.kind === 'Account' && work.accountOf({ accountId: targets[legId] ?? leg.accountId }).closedAt !== null;
}

interface Taking extends FollowUpOrderCommand {
  readonly isWaiting: boolean;
  readonly cardTransaction: CardTransaction | undefined;
  readonly isLead: boolean;
}

function takePart(work: OrderWork, { legId, amount }: Share, taking: Taking): OrderPart {
  const { type, transactionId, isWaiting, cardTransaction, isLead, targets } = taking;
  const leg = legOf(work, legId);
  if (leg.kind === 'Card') {
    assert(cardTransaction !== undefined, 'a part of the card is asked for');
    return { legId: leg.legId, amount, released: cardTransaction.released, ownId: transactionId };
  }
  const step = stepOn(work.amountsOf(leg), { operation: STEPS[type], amount });
  if (typeof step === 'string') throw forbidden(type, `Less is left for a ${type.toLowerCase()} than that.`);
  const ownId = isLead ? transactionId : newTransactionId(work);
  work.step(leg, { ...step, transactionId: ownId, isWaiting }, targets[legId] ?? leg.accountId);
  return { legId: leg.legId, amount, released: ZERO_MINOR, ownId };
}

function legOf({ legs }: OrderWork, legId: string): OrderLeg {
  const leg = legs.find((one) => one.legId === legId);
  assert(leg !== undefined, 'a part falls on a leg of its order');
  return leg;
}

/** Books or gives up the parts that waited for the acquirer of the card, once its outcome is known. */
export function settleFollowUp(
  work: OrderWork,
  { targets }: Pick<ChangeOrderCommand, 'targets'>,
  { transactionId, state, problem, takingBack }: CardTransaction,
): void {
  const waiting = work.waiting.find((one) => one.transactionId === transactionId);
  if (waiting === undefined || state === 'Initialized' || takingBack) return;
  const isDone = state === 'Completed';
  for (const part of waiting.parts) {
    const leg = legOf(work, part.legId);
    if (leg.kind === 'Account') work.settle(leg, { ...part, isDone, to: targets[part.legId] ?? leg.accountId });
  }
  ended(
    work,
    work.endTransaction(waiting, { state: isDone ? 'Completed' : 'Failed', problem: isDone ? null : problem }),
  );
}

/** What is noted and told of a transaction that is over, and what follows of it. */
function ended(work: OrderWork, transaction: SplitTransaction): void {
  const { state, number, amount, initiatedBy } = transaction;
  const type = transaction.type as FollowUpOfOrder;
  const isDone = state === 'Completed';
  work.sumUp();
  const isEnd = type === 'Cancellation' && initiatedBy === 'PaymentGateway';
  if (isEnd && isDone) work.set({ cancelReason: 'AuthorizationExpired' });
  // An acquirer that declines is asked again later: the authorization must not stand for ever.
  if (isEnd && !isDone) work.set({ authorizedUntil: addSeconds(work.now, END_AGAIN_SECONDS) });
  work.note({ name: nameOf(work, { type, amount, isDone }), initiatedBy, number, amount });
  const event = EVENTS[type][isDone ? 'done' : 'failed'];
  work.tell({ type: isEnd && isDone ? 'payment-order.authorization-ended' : event, transaction });
}

/** Seconds until an authorization that could not be ended is ended again. */
const END_AGAIN_SECONDS = 60 * 60;

const DONE = { Capture: 'Captured', Cancellation: 'Cancelled', Reversal: 'Reversed' } as const;

interface Named {
  readonly type: FollowUpOfOrder;
  readonly amount: number;
  readonly isDone: boolean;
}

/** What failed is named by what there would be if it had not. */
function nameOf({ order }: OrderWork, { type, amount, isDone }: Named): HistoryName {
  const { captured, cancelled, reversed } = order;
  const failed = isDone ? 0 : amount;
  const isPartial = {
    Capture: captured + failed < order.amount,
    Cancellation: cancelled + failed < order.amount,
    Reversal: reversed + failed < captured,
  }[type];
  return `Payment${isPartial ? 'Partially' : ''}${DONE[type]}${isDone ? '' : 'Failed'}`;
}
