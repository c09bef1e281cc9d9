import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import { CARD_HISTORY_DAYS } from '../engine/card-history/card-history.types.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import type { AttemptSettler } from '../issuers/issuers.types.ts';
import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { endingUse } from '../keys/ending-use.ts';
import type { CardTesting, CardTestingListener } from './card-testing.types.ts';
import { giveUpCardAttempt, noteCardAttemptTakenBack, settleForwardedCapture } from './cards/recover-attempt.ts';
import type { SweepingContext } from './cards/sweep-cards.job.ts';
import { INVARIANTS } from './invariants.store.ts';
import type { OrderPages } from './page/page.types.ts';
import { PAGE_LINK_DAYS } from './page/page-link.ts';
import type { PolicyReportListener } from './page-integrity/policy-reports.http.ts';
import { forgetSomeCardPayers, sealSomePayers } from './payers/end-payers.ts';
import { CARD_PAYER_KEY_USES } from './payers/sealed-payers.ts';
import type { PaymentPlace } from './payment-answers.http.ts';
import type { CardPaymentsContext, CardPaymentView, PaymentRoutesOptions } from './payments.types.ts';
import type { ReadPayments } from './sub-resources.http.ts';

/** Milliseconds between two looks for cards that are recognised no more: an hour, days are what counts. */
const CARD_HISTORY_INTERVAL_MS = 3_600_000;

/** What card payments are composed of. They ask the same issuers as account payments do. */
export interface PaymentsParts extends Omit<CardPaymentsContext, 'isSandbox' | 'read' | 'cardTesting'> {
  readonly config: Pick<Config, 'mode' | 'viewGlobals' | 'cardTesting'>;
  readonly database: Pick<Database, 'read' | 'transact'>;
  /** Who knows the orders that card payments pay parts of; asked once pages are opened. */
  readonly orders?: () => OrderPages;
}

/** What the routes of card payments are given. */
interface Given {
  readonly baseUrl: () => string;
  readonly isExempt: (address: string) => boolean;
  /** Whether an address is a proxy's, behind which all callers are. */
  readonly isShared: (address: string) => boolean;
}

const CARD_PAYMENTS: Journaled = { table: 'card_payment', id: 'payment_id', kind: 'card-payment' };

/** Composes card payments: their routes, the payment page, their jobs, and who settles their attempts. */
export function composePayments({ config, database, orders, ...parts }: PaymentsParts) {
  const isSandbox = config.mode === 'sandbox';
  const cardTesting: { limits: CardTesting['limits']; listener?: CardTestingListener } = { limits: config.cardTesting };
  const reports: { listener?: PolicyReportListener } = {};
  const context: CardPaymentsContext = {
    ...parts,
    read: database.read,
    isSandbox,
    cardTesting,
  };
  const settler: AttemptSettler = {
    giveUp: (attempt) => giveUpCardAttempt(context, attempt),
    settleForwarded: (attempt, answer) => settleForwardedCapture(context, attempt, answer),
    noteTakenBack: (attempt) => noteCardAttemptTakenBack(context, attempt),
  };
  return {
    context,
    listenToCardTesting: (listener: CardTestingListener) => {
      cardTesting.listener = listener;
    },
    listenToPolicyReports: (listener: PolicyReportListener) => {
      reports.listener = listener;
    },
    invariants: cardPaymentInvariants(),
    keyUses: [
      ...CARD_PAYER_KEY_USES,
      endingUse('card-history', CARD_HISTORY_DAYS),
      endingUse('page-links', PAGE_LINK_DAYS),
    ],
    settler,
    routes: async (given: Given) =>
      routesOf(
        { transact: database.transact, context, baseUrl: given.baseUrl },
        { ...given, orders, viewGlobals: config.viewGlobals, reported: () => reports.listener },
      ),
    answers: async ({ baseUrl }: Pick<Given, 'baseUrl'>) => answersOf({ context, baseUrl }),
    startJobs: async (given: SweepingContext) => {
      const [expiring, authenticating, sweeping, history] = await Promise.all([
        import('./expire-payments.job.ts'),
        import('./tries/end-authentications.job.ts'),
        import('./cards/sweep-cards.job.ts'),
        import('./cards/end-card-history.ts'),
      ]);
      const stops = [
        expiring.startExpiringPayments({ ...given, context }),
        authenticating.startEndingAuthentications({ ...given, context }),
        sweeping.startSweepingCards(given),
        startForgetting(given, {
          work: 'end-card-history',
          forget: history.endCardHistory,
          intervalMs: CARD_HISTORY_INTERVAL_MS,
        }),
        sweeping.startReleasingHeldCards({ ...given, issuers: context.issuers }),
        startForgetting(given, { work: 'forget-card-payers', forget: forgetSomeCardPayers }),
        startForgetting(given, { work: 'seal-payers', forget: (some) => sealSomePayers(some, context.keyRing) }),
      ];
      return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
    },
  };
}

