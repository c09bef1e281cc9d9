import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import { stopAll } from '../kit/work/background.ts';
import { endCardHistory } from './cards/end-card-history.ts';
import { startReleasingHeldCards, startSweepingCards } from './cards/sweep-cards.job.ts';
import { paymentChangeRoutes } from './changes/payment-changes.http.ts';
import type { composePayments } from './compose.ts';
import { startExpiringPayments } from './expire-payments.job.ts';
import { bankRoutes } from './page/authentication.http.ts';
import { pageRoutes } from './page/page.http.ts';
import { viewScriptRoutes } from './page/view-script.http.ts';
import { pageAssets } from './page-integrity/page-assets.adapter.ts';
import { policyReportRoute } from './page-integrity/policy-reports.http.ts';
import { forgetSomeCardPayers, sealSomePayers } from './payers/end-payers.ts';
import { CARD_PLACE, type PaymentPlace, paymentAnswer } from './payment-answers.http.ts';
import { cardPaymentRoutes, lookingOf } from './payments.http.ts';
import type { CardPaymentView } from './payments.types.ts';
import { type ReadPayments, readRoute, subResourceRoutes } from './sub-resources.http.ts';
import { startEndingAuthentications } from './tries/end-authentications.job.ts';

/** Milliseconds between two looks for cards that are recognised no more: an hour, days are what counts. */
const CARD_HISTORY_INTERVAL_MS = 3_600_000;

type CardPayments = ReturnType<typeof composePayments>;

/** What the routes of card payments are given. */
interface Given {
  readonly baseUrl: () => string;
  readonly isExempt: (address: string) => boolean;
  /** Whether an address is a proxy's, behind which all callers are. */
  readonly isShared: (address: string) => boolean;
}

/** Card payments, and the page that they are paid on. */
export function routes(
  { context, config, database, orders, reported }: CardPayments,
  { baseUrl, isExempt, isShared }: Given,
) {
  const options = { transact: database.transact, context, baseUrl };
  const assets = pageAssets();
  const onPage = {
    ...options,
    orders,
    from: (address: string) => ({ address: isShared(address) ? undefined : address, isFree: isExempt(address) }),
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
      ...pageRoutes(onPage),
      ...bankRoutes(onPage),
      policyReportRoute(reported),
      ...viewScriptRoutes({ context, assets, viewGlobals: config.viewGlobals }),
    ],
  };
}

type Asking = Pick<EdgeRequest, 'caller' | 'expand'>;

/** How payments are shown, for slices above that show theirs, or payments of their own, in the same form. */
export function answers({ context }: CardPayments, { baseUrl }: Pick<Given, 'baseUrl'>) {
  const options = { context, baseUrl };
  return {
    show: (view: CardPaymentView, request: Asking, place: PaymentPlace = CARD_PLACE) =>
      paymentAnswer(view, lookingOf(request, options, place)).payment as Readonly<Record<string, unknown>>,
    readRoutes: (payments: ReadPayments): ApiRoute[] => [
      readRoute(options, payments),
      ...subResourceRoutes(options, payments),
    ],
  };
}

/** Ends what was not paid, and forgets what need not be known any more. */
export function startJobs({ context }: CardPayments, given: JobContext) {
  return {
    stop: stopAll([
      startExpiringPayments({ ...given, context }),
      startEndingAuthentications({ ...given, context }),
      startSweepingCards(given),
      startForgetting(given, {
        work: 'end-card-history',
        forget: endCardHistory,
        intervalMs: CARD_HISTORY_INTERVAL_MS,
      }),
      startReleasingHeldCards({ ...given, issuers: context.issuers }),
      startForgetting(given, { work: 'forget-card-payers', forget: forgetSomeCardPayers }),
      startForgetting(given, { work: 'seal-payers', forget: (some) => sealSomePayers(some, context.keyRing) }),
    ]),
  };
}
