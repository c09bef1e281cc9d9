import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import { stopAll } from '../kit/work/background.ts';
import { orderChangeRoutes } from './answers/order-changes.http.ts';
import { giftCardPaymentRoutes, sessionRoutes } from './answers/order-legs.http.ts';
import { orderPartRoutes } from './answers/order-part-routes.http.ts';
import type { OrderRoutesOptions } from './answers/order-requests.http.ts';
import { orderRoutes } from './answers/orders.http.ts';
import type { composeOrders } from './compose.ts';
import { startEndingOrders } from './end-orders.job.ts';
import { forgetGuesses } from './guessing/counters.ts';
import { endSomeCircumstances } from './payers/end-circumstances.ts';
import { forgetSomePayers } from './payers/order-payers.ts';
import { payerRoutes } from './payers/payers.http.ts';
import { personRoutes } from './payers/person.http.ts';
import { startForgettingUnused } from './payers/unused-payers.job.ts';
import { orderSettingsRoutes } from './settings/order-settings.http.ts';

type Orders = ReturnType<typeof composeOrders>;

/** Payment orders, and all that is stored of a person who pays. */
export function routes(
  { flows, database, person }: Orders,
  { baseUrl, answers }: Pick<OrderRoutesOptions, 'baseUrl' | 'answers'>,
) {
  const { transact } = database;
  const options: OrderRoutesOptions = { ...flows, baseUrl, answers };
  return {
    apiRoutes: [
      ...orderRoutes(options),
      ...orderPartRoutes(options),
      ...orderChangeRoutes(options),
      ...sessionRoutes(options),
      ...giftCardPaymentRoutes(options),
      ...payerRoutes({ baseUrl, transact, person }),
    ],
    portalRoutes: [...orderSettingsRoutes(database), ...personRoutes({ transact, person })],
  };
}

/** Ends what was not paid, and forgets what need not be known any more. */
export function startJobs({ context, config }: Orders, given: JobContext) {
  const days = config.circumstancesDays;
  return {
    stop: stopAll([
      startForgetting(given, { work: 'forget-guesses', forget: forgetGuesses }),
      startForgetting(given, { work: 'forget-payers', forget: forgetSomePayers }),
      startForgetting(given, { work: 'forget-circumstances', forget: (some) => endSomeCircumstances(some, days) }),
      startForgettingUnused(given, days),
      startEndingOrders({ ...given, context: { ...context, read: given.read } }),
    ]),
  };
}