async function routesOf(
  options: PaymentRoutesOptions,
  {
    isExempt,
    isShared,
    orders,
    viewGlobals,
    reported,
  }: Given & {
    readonly orders: PaymentsParts['orders'] | undefined;
    readonly reported: () => PolicyReportListener | undefined;
  } & Pick<Config, 'viewGlobals'>,
) {
  const [
    { cardPaymentRoutes },
    { paymentChangeRoutes },
    { readRoute, subResourceRoutes },
    page,
    banks,
    { viewScriptRoutes },
    { pageAssets },
    { policyReportRoute },
  ] = await Promise.all([
    import('./payments.http.ts'),
    import('./changes/payment-changes.http.ts'),
    import('./sub-resources.http.ts'),
    import('./page/page.http.ts'),
    import('./page/authentication.http.ts'),
    import('./page/view-script.http.ts'),
    import('./page-integrity/page-assets.adapter.ts'),
    import('./page-integrity/policy-reports.http.ts'),
  ]);
  const assets = pageAssets();
  const from = (address: string) => ({ address: isShared(address) ? undefined : address, isFree: isExempt(address) });
  const onPage = {
    ...options,
    orders,
    from,
    assets,
    isExempt: (address: string) => isExempt(address) || isShared(address),
  };
  return {
    apiRoutes: [
      ...cardPaymentRoutes(options),
      readRoute(options),
      ...paymentChangeRoutes(options),
      ...subResourceRoutes(options),
    ],
    openRoutes: [
      ...page.pageRoutes(onPage),
      ...banks.bankRoutes(onPage),
      policyReportRoute(reported),
      ...viewScriptRoutes({ context: options.context, assets, viewGlobals }),
    ],
  };
}

/** How payments are shown, for slices above that show theirs, or payments of their own, in the same form. */
async function answersOf(options: Pick<PaymentRoutesOptions, 'baseUrl' | 'context'>) {
  const [{ paymentAnswer, CARD_PLACE }, { lookingOf }, { readRoute, subResourceRoutes }] = await Promise.all([
    import('./payment-answers.http.ts'),
    import('./payments.http.ts'),
    import('./sub-resources.http.ts'),
  ]);
  return {
    show: (view: CardPaymentView, request: Asking, place: PaymentPlace = CARD_PLACE) =>
      paymentAnswer(view, lookingOf(request, options, place)).payment as Readonly<Record<string, unknown>>,
    readRoutes: (payments: ReadPayments): ApiRoute[] => [
      readRoute(options, payments),
      ...subResourceRoutes(options, payments),
    ],
  };
}

type Asking = Pick<EdgeRequest, 'caller' | 'expand'>;

/** What `kontor ledger verify` checks of card payments, beside what holds of every movement. */
function cardPaymentInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(CARD_PAYMENTS), makersAreKnown(CARD_PAYMENTS)];
}
