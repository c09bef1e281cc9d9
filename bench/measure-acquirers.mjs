/** Authorizing test cards over HTTP: each asks an acquirer, in a process of its own, over its socket, between two batches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs, treeMs } from './kontor.mjs';
import { ACCOUNTS, CONNECTIONS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, openAcquiringShop } from './shop.mjs';

/**
 * In production mode, as acquirers are connected there, over two connections.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns authorizations a second, 99 % of them, how many there were, and the processor time of each party for one
 */
export async function measureAcquirers({ folder, rounds, seconds }) {
  const place = join(folder, 'acquirers');
  const shop = await openAcquiringShop(place, { cards: ACCOUNTS });
  const { service, accounts, acquirer } = shop;
  const [postmaster] = readFileSync(join(place, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
  const spent = () => ({
    service: processorMs(service.processId),
    acquirer: processorMs(acquirer.processId),
    postgres: treeMs(postmaster),
  });
  try {
    await authorize(service, accounts, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const results = [];
    for (let round = 0; round < rounds; round++) {
      await shop.settle();
      const before = spent();
      const result = await authorize(service, accounts, { connections: CONNECTIONS, seconds });
      const after = spent();
      const us = (party) => ((after[party] - before[party]) * 1000) / result.requests;
      results.push({ ...result, serviceUs: us('service'), acquirerUs: us('acquirer'), postgresUs: us('postgres') });
    }
    // As many at once as it takes for 500 a second, each when it is due: what a payer waits for beside others.
    await shop.settle();
    const paced = await authorize(service, accounts, { connections: CONNECTIONS, seconds, perSecond: WANTED });
    const middle = (name) => median(results.map((result) => result[name]));
    return {
      perSecond: middle('perSecond'),
      p99Ms: middle('p99Ms'),
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      serviceUs: middle('serviceUs'),
      acquirerUs: middle('acquirerUs'),
      postgresUs: middle('postgresUs'),
      paced: { perSecond: paced.perSecond, medianMs: paced.medianMs, p99Ms: paced.p99Ms },
    };
  } finally {
    await shop.close();
  }
}

/** Payments a second that are asked for. */
const WANTED = 500;

export function reportAcquirers({ perSecond, p99Ms, requests, serviceUs, acquirerUs, postgresUs, paced }) {
  printGoal('Authorize at an acquirer, 64 connections, payments a second', perSecond, { atLeast: WANTED });
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  processor time of the service for each, microseconds', serviceUs);
  printValue('  of PostgreSQL', postgresUs);
  printValue('  of the acquirer', acquirerUs);
  printValue('  payments in all', requests);
  printGoal('At 500 a second: 99 % within, milliseconds', paced.p99Ms, { below: 20 });
  printValue('  the median, milliseconds', paced.medianMs);
  printValue('  payments a second', paced.perSecond);
}
