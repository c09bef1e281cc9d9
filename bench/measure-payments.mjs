/** Authorizing over HTTP, grouped, against two yardsticks: batches of one, and the driver alone. */
import { join } from 'node:path';
import { processorMs } from './kontor.mjs';
import { openDriver } from './one-statement.mjs';
import { ACCOUNTS, CONNECTIONS, ECHO, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median } from './report.mjs';
import { authorize, openShop } from './shop.mjs';

/** One client alone is measured for this long; a second has some hundreds of its requests. */
const ALONE_SECONDS = 1;

/**
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns for accounts in turn (`spread`) and one account (`hot`): authorizations a second of all three, the ratios, 99 %
 * and the service's processor time for each; and what one client alone waits for
 */
export async function measurePayments({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'payments'), { accounts: ACCOUNTS });
  let driver;
  try {
    const ungrouped = await shop.serve('ungrouped', { KONTOR_BATCH_MAX: '1' });
    driver = await openDriver({ url: shop.server.appUrl, payeeId: shop.payeeId, echo: ECHO });
    const parties = { grouped: shop.grouped, ungrouped, driver, settle: shop.settle };
    const places = { spread: shop.accounts, hot: shop.accounts.slice(0, 1) };
    await measureRound(parties, places, WARM_UP_SECONDS);
    const results = [];
    for (let round = 0; round < rounds; round++) results.push(await measureRound(parties, places, seconds));
    return summary(results);
  } finally {
    await driver?.close();
    await shop.close();
  }
}

async function measureRound({ grouped, ungrouped, driver, settle }, places, seconds) {
  const round = {};
  for (const [place, accounts] of Object.entries(places)) {
    const accountIds = accounts.map(({ accountId }) => accountId);
    await settle();
    const driverPerSecond = await driver.rate(accountIds, seconds);
    await settle();
    const before = processorMs(grouped.processId);
    const own = await authorize(grouped, accounts, { connections: CONNECTIONS, seconds });
    const processorUs = ((processorMs(grouped.processId) - before) * 1000) / (own.perSecond * seconds);
    await settle();
    const alone = await authorize(ungrouped, accounts, { connections: CONNECTIONS, seconds });
    round[place] = { ...own, processorUs, driverPerSecond, ungroupedPerSecond: alone.perSecond };
  }
  const driverMs = await driver.latency(places.spread.map(({ accountId }) => accountId));
  const { medianMs } = await authorize(grouped, places.spread, { connections: 1, seconds: ALONE_SECONDS });
  return { ...round, alone: { medianMs, driverMs } };
}

function summary(rounds) {
  const middle = (read) => median(rounds.map(read));
  const placeSummary = (place) => {
    const of = (member) => middle((round) => round[place][member]);
    const ratios = (member) => rounds.map((round) => round[place].perSecond / round[place][member]);
    return {
      perSecond: of('perSecond'),
      p99Ms: of('p99Ms'),
      processorUs: of('processorUs'),
      ungroupedPerSecond: of('ungroupedPerSecond'),
      driverPerSecond: of('driverPerSecond'),
      overUngrouped: median(ratios('ungroupedPerSecond')),
      overDriver: median(ratios('driverPerSecond')),
      ratiosOverDriver: ratios('driverPerSecond'),
    };
  };
  return {
    spread: placeSummary('spread'),
    hot: placeSummary('hot'),
    alone: {
      medianMs: middle(({ alone }) => alone.medianMs),
      driverMs: middle(({ alone }) => alone.driverMs),
      moreMs: middle(({ alone }) => alone.medianMs - alone.driverMs),
    },
  };
}
