import { PAYMENTS, TRANSACTIONS } from '../accounts/account-payments.types.ts';
import { lockOfHeader } from '../engine/locks.ts';
import { forbidden } from '../kit/errors.ts';
import type { CommandKeys, CommandKind, Decision, LedgerCommand, LedgerState } from '../ledger/ledger.types.ts';
import { loadOfPayments, loadOfRenewals, seenByRules } from '../payments/command-kinds.ts';
import type {
  AbortCommand,
  ChangeCommand,
  ChangeKind,
  Outcome,
  StartCommand,
} from '../payments/payment-commands.types.ts';
import type { LoadedPayment, LoadedRow } from '../payments/payments.types.ts';
import { decideFollowUpOrder, isWaitingForMoved } from './changes/follow-up-order.rules.ts';
import type {
  AddLegCommand,
  CardOfOrderCommand,
  ChangeOrderCommand,
  ChangeOutcome,
  FollowUpOrderCommand,
  FollowUpOutcome,
  PayOrderCommand,
  RemoveLegCommand,
  UpdateOrderCommand,
} from './order-commands.types.ts';
import { referencesOfOrder } from './order-effects.rules.ts';
import { type OrderState, OrderWork } from './order-work.rules.ts';
import { loadOrders } from './orders.store.ts';
import type { LockedOrderRow } from './orders.types.ts';
import { followCard } from './paying/card-changes.rules.ts';
import { decideAdding, decideLapse, decidePaying, decideRemoving, decideUpdate } from './paying/gift-cards.rules.ts';
import { beginTry } from './paying/try.rules.ts';

/** What all kinds of changes of an order load: what may have changed of the order, and then its card payment. */
type Row = LockedOrderRow | LoadedRow;
type Change<Command extends ChangeOrderCommand, Result> = CommandKind<Command, Result, Row>;

const SHARED = { load: loadOrders, loadMore: loadOfPayments };

function keys({ orderId, accountIds, rows }: ChangeOrderCommand): CommandKeys {
  return {
    rows,
    references: [],
    locks: [lockOfHeader(orderId)],
    ...(accountIds.length > 0 && { accountIds }),
  };
}

/** Of a change that has its number, and references of its own. */
const numberedKeys = (command: PayOrderCommand | FollowUpOrderCommand): CommandKeys => ({
  isNumbered: true,
  ...keys(command),
  references: referencesOfOrder(command, command),
});

/** A change of an unpaid order. */
function change<Command extends ChangeOrderCommand>(
  name: string,
  decide: (state: OrderState, card: LoadedPayment, command: Command) => Decision<ChangeOutcome>,
): Change<Command, ChangeOutcome> {
  return {
    ...SHARED,
    name,
    keys,
    decide: (state, command) => decide(state, seenByRules(cardOf(state, command)), command),
  };
}

/** The card payment: until when it can be paid, its order says. */
function cardOf({ rows }: LedgerState<Row>, { view }: ChangeOrderCommand): LoadedRow {
  const [, card] = rows as readonly [LockedOrderRow, LoadedRow];
  const { expiresAt } = view.order;
  return { ...card, expiresAt };
}

/** A gift card that was judged. */
export const ADD_LEG = change<AddLegCommand>('add-gift-card-to-order', decideAdding);
/** A gift card that goes off the order. */
export const REMOVE_LEG = change<RemoveLegCommand>('remove-gift-card-from-order', decideRemoving);
/** Holds whose time is over. */
export const LAPSE = change<ChangeOrderCommand>('release-gift-cards-of-order', decideLapse);
/** New terms. */
export const UPDATE_ORDER = change<UpdateOrderCommand>('update-payment-order', decideUpdate);
/** Pay with gift cards alone. */
export const PAY_ORDER: Change<PayOrderCommand, ChangeOutcome> = {
  ...change<PayOrderCommand>('pay-payment-order', decidePaying),
  keys: numberedKeys,
};

const FOLLOW_UP: Omit<Change<FollowUpOrderCommand, FollowUpOutcome>, 'name'> = {
  load: loadOrders,
  keys: numberedKeys,
  decide: (state, command) => {
    const [order, card] = state.rows as readonly [LockedOrderRow, LoadedRow?];
    return decideFollowUpOrder({ ...state, rows: card === undefined ? [order] : [order, seenByRules(card)] }, command);
  },
};
/** A capture, cancellation or reversal over the legs. */
export const FOLLOW_UP_ORDER = { ...FOLLOW_UP, name: 'follow-up-payment-order', loadMore: loadOfPayments };
/** The same of an order that no card pays: the card payment that it was made with stays as it was found. */
export const FOLLOW_UP_GIFT_CARDS = { ...FOLLOW_UP, name: 'follow-up-gift-cards-of-order' };

