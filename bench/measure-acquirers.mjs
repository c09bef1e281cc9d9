/** Authorizing test cards over HTTP: each asks an acquirer, in a process of its own, over its socket, between two batches. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMs, treeMs } from './kontor.mjs';
import { ACCOUNTS, COMPILED_AFTER_SECONDS, CONNECTIONS } from './payments-terms.mjs';
import { median, percentile, printGoal, printValue } from './report.mjs';
import { authorize, openAcquiringShop } from './shop.mjs';

/** Payments a second that are asked for. */
const WANTED = 500;

/** Writes that the disk is asked to keep alone, and the milliseconds between two. */
const KEPT_WRITES = 1_000;
const KEPT_EVERY_MS = 2;

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
    await authorize(service, accounts, { connections: CONNECTIONS, seconds: COMPILED_AFTER_SECONDS });
    const measureRound = async (pace) => {
      await shop.settle();
      // What the system still has to write of the round before would hold this one's commits up.
      execFileSync('sync');
      const before = spent();
      const result = await authorize(service, accounts, { connections: CONNECTIONS, seconds, ...pace });
      const after = spent();
      const us = (party) => ((after[party] - before[party]) * 1000) / result.requests;
      return { ...result, serviceUs: us('service'), acquirerUs: us('acquirer'), postgresUs: us('postgres') };
    };
    const results = [];
    for (let round = 0; round < rounds; round++) results.push(await measureRound({}));
    const disk = await keepWrites(place);
    // As many at once as it takes for 500 a second, each when it is due: what a payer waits for beside others.
    const { perSecond, medianMs, p99Ms, acquirerUs } = await measureRound({ perSecond: WANTED });
    const middle = (name) => median(results.map((result) => result[name]));
    return {
      perSecond: middle('perSecond'),
      p99Ms: middle('p99Ms'),
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      serviceUs: middle('serviceUs'),
      acquirerUs: middle('acquirerUs'),
      postgresUs: middle('postgresUs'),
      // The test acquirer answers in the turn in which it reads: its own time is what it takes of a processor.
      paced: { perSecond, medianMs, p99Ms, aboveMs: p99Ms - acquirerUs / 1000 },
      disk,
    };
  } finally {
    await shop.close();
  }
}

/** What the disk alone takes to keep a page of PostgreSQL's journal: each payment waits for that twice. */
async function keepWrites(folder) {
  const file = await open(join(folder, 'kept-writes'), 'w');
  const page = Buffer.alloc(8192);
  const times = [];
  await file.write(Buffer.alloc(KEPT_WRITES * page.length));
  await file.sync();
  for (let index = 0; index < KEPT_WRITES; index++) {
    await pause(KEPT_EVERY_MS);
    await file.write(page, 0, page.length, index * page.length);
    const before = performance.now();
    await file.datasync();
    times.push(performance.now() - before);
  }
  await file.close();
  return { medianMs: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

export function reportAcquirers({ perSecond, p99Ms, requests, serviceUs, acquirerUs, postgresUs, paced, disk }) {
  printGoal('Authorize at an acquirer, 64 connections, payments a second', perSecond, { atLeast: WANTED });
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  processor time of the service for each, microseconds', serviceUs);
  printValue('  of PostgreSQL', postgresUs);
  printValue('  of the acquirer', acquirerUs);
  printValue('  payments in all', requests);
  printGoal('At 500 a second, above the acquirer’s time: 99 % within, ms', paced.aboveMs, { below: 20 });
  printValue('  with it, milliseconds', paced.p99Ms);
  printValue('  the median, milliseconds', paced.medianMs);
  printValue('  payments a second', paced.perSecond);
  printValue('  99 % of what the disk alone keeps, milliseconds', disk.p99Ms);
  printValue('  the median, milliseconds', disk.medianMs);
}
