import { forbidden, type Refusal } from '../../kit/errors.ts';
import { ZERO_MINOR } from '../../kit/money.ts';
import type { Decision } from '../../ledger/ledger.types.ts';
import { requireNumber } from '../../ledger/numbers.rules.ts';
import { effectOf } from '../../payments/changes/effects.rules.ts';
import type { PageOutcome } from '../../payments/page/page.types.ts';
import type { CardPayment, LoadedPayment } from '../../payments/payments.types.ts';
import { inOrder } from '../../payments/terms.rules.ts';
import { afterFailure, giveUpWaiting } from '../../payments/tries/tries.rules.ts';
import type {
  AddLegCommand,
  ChangeOrderCommand,
  ChangeOutcome,
  PayOrderCommand,
  RemoveLegCommand,
  UpdateOrderCommand,
} from '../order-commands.types.ts';
import { knownOrder } from '../order-effects.rules.ts';
import { newTransactionId, type OrderState, OrderWork } from '../order-work.rules.ts';
import { GIFT_CARDS_OF_ORDER, type LegId } from '../orders.types.ts';
import { isAsSeen } from '../split.rules.ts';
import { followCard } from './card-changes.rules.ts';
import { giftCardsOf, holdAll, lowerHolds, noteHolds, planOf, releaseAll } from './hold.rules.ts';
import { payOrder } from './paid.rules.ts';

type Changed = Decision<ChangeOutcome>;

const done = (outcome: PageOutcome): Changed => ({ answer: () => ({ kind: 'Done', outcome }) });

const STALE: Changed = { answer: () => ({ kind: 'Stale' }) };

/** What a change of an unpaid order starts from; or why nothing can be changed now. */
function unpaid(
  { state, card }: { readonly state: OrderState; readonly card: LoadedPayment },
  command: ChangeOrderCommand,
): OrderWork | Changed {
  const work = new OrderWork(state, command);
  if (work.isStale) return STALE;
  if (work.order.status !== 'Initialized' || work.order.expiresAt <= state.now) return done('ended');
  return isTried(card) ? done('busy') : work;
}

/** Whether a try is under way: an issuer is asked, or its payer authenticates. */
export function isTried(card: LoadedPayment): boolean {
  return card.unsettled > 0 || card.named?.state === 'AwaitingActivity';
}

/** Adds a gift card that was judged: nothing is held yet. */
export function decideAdding(state: OrderState, card: LoadedPayment, command: AddLegCommand): Changed {
  const work = unpaid({ state, card }, command);
  if (!(work instanceof OrderWork)) return work;
  const { accountId, instrument, numberMasked, cvcSequence } = command.account;
  const added = giftCardsOf(work);
  if (added.some((leg) => leg.accountId === accountId)) return done('alreadyadded');
  if (added.length >= GIFT_CARDS_OF_ORDER) return done('toomany');
  work.addLeg({
    legId: work.newId() as LegId,
    kind: 'Account',
    state: 'Added',
    accountId,
    paymentId: null,
    instrumentType: instrument,
    name: numberMasked,
    amount: ZERO_MINOR,
    cvcSequence,
  });
  work.note({ name: 'PaymentGiftCardAdded', initiatedBy: command.initiatedBy, instrument: 'GiftCard' });
  const effect = work.finish('add-gift-card');
  const after = work.after();
  return { answer: () => ({ kind: 'Done', outcome: 'ok', after }), effect };
}

/** Takes a gift card off; what is held of it goes back at once. Twice is as once. */
export function decideRemoving(state: OrderState, card: LoadedPayment, command: RemoveLegCommand): Changed {
  const work = unpaid({ state, card }, command);
  if (!(work instanceof OrderWork)) return work;
  const leg = giftCardsOf(work).find(({ legId }) => legId === command.legId);
  if (leg === undefined) return done('ok');
  work.drop(leg);
  noteHolds(work, work.order.heldUntil ?? work.now);
  work.note({ name: 'PaymentGiftCardRemoved', initiatedBy: command.initiatedBy, instrument: 'GiftCard' });
  return { answer: () => ({ kind: 'Done', outcome: 'ok' }), effect: work.finish('remove-gift-card') };
}

