/**
 * What a second process adds: authorizations by one service, in turn with as many clients again on a second one beside it, each on
 * accounts of its own. Once with the database on this machine, whose cores both share; and once with a database that is
 * far away, where a process waits and the cores are free.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { processorMs } from './kontor.mjs';
import { ACCOUNTS, COMPILED_AFTER_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, openShop } from './shop.mjs';

/** To a far database, in milliseconds: half of the 2 that there and back take. */
const ONE_WAY_MS = 1;
/** So few at a time that waiting limits more than two cores do. */
const FAR = { connections: 8, batchMax: 2 };
const NEAR = { connections: 32, batchMax: 256 };

/**
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns of both places the authorizations a second of one process and of two, and how many times as many these are
 */
export async function measureProcesses({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'processes'), { accounts: ACCOUNTS });
  const network = fork(join(import.meta.dirname, 'far-database.mjs'));
  try {
    network.send({ target: placeOf(shop.server.appUrl), oneWayMs: ONE_WAY_MS });
    const [port] = await once(network, 'message');
    const near = await measurePlace(shop, { name: 'near', url: shop.server.appUrl, ...NEAR, rounds, seconds });
    const url = throughPort(shop.server.appUrl, port);
    return { near, far: await measurePlace(shop, { name: 'far', url, ...FAR, rounds, seconds }) };
  } finally {
    await shop.close();
    network.disconnect();
  }
}

async function measurePlace(shop, { name, url, connections, batchMax, rounds, seconds }) {
  const settings = { KONTOR_MODE: 'sandbox', KONTOR_DATABASE_URL: url, KONTOR_BATCH_MAX: String(batchMax) };
  const first = await shop.serve(`${name}-first`, settings);
  const second = await shop.serve(`${name}-second`, settings);
  const half = shop.accounts.length / 2;
  const [own, other] = [
    { service: first, accounts: shop.accounts.slice(0, half) },
    { service: second, accounts: shop.accounts.slice(half) },
  ];
  const pay = (parties, duration) => payBeside(parties, { connections, seconds: duration });
  await pay([own, other], COMPILED_AFTER_SECONDS);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    await shop.settle();
    const one = await pay([own], seconds);
    await shop.settle();
    const two = await pay([own, other], seconds);
    results.push({ one, two, times: two.perSecond / one.perSecond });
  }
  const middle = (read) => median(results.map(read));
  return {
    one: { perSecond: middle(({ one }) => one.perSecond), processorUs: middle(({ one }) => one.processorUs) },
    two: { perSecond: middle(({ two }) => two.perSecond), processorUs: middle(({ two }) => two.processorUs) },
    times: middle(({ times }) => times),
    rounds: results,
  };
}

/** Authorizes by several services at the same time: the sum of their rates, and their processor time for each. */
async function payBeside(parties, options) {
  const spent = () => parties.reduce((sum, { service }) => sum + processorMs(service.processId), 0);
  const before = spent();
  const loads = await Promise.all(parties.map(({ service, accounts }) => authorize(service, accounts, options)));
  const sum = (member) => loads.reduce((total, load) => total + load[member], 0);
  return { perSecond: sum('perSecond'), processorUs: ((spent() - before) * 1000) / sum('requests') };
}

/** Where a database is, as a socket is told. */
function placeOf(url) {
  const { host, port } = new pg.Client({ connectionString: url });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** The same database and role, by a port of this machine. */
function throughPort(url, port) {
  const { user, password, database } = new pg.Client({ connectionString: url });
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** What a second process must add: nothing on cores that are busy, nearly its own where it waits. */
const GOALS = { near: 0.9, far: 1.7 };

export function reportProcesses(results) {
  for (const [place, atLeast] of Object.entries(GOALS)) {
    const { one, two, times } = results[place];
    printValue(`One process, database ${place}: authorizations a second`, one.perSecond);
    printValue('  processor time of the service for each, microseconds', one.processorUs);
    printValue('Two processes: authorizations a second', two.perSecond);
    printValue('  processor time of both for each', two.processorUs);
    printGoal('  two, times one', times, { atLeast });
  }
}
