import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { endingUse } from '../keys/ending-use.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { CardPaymentKey, CardPaymentsContext } from '../payments/payments.types.ts';
import type { OrderRoutesOptions, PaymentAnswers } from './answers/order-requests.http.ts';
import type { OrderJobsContext } from './end-orders.job.ts';
import { forgetGuesses } from './guessing/counters.ts';
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
import { endSomeCircumstances } from './payers/end-circumstances.ts';
import { findCardholder, forgetSomePayers, ORDER_PAYER_KEY_USE } from './payers/order-payers.ts';
import { FIND_OFFERS } from './settings/order-settings.store.ts';
import { submitterOfOrders } from './submit-change.ts';

/** What payment orders are composed of. */
export interface OrdersParts
  extends Omit<
    OrdersContext,
    'read' | 'findOffer' | 'findStored' | 'findAtPage' | 'findSuccessor' | 'judge' | 'closed'
  > {
  readonly config: Pick<Config, 'circumstancesDays'>;
  readonly database: Pick<Database, 'find' | 'gather' | 'read' | 'transact' | 'background'>;
  /** How card payments are shown. */
  readonly paymentAnswers: (given: Pick<OrderRoutesOptions, 'baseUrl'>) => Promise<PaymentAnswers>;
}

/** What jobs need of the process. */
type JobsParts = Pick<OrderJobsContext, 'background' | 'workOn'>;

const ORDERS: Journaled = { table: 'payment_order', id: 'order_id', kind: 'payment-order' };

/** Composes payment orders: their routes, and what commands ask of them. */
export function composeOrders({ config, database, paymentAnswers, ...parts }: OrdersParts) {
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
    startJobs: (given: JobsParts) =>
      startJobs(given, { ...database.background, context, days: config.circumstancesDays }),
    keyUses: [ORDER_PAYER_KEY_USE, endingUse('guesses', PAUSES_DAYS)],
    routes: async ({ baseUrl }: Pick<OrderRoutesOptions, 'baseUrl'>) => {
      const [settings, payers, persons, orders, parts, changes, legs, answers] = await Promise.all([
        import('./settings/order-settings.http.ts'),
        import('./payers/payers.http.ts'),
        import('./payers/person.http.ts'),
        import('./answers/orders.http.ts'),
        import('./answers/order-part-routes.http.ts'),
        import('./answers/order-changes.http.ts'),
        import('./answers/order-legs.http.ts'),
        paymentAnswers({ baseUrl }),
      ]);
      const options: OrderRoutesOptions = { ...flows, baseUrl, answers };
      return {
        apiRoutes: [
          ...orders.orderRoutes(options),
          ...parts.orderPartRoutes(options),
          ...changes.orderChangeRoutes(options),
          ...legs.sessionRoutes(options),
          ...legs.giftCardPaymentRoutes(options),
          ...payers.payerRoutes({ baseUrl, transact, person }),
        ],
        portalRoutes: [...settings.orderSettingsRoutes(database), ...persons.personRoutes({ transact, person })],
      };
    },
    commands: {
      orders: (): PersonService => ({
        ...database.background,
        whichPayee: (payee) => database.background.transact((transaction) => whichPayee(transaction, payee)),
        person: { ...parts.cardPayments.tokens, read: database.background.read },
      }),
    },
  };
}

async function startJobs(
  { background, workOn }: JobsParts,
  { read, transact, context, days }: Database['background'] & Pick<OrderFlows, 'context'> & { readonly days: number },
) {
  const [{ startEndingOrders }, { startForgettingUnused }] = await Promise.all([
    import('./end-orders.job.ts'),
    import('./payers/unused-payers.job.ts'),
  ]);
  const stops = [
    startForgetting({ background, transact }, { work: 'forget-guesses', forget: forgetGuesses }),
    startForgetting({ background, transact }, { work: 'forget-payers', forget: forgetSomePayers }),
    startForgetting(
      { background, transact },
      { work: 'forget-circumstances', forget: (some) => endSomeCircumstances(some, days) },
    ),
    startForgettingUnused({ background, transact }, days),
    startEndingOrders({ background, workOn, transact, context: { ...context, read } }),
  ];
  return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

/** What `kontor ledger verify` checks of payment orders, beside what holds of their legs. */
function orderInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(ORDERS), makersAreKnown(ORDERS)];
}
