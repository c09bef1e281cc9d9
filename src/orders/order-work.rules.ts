import { PAYMENTS, type Payment, TRANSACTIONS } from '../accounts/account-payments.types.ts';
import {
  type ChangedLeg,
  holdForOrder,
  prolongForOrder,
  releaseForOrder,
  type StepOfOrder,
  settleForOrder,
  stepForOrder,
} from '../accounts/leg-of-order.rules.ts';
import { legOf } from '../accounts/steps.rules.ts';
import { counted, limitPassed, overLimit, restsOf, uncounted } from '../accounts/turnover/turnover.rules.ts';
import { type Rest, TURNOVERS, type Turnover } from '../accounts/turnover/turnover.types.ts';
import { NO_LEG } from '../engine/leg.rules.ts';
import type { Leg } from '../engine/leg.types.ts';
import type { AuditAction } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import { type AmountMinor, amountMinor, ZERO_MINOR } from '../kit/money.ts';
import { type RowWrite, rowsBy, write } from '../kit/row-writes.ts';
import type { Account, AccountId, Effect, LedgerState, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { CardPayment, LoadedPayment, LoadedRow } from '../payments/payments.types.ts';
import type { ChangeOrderCommand } from './order-commands.types.ts';
import { eventOf, historyOf, mergeEffects, type OrderEvent } from './order-effects.rules.ts';
import {
  CHANGED_LEG,
  CHANGED_ORDER,
  ENDED_ORDER_TRANSACTION,
  HISTORY_ENTRY,
  type HistoryEntry,
  type LegWithAmounts,
  type LockedOrderRow,
  NEW_LEG,
  NEW_ORDER_TRANSACTION,
  NEW_PART,
  type OrderAfter,
  type OrderLeg,
  type OrderPart,
  type OrderTransaction,
  type OrderView,
  OTHER_TERMS,
  type PaymentOrder,
  type SplitTransaction,
} from './orders.types.ts';

/** What a command on an order loads: what may have changed of the order, and its card payment. */
export type OrderState = LedgerState<LockedOrderRow | LoadedRow | LoadedPayment>;

const SUMS = ['captured', 'cancelled', 'reversed', 'reservedHold', 'reservedReversal'] as const;

/**
 * A change of an order under its lock, put together step by step: each step sees what the one before it left. It is one
 * effect in the end, so that all of it happens, or nothing.
 */
export class OrderWork {
  readonly now: string;
  /** Whether it has changed since the command was made of it: then nothing of this holds. */
  readonly isStale: boolean;
  /** As it was found. */
  readonly before: PaymentOrder;
  /** Its transactions that wait for an issuer. */
  readonly waiting: readonly SplitTransaction[];
  order: PaymentOrder;
  card: CardPayment;
  readonly #state: OrderState;
  readonly #ids: Iterator<string>;
  readonly #seen: OrderView;
  readonly #legs: Map<string, OrderLeg>;
  readonly #payments = new Map<PaymentId, Payment>();
  /** What is available on accounts, as the steps leave it. */
  readonly #available = new Map<AccountId, number>();
  readonly #turnoverIds: ChangeOrderCommand['turnovers'];
  /** Sums that gift cards count to, as the steps leave them, by their ids. */
  readonly #turnovers = new Map<string, Turnover>();
  readonly #effects: Effect[] = [];
  readonly #writes: RowWrite[] = [];
  readonly #history: (Pick<HistoryEntry, 'name' | 'initiatedBy'> & Partial<HistoryEntry>)[] = [];
  readonly #events: OrderEvent[] = [];

  constructor(state: OrderState, { view, ids, turnovers }: ChangeOrderCommand) {
    const [locked, card = view.card.payment] = state.rows as [LockedOrderRow, (LoadedRow | LoadedPayment)?];
    const { version, integration, historyCount, updatedAt } = locked;
    this.now = state.now;
    this.isStale = version !== view.order.version;
    this.before = { ...view.order, integration, historyCount, updatedAt };
    this.waiting = view.transactions.filter((transaction) => transaction.state === 'Initialized');
    this.order = this.before;
    this.card = card;
    this.#state = state;
    this.#ids = ids.values();
    this.#turnoverIds = turnovers;
    this.#seen = view;
    this.#legs = new Map(view.legs.map((leg) => [leg.legId, leg]));
  }

  /** The legs that count, in their order. */
  get legs(): readonly OrderLeg[] {
    return [...this.#legs.values()].filter(({ state }) => state !== 'Released');
  }

  /** The order as the steps leave it, and the transaction that they have made, if any. */
  after(transaction?: SplitTransaction): OrderAfter {
    return { order: this.order, legs: this.#legsWithAmounts(), transaction };
  }

  /** An id that was made for this command. */
  newId(): string {
    const { value, done } = this.#ids.next();
    assert(done !== true, 'a command has as many ids as it makes rows');
    return value;
  }

  /** A gift card's account, as the steps leave it. */
  accountOf({ accountId }: Pick<OrderLeg, 'accountId'>): Account {
    const account = accountId === null ? undefined : this.#state.account(accountId);
    assert(account !== undefined, 'a command names the accounts of its legs');
    return { ...account, available: amountMinor(this.#available.get(account.accountId) ?? account.available) };
  }

  /** The amounts of the payment that a leg stands for: zeros while there is none. */
  amountsOf(leg: OrderLeg): Leg {
    if (leg.kind === 'Card') return this.card;
    return leg.paymentId === null ? NO_LEG : legOf(this.#paymentOf(leg));
  }

  /** What limits leave of a gift card; what is held for the order is counted already. */
  restsOf(leg: OrderLeg): readonly Rest[] {
    return restsOf(this.#turnoversOf(leg), 'Spent');
  }

  /**
   * Holds an amount of a gift card until an instant: what was held before stays where it is the same.
   *
   * @throws Refusal `forbidden` where a limit of the card's product would be passed
   */
  hold(leg: OrderLeg, amount: AmountMinor, until: string): void {
    if (leg.state === 'Held') {
      if (leg.amount === amount) {
        this.#prolong(leg, until);
        return;
      }
      this.release(leg);
    }
    if (amount === 0) return;
    const account = this.accountOf(leg);
    assert(account.available >= amount, 'a gift card holds no more than it has');
    const { payeeId, orderId, number, currency } = this.order;
    const paymentId = this.newId() as PaymentId;
    const hold = { payeeId, paymentId, amount, currency, orderId, number, until };
    const sums = this.#turnoversOf(leg);
    const limit = limitPassed(sums, 'Spent', amount);
    if (limit !== undefined) throw overLimit('Authorize', limit);
    this.#took(
      leg,
      this.#counting(holdForOrder(hold, { account, now: this.now }), counted(sums, 'Spent', amount)),
      -amount,
    );
    this.#setLeg({ ...this.#legNow(leg), state: 'Held', amount, paymentId });
  }

  /** Gives back what is held of a gift card; it stays on the order. */
  release(leg: OrderLeg): void {
    if (leg.state !== 'Held') return;
    const payment = this.#paymentOf(leg);
    const back = uncounted(this.#turnoversOf(leg), 'Spent', { amount: leg.amount, countedAt: payment.createdAt });
    this.#took(leg, this.#counting(releaseForOrder(payment, this.#ground(leg)), back), leg.amount);
    this.#setLeg({ ...leg, state: 'Added', amount: ZERO_MINOR, paymentId: null });
  }

  /** Takes a gift card off the order; what is held of it goes back. */
  drop(leg: OrderLeg): void {
    this.release(leg);
    this.#setLeg({ ...this.#legNow(leg), state: 'Released' });
  }

  /** Makes an authorization of a hold. */
  authorize(leg: OrderLeg, until: string): void {
    this.#prolong(leg, until);
    this.#setLeg({ ...this.#legNow(leg), state: 'Authorized' });
  }

  /** Takes a part of a gift card's leg, or keeps it apart. What is given back may go to another account. */
  step(leg: OrderLeg, wanted: StepOfOrder, to: AccountId | null = leg.accountId): void {
    const account = this.accountOf({ accountId: to });
    const back = wanted.operation === 'Capture' ? wanted.released : wanted.amount;
    const changed = stepForOrder(this.#paymentOf(leg), wanted, { account, now: this.now });
    this.#took({ accountId: to }, changed, wanted.isWaiting ? 0 : back);
  }

  /** Takes a part that was kept apart, or gives it up. */
  settle(
    leg: OrderLeg,
    { ownId, amount, isDone, to }: OrderPart & { readonly isDone: boolean; readonly to: AccountId | null },
  ): void {
    const waiting = this.#state.row(TRANSACTIONS, ownId);
    assert(waiting !== undefined, 'a command names the parts that wait');
    const account = this.accountOf({ accountId: to });
    const changed = settleForOrder(this.#paymentOf(leg), { waiting, isDone }, { account, now: this.now });
    const isBack = isDone && waiting.operation !== 'Capture' && account.closedAt === null;
    this.#took({ accountId: to }, changed, isBack ? amount : 0);
  }

  /** Adds a leg. */
  addLeg(leg: Omit<OrderLeg, 'payeeId' | 'orderId' | 'addedAt' | 'updatedAt' | 'position'>): void {
    const { payeeId, orderId } = this.order;
    const position = Math.max(this.#seen.lastPosition, ...this.legs.map((other) => other.position)) + 1;
    const made: OrderLeg = { ...leg, payeeId, orderId, position, addedAt: this.now, updatedAt: this.now };
    this.#legs.set(leg.legId, made);
    this.#writes.push(write(NEW_LEG, made));
  }

  /** Adds a transaction with its parts. */
  addTransaction(
    made: Omit<OrderTransaction, 'payeeId' | 'orderId' | 'createdAt' | 'updatedAt'>,
    parts: readonly OrderPart[],
  ): SplitTransaction {
    const { payeeId, orderId } = this.order;
    const transaction = { payeeId, orderId, createdAt: this.now, updatedAt: this.now, ...made };
    const { transactionId } = made;
    this.#writes.push(
      write(NEW_ORDER_TRANSACTION, transaction),
      ...parts.map((part) => write(NEW_PART, { payeeId, transactionId, ...part })),
    );
    return { parts, ...transaction };
  }

  /** Ends a transaction that waited for an issuer. */
  endTransaction(waiting: SplitTransaction, end: Pick<OrderTransaction, 'state' | 'problem'>): SplitTransaction {
    const transaction = { ...waiting, ...end, updatedAt: this.now };
    this.#writes.push(write(ENDED_ORDER_TRANSACTION, transaction));
    return transaction;
  }

  /** Notes something in the history. */
  note(entry: Pick<HistoryEntry, 'name' | 'initiatedBy'> & Partial<HistoryEntry>): void {
    this.#history.push(entry);
  }

  /** Tells other programs of something. */
  tell(event: OrderEvent): void {
    this.#events.push(event);
  }

  /** Changes members of the order. */
  set(members: Partial<PaymentOrder>): void {
    this.order = { ...this.order, ...members };
  }

  /** Sums of the legs, and the status that follows of them, once the order is paid. */
  sumUp(): void {
    if (this.order.paidBy === null) return;
    const sums = { captured: 0, cancelled: 0, reversed: 0, reservedHold: 0, reservedReversal: 0 };
    for (const leg of this.legs) {
      if (leg.state !== 'Authorized') continue;
      const amounts = this.amountsOf(leg);
      for (const member of SUMS) sums[member] += amounts[member];
    }
    this.set(sums as Record<(typeof SUMS)[number], AmountMinor>);
    const { amount, captured, cancelled, reversed, operation } = this.order;
    if (operation === 'Verify') return;
    const isOver = captured + cancelled === amount;
    const status = captured === 0 ? 'Cancelled' : 'Reversed';
    if (isOver && reversed === captured) this.set({ status });
    if (isOver) this.set({ authorizedUntil: null });
  }

  /** The effect of all steps, and of what else happens with them. */
  finish(action: AuditAction, beside: readonly Effect[] = []): Effect {
    this.sumUp();
    this.set({ updatedAt: this.now, version: this.before.version + 1 });
    const writes = [...this.#writes];
    for (const entry of this.#history) {
      this.set({ historyCount: this.order.historyCount + 1 });
      writes.push(write(HISTORY_ENTRY, historyOf(this.order, entry)));
    }
    const ownEvents = this.#events.map((event) => {
      this.set({ eventSequence: this.order.eventSequence + 1 });
      return eventOf({ order: this.order, legs: this.legs, transactions: this.#transactions() }, event);
    });
    writes.push(write(CHANGED_ORDER, this.order), ...this.#changedLegs());
    const { terms, orderItems } = this.before;
    const hasOtherTerms = this.order.terms !== terms || this.order.orderItems !== orderItems;
    if (hasOtherTerms) writes.push(write(OTHER_TERMS, this.order));
    const { orderId, status, amount } = this.order;
    const own = { writes, ownEvents, object: { objectId: orderId, details: { state: status, amount } }, action };
    return mergeEffects(own, [...this.#effects, ...beside]);
  }

  /** The legs that count, with the amounts of what they stand for. */
  #legsWithAmounts(): readonly LegWithAmounts[] {
    return this.legs.map((leg) => ({ ...leg, amounts: this.amountsOf(leg) }));
  }

  /** Its transactions, and those that the steps have made or ended. */
  #transactions(): readonly OrderTransaction[] {
    const written = [NEW_ORDER_TRANSACTION, ENDED_ORDER_TRANSACTION].flatMap((name) => rowsBy(name, this.#writes));
    return [...this.#seen.transactions, ...written];
  }

  #changedLegs(): RowWrite[] {
    const added = new Set(rowsBy(NEW_LEG, this.#writes).map(({ legId }) => legId));
    const seen: readonly OrderLeg[] = this.#seen.legs;
    return [...this.#legs.values()]
      .filter((leg) => !added.has(leg.legId) && !seen.includes(leg))
      .map((leg) => write(CHANGED_LEG, leg));
  }

  #prolong(leg: OrderLeg, until: string): void {
    this.#took(leg, prolongForOrder(this.#paymentOf(leg), until, this.#ground(leg)), 0);
  }

  #ground(leg: OrderLeg) {
    return { account: this.accountOf(leg), now: this.now };
  }

  #paymentOf({ paymentId }: OrderLeg): Payment {
    assert(paymentId !== null, 'a leg that holds something has its payment');
    const payment = this.#payments.get(paymentId) ?? this.#state.row(PAYMENTS, paymentId);
    assert(payment !== undefined, 'a command names the payments of its legs');
    return payment;
  }

  #turnoversOf({ accountId }: Pick<OrderLeg, 'accountId'>): readonly Turnover[] {
    const ids = this.#turnoverIds[accountId ?? ''] ?? [];
    return ids.flatMap((id) => this.#turnovers.get(id) ?? this.#state.row(TURNOVERS, id) ?? []);
  }

  #counting(changed: ChangedLeg, rows: ReturnType<typeof counted>): ChangedLeg {
    for (const { id, row } of rows) this.#turnovers.set(id, row as Turnover);
    return { ...changed, effect: { ...changed.effect, rows: [...(changed.effect.rows ?? []), ...rows] } };
  }

  #took({ accountId }: Pick<OrderLeg, 'accountId'>, { payment, effect }: ChangedLeg, available: number): void {
    const before = this.accountOf({ accountId });
    this.#available.set(before.accountId, before.available + available);
    this.#payments.set(payment.paymentId, payment);
    this.#effects.push(effect);
  }

  #legNow({ legId }: OrderLeg): OrderLeg {
    const leg = this.#legs.get(legId);
    assert(leg !== undefined, 'a leg is one of its order');
    return leg;
  }

  #setLeg(leg: OrderLeg): void {
    this.#legs.set(leg.legId, { ...leg, updatedAt: this.now });
  }
}

/** Takes the id of a transaction from those of a command. */
export function newTransactionId(work: OrderWork): TransactionId {
  return work.newId() as TransactionId;
}