/** What a change of the card payment of an order answers. */
export type CardOfOrderOutcome = Outcome | { readonly kind: 'Stale' };

const KINDS_OF_ORDERS = new Map<unknown, Change<CardOfOrderCommand, CardOfOrderOutcome>>();

/**
 * A kind of change of a card payment, for one that belongs to an order: the order is locked, the rule of card payments
 * decides, and what the order makes of it is part of the same effect.
 */
export function kindOfOrders<Command extends ChangeCommand>(
  kind: ChangeKind<Command>,
): Change<CardOfOrderCommand<Command>, CardOfOrderOutcome> {
  const made = KINDS_OF_ORDERS.get(kind) ?? wrap(kind as unknown as ChangeKind<ChangeCommand>);
  KINDS_OF_ORDERS.set(kind, made);
  return made as unknown as Change<CardOfOrderCommand<Command>, CardOfOrderOutcome>;
}

function wrap(kind: ChangeKind<ChangeCommand>): Change<CardOfOrderCommand, CardOfOrderOutcome> {
  return {
    ...SHARED,
    name: `${kind.name}-of-order`,
    keys: (command) => {
      const { references, isNumbered, locks = [] } = kind.keys(command.card);
      return {
        ...keys(command),
        references,
        locks,
        ...(isNumbered && { isNumbered }),
      };
    },
    ...(kind.role === 'Renewal' && { loadMore: loadOfRenewals }),
    decide: (state, command) => decideOfOrder(kind, state, command),
  };
}

function decideOfOrder(
  kind: ChangeKind<ChangeCommand>,
  state: LedgerState<Row>,
  command: CardOfOrderCommand,
): Decision<CardOfOrderOutcome> {
  const card = cardOf(state, command);
  // What its reference has made already moves nothing.
  if (state.taken !== undefined) return kind.decide({ ...state, rows: [card] }, command.card);
  const work = new OrderWork(state, command);
  const isStale = work.isStale || isWaitingForMoved(work, command);
  if (isStale) return { answer: () => ({ kind: 'Stale' }) };
  if (work.before.paidBy !== null && card.paidBy === null) {
    const over = afterGiftCards(kind, command, card);
    if (over !== undefined) return over;
  }
  const asked = isStart(kind) ? beginTry(work, command as CardOfOrderCommand<StartCommand>, card) : card;
  const decided = kind.decide({ ...state, rows: [asked] }, command.card);
  if (decided.effect === undefined) return decided;
  followCard(work, command, decided.effect.writes ?? []);
  const action = isStart(kind) ? 'pay-payment-order' : actionOf(work);
  return { answer: decided.answer, effect: work.finish(action, [decided.effect]) };
}

/** Whether it begins a try of a card. */
function isStart({ role }: Pick<ChangeKind<ChangeCommand>, 'role'>): boolean {
  return role === 'Try' || role === 'Renewal';
}

/**
 * What becomes of the card payment of an order that gift cards alone have paid: it was never tried, so its own rules would let
 * it be paid, left and ended.
 *
 * @throws Refusal `forbidden` for a try, and for an end that was asked for
 */
function afterGiftCards(
  kind: Pick<ChangeKind<ChangeCommand>, 'role'>,
  { card: command }: CardOfOrderCommand,
  payment: LoadedRow,
): Decision<CardOfOrderOutcome> | undefined {
  const { role } = kind;
  const isExpiry = role === 'Abort' && (command as AbortCommand).isExpiry;
  if (role === 'Leaving' || isExpiry) return { answer: () => ({ kind: 'Done', payment, transaction: undefined }) };
  if (isStart(kind)) throw forbidden('Authorization', 'Gift cards have paid the order.');
  if (role === 'Abort') throw forbidden('Abort', 'The order is paid.');
  return undefined;
}

/** What an order that was ended says in the audit trail; else that an outcome was noted. */
function actionOf({ before, order }: OrderWork) {
  if (before.status === order.status || order.status !== 'Aborted') return 'settle-payment-order';
  return order.expiresAt <= order.updatedAt ? 'expire-payment-order' : 'abort-payment-order';
}

/** The rows of account payments that a command names. */
export function rowsOf(paymentIds: readonly string[], transactionIds: readonly string[]): ChangeOrderCommand['rows'] {
  return [
    ...paymentIds.map((id) => ({ shelf: PAYMENTS, id })),
    ...transactionIds.map((id) => ({ shelf: TRANSACTIONS, id })),
  ];
}

/** Any of them. */
export type AnyOrderKind<Command extends LedgerCommand, Result> = CommandKind<Command, Result, Row>;
