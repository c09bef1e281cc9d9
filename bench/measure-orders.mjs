/** Payment orders against what is done without them, in the same run. */
import { join } from 'node:path';
import { ACCOUNTS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, makeOrders, openShop } from './shop.mjs';

/** Clients that make orders at the same time, and that pay. */
const CONNECTIONS = 32;

/**
 * Making an order is a command of the group commit, as an authorization is, with the card payment that it has.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 */
export async function measureOrders({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'orders'), { accounts: ACCOUNTS });
  try {
    const load = (duration) => ({ connections: CONNECTIONS, seconds: duration });
    await makeOrders(shop.grouped, load(WARM_UP_SECONDS));
    await authorize(shop.grouped, shop.accounts, load(WARM_UP_SECONDS));
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const orders = await makeOrders(shop.grouped, load(seconds));
      const payments = await authorize(shop.grouped, shop.accounts, load(seconds));
      results.push({ orders, payments, ratio: orders.perSecond / payments.perSecond });
    }
    return {
      perSecond: median(results.map(({ orders }) => orders.perSecond)),
      p99Ms: median(results.map(({ orders }) => orders.p99Ms)),
      paymentsPerSecond: median(results.map(({ payments }) => payments.perSecond)),
      ratio: median(results.map(({ ratio }) => ratio)),
    };
  } finally {
    await shop.close();
  }
}

export function reportOrders({ perSecond, p99Ms, paymentsPerSecond, ratio }) {
  printValue(`New payment orders of three items, ${CONNECTIONS} connections, a second`, perSecond);
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  authorizations, as many connections, a second', paymentsPerSecond);
  printGoal('  times the authorizations', ratio, { atLeast: 0.5 });
}