/** Pays with gift cards alone, in one batch. */
export function decidePaying(state: OrderState, card: LoadedPayment, command: PayOrderCommand): Changed {
  const known = knownOrder(state, command);
  if (known !== undefined) return { answer: () => known };
  const work = unpaid({ state, card }, command);
  if (!(work instanceof OrderWork)) return work;
  const plan = planOf(work, command.settings);
  if (work.order.operation !== 'Purchase' || plan.card > 0 || !isAsSeen(plan, command.seen)) return done('changed');
  holdAll(work, plan, command.settings);
  payOrder(work, command, {
    transactionId: newTransactionId(work),
    number: requireNumber(state.paymentNumber),
    card: undefined,
  });
  return { answer: () => ({ kind: 'Done', outcome: 'ok' }), effect: work.finish('pay-payment-order') };
}

/** Gives holds back whose time is over, unless a try is under way. */
export function decideLapse(state: OrderState, card: LoadedPayment, command: ChangeOrderCommand): Changed {
  const work = new OrderWork(state, command);
  if (work.isStale) return STALE;
  const { status, heldUntil } = work.order;
  if (status !== 'Initialized' || heldUntil === null || heldUntil > state.now || isTried(card)) return done('ok');
  releaseAll(work);
  return { answer: () => ({ kind: 'Done', outcome: 'ok' }), effect: work.finish('release-gift-cards') };
}

/**
 * Changes an unpaid order. A try whose payer authenticates is given up for it; holds above the new amount are lowered. The
 * same content again changes nothing.
 *
 * @throws Refusal `forbidden`, named `UpdateOrder`
 */
export function decideUpdate(state: OrderState, card: LoadedPayment, command: UpdateOrderCommand): Changed {
  const work = new OrderWork(state, command);
  if (work.isStale) return STALE;
  const { status, operation, expiresAt, unsettled } = work.order;
  if (status === 'Initialized' && hasContent(work.order, command)) return done('ok');
  if (operation !== 'Purchase' || status !== 'Initialized' || expiresAt <= state.now) throw refused('It is not open.');
  if (unsettled > 0) throw refused('An issuer is being asked.');
  const given = giveUpWaiting(card.named, state.now);
  const hasWaited = given.changes.length > 0;
  const after: CardPayment = hasWaited ? afterFailure(card) : card;
  if (after.state !== 'Ready') throw refused('Its last try is under way.');
  const step = effectOf(state.now, { ...given, payment: after, action: 'finish-authentication' });
  if (hasWaited) followCard(work, { ...command, holdSecondsOf: () => 0 }, step.effect.writes ?? []);
  const { amount, vatAmount, orderItems, terms } = command;
  work.set({ amount, vatAmount, orderItems, terms });
  lowerHolds(work, planOf(work, command.settings));
  work.note({ name: 'PaymentUpdated', initiatedBy: command.initiatedBy, amount });
  work.tell({ type: 'payment-order.updated', transaction: undefined });
  const effect = work.finish('update-payment-order', hasWaited ? [step.effect] : []);
  return { answer: () => ({ kind: 'Done', outcome: 'ok' }), effect };
}

/** What an update sets of an order. */
type UpdatedContent = Pick<UpdateOrderCommand, 'amount' | 'vatAmount' | 'orderItems' | 'terms'>;

/** Whether an order is as an update would make it. */
export function hasContent(order: UpdatedContent, update: UpdatedContent): boolean {
  const content = ({ amount, vatAmount, orderItems, terms }: UpdatedContent) =>
    inOrder({ amount, vatAmount, orderItems, terms });
  return content(order) === content(update);
}

function refused(why: string): Refusal {
  return forbidden('UpdateOrder', why);
}
