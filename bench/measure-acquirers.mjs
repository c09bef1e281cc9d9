/** Authorizing test cards over HTTP: each asks the test acquirer, over its socket, between two batches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs } from './kontor.mjs';
import { CONNECTIONS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, openShop } from './shop.mjs';

/**
 * The test acquirer runs in the service's process, as in every sandbox: its share of the processor is in the numbers.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns authorizations a second, 99 % of them, how many there were, and the processor time for each
 */
export async function measureAcquirers({ folder, rounds, seconds }) {
  const place = join(folder, 'acquirers');
  const shop = await openShop(place, { accounts: 0 });
  try {
    const { testCards } = JSON.parse(readFileSync(join(place, 'data', 'sandbox.json'), 'utf8'));
    const cards = testCards.map(({ paymentAccountId, accountKey }) => ({
      accountId: paymentAccountId,
      number: accountKey,
    }));
    await authorize(shop.grouped, cards, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const results = [];
    for (let round = 0; round < rounds; round++) {
      await shop.settle();
      const before = processorMs(shop.grouped.processId);
      const result = await authorize(shop.grouped, cards, { connections: CONNECTIONS, seconds });
      const spentMs = processorMs(shop.grouped.processId) - before;
      results.push({ ...result, processorUs: (spentMs * 1000) / result.requests });
    }
    const middle = (name) => median(results.map((result) => result[name]));
    return {
      perSecond: middle('perSecond'),
      p99Ms: middle('p99Ms'),
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      processorUs: middle('processorUs'),
    };
  } finally {
    await shop.close();
  }
}

export function reportAcquirers({ perSecond, p99Ms, requests, processorUs }) {
  printGoal('Authorize at the test acquirer, 64 connections, payments a second', perSecond, { atLeast: 500 });
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  processor time of the service and the acquirer for each, microseconds', processorUs);
  printValue('  payments in all', requests);
}
