import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { endingUse } from '../keys/ending-use.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { CardPaymentKey } from '../payments/payments.types.ts';
import type { CardPaymentsContext } from '../payments/payments-context.types.ts';
import { FIND_COUNTERS } from './guessing/guesses.store.ts';
import { PAUSES_DAYS } from './guessing/guessing.rules.ts';
import type {
  CounterKey,
  FoundCounter,
  GuessingContext,
  GuessingListener,
  PlacedEntry,
} from './guessing/guessing.types.ts';
import { judgeEntries } from './guessing/judge-entry.ts';
import { entriesClosed, judgeGiftCard } from './guessing/judge-gift-card.flow.ts';
import { INVARIANTS } from './invariants.store.ts';
import { FIND_AT_PAGES, FIND_ORDERS, FIND_SUCCESSORS } from './orders.store.ts';
import type {
  OfferKey,
  OrderKey,
  PersonService,
  StoredAtPage,
  StoredOffer,
  StoredOrder,
  Successor,
} from './orders.types.ts';
import type { OrderFlows, OrdersContext } from './orders-context.types.ts';
import { orderPages } from './page/order-pages.flow.ts';
import { findCardholder, ORDER_PAYER_KEY_USE } from './payers/order-payers.ts';
import { FIND_OFFERS } from './settings/order-settings.store.ts';
import { submitterOfOrders } from './submit-change.ts';

/** What payment orders are composed of. */
export interface OrdersParts
  extends Omit<
    OrdersContext,
    'read' | 'findOffer' | 'findStored' | 'findAtPage' | 'findSuccessor' | 'judge' | 'closed'
  > {}

const ORDERS: Journaled = { table: 'payment_order', id: 'order_id', kind: 'payment-order' };

/** Composes payment orders. */
export function composeOrders(parts: OrdersParts) {
  const { config, database } = parts;
  const { keyRing, pause } = parts.cardPayments;
  const { read, transact } = database;
  let listener: GuessingListener | undefined;
  const guessing: GuessingContext = {
    keyRing,
    pause,
    findCounter: database.find<CounterKey, FoundCounter>(FIND_COUNTERS),
    count: database.gather((transaction, entries: readonly PlacedEntry[]) => {
      return judgeEntries(transaction, { keyRing, newId: parts.newId }, entries);
    }),
  };
  const findOffer = database.find<OfferKey, StoredOffer>(FIND_OFFERS);
  const context: OrdersContext = {
    ...parts,
    read,
    findOffer,
    findStored: database.find<OrderKey, StoredOrder>(FIND_ORDERS),
    findAtPage: database.find<CardPaymentKey, StoredAtPage>(FIND_AT_PAGES),
    findSuccessor: database.find<AccountKey, Successor>(FIND_SUCCESSORS),
    judge: (asked) => judgeGiftCard(listener === undefined ? guessing : { ...guessing, listener }, asked),
    closed: (asking) => entriesClosed(guessing, asking),
  };
  const flows: OrderFlows = { transact, context };
  const person = { ...parts.cardPayments.tokens, read };
  return {
    context,
    config,
    database,
    person,
    guessing,
    flows,
    /** Has entries of gift cards told to the log and the metrics of the process. */
    listenToGuessing: (heard: GuessingListener) => {
      listener = heard;
    },
    pages: () => orderPages(flows),
    invariants: orderInvariants(),
    submitOfOrder: submitterOfOrders(() => context),
    cardholderOf: ((order) => findCardholder({ read, keyRing }, order)) satisfies CardPaymentsContext['cardholderOf'],
    keyUses: [ORDER_PAYER_KEY_USE, endingUse('guesses', PAUSES_DAYS)],
    commands: {
      orders: (): PersonService => ({
        ...database.background,
        whichPayee: (payee) => database.background.transact((transaction) => whichPayee(transaction, payee)),
        person: { ...parts.cardPayments.tokens, read: database.background.read },
      }),
    },
  };
}

/** What `kontor ledger verify` checks of payment orders, beside what holds of their legs. */
function orderInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(ORDERS), makersAreKnown(ORDERS)];
}
