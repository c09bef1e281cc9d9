/** A database of years beside an empty one: requests in turn, commands at half and at all of the rows, and payments beside `ledger verify`. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { measureHeldSnapshots } from '../dist/modules/src/db/server/held-snapshots.js';
import { livingMs, postgresOf, processorMs, runKontor, treeMs } from './kontor.mjs';
import { liveADay } from './live-a-day.mjs';
import { CONNECTIONS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { load, openShop } from './shop.mjs';
import { addYears } from './years.mjs';
import { timeJobs } from './years-jobs.mjs';

const ACCOUNTS = 50;
/** Minor units on each account: all copies together must stay a number. */
const OPENING_BALANCE = 1_000_000_000;
/** Each kind of request that a load consists of. */
const KINDS = ['authorize', 'balance', 'gift-card', 'card-payment', 'payment-order'];
function dayBefore(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Commands that read much: reports are of a month. */
const PERIOD = ['--from', dayBefore(100), '--to', dayBefore(70)];
const commandsOf = (payeeId) => [
  ['ledger', 'verify'],
  ['ledger', 'trial-balance', '--payee', payeeId, ...PERIOD],
  ['ledger', 'sales', '--payee', payeeId, ...PERIOD],
  ['gift-cards', 'liability', '--payee', payeeId],
  ['payment-orders', 'list', '--payee', payeeId],
  ['accounts', 'list', '--payee', payeeId],
  ['payees', 'list'],
  ['background', 'list'],
  ['doctor'],
];
/** Seconds of a command that fails, such as at a time limit. */
const FAILED = Number.POSITIVE_INFINITY;
/** How often the snapshots are looked at. */
const LOOK_MS = 100;
/** Rounds of payments beside a look at the books, and milliseconds until that has begun. */
const ROUNDS_BESIDE = 20;
const START_MS = 2_000;

/**
 * @param {{folder: string, rounds: number, seconds: number, scale: number}} options `scale`: 1 is the whole
 * @returns `requests`: the rate beside years over that beside nothing, by kind; `commands`: seconds beside nothing, half and all; `jobs`: seconds
 *   of the processor beside half and all; `verify`
 */
export async function measureYears({ folder, rounds, seconds, scale }) {
  const empty = await openShop(join(folder, 'no-years'), { accounts: ACCOUNTS, openingBalance: OPENING_BALANCE });
  let years;
  let client;
  try {
    years = await openShop(join(folder, 'years'), { accounts: ACCOUNTS, openingBalance: OPENING_BALANCE });
    for (const shop of [empty, years]) {
      await liveADay(shop);
      await shop.settle();
    }
    client = new pg.Client({ connectionString: years.server.adminUrl });
    await client.connect();
    const commands = { empty: await timeCommands(empty) };
    const jobs = {};
    let loadSeconds = 0;
    let movements = 0;
    let from = 0;
    for (const [part, upTo] of Object.entries({ half: scale / 2, all: scale })) {
      // Its jobs would look for their rows while the indexes are away.
      await years.grouped.stop();
      const startedAt = performance.now();
      movements = await addYears(client, { payeeId: years.payeeId, scale: upTo, from });
      loadSeconds += (performance.now() - startedAt) / 1000;
      from = upTo;
      years = { ...years, grouped: await years.serve(part) };
      jobs[part] = await timeJobs({ client, shop: years });
      commands[part] = await timeCommands(years);
    }
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
    return {
      scale,
      movements,
      loadSeconds,
      gibibytes: Number(rows[0].bytes) / 2 ** 30,
      commands,
      jobs,
      requests: await compareRequests({ empty, years, rounds, seconds }),
      verify: await besideVerify({ shop: years, client, seconds }),
    };
  } finally {
    await client?.end();
    await years?.close();
    await empty.close();
  }
}

async function timeCommands({ dataDir, settings, payeeId }) {
  const seconds = {};
  for (const args of commandsOf(payeeId)) {
    const name = args.slice(0, 2).join(' ');
    const run = runKontor(dataDir, args, settings);
    // Books that are not right are no database to measure with. Another command that fails has told why.
    const { seconds: took } = await (name === 'ledger verify' ? run : run.catch(() => ({ seconds: FAILED })));
    seconds[name] = took;
  }
  return seconds;
}

async function compareRequests({ empty, years, rounds, seconds }) {
  const ratios = {};
  for (const kind of KINDS) {
    const run = async ({ grouped, accounts, payeeId }, duration) =>
      (await load(grouped, { kind, accounts, payeeId, connections: CONNECTIONS, seconds: duration })).perSecond;
    for (const shop of [empty, years]) await run(shop, WARM_UP_SECONDS);
    const found = [];
    for (let round = 0; round < rounds; round++) {
      const beside = await run(empty, seconds);
      found.push((await run(years, seconds)) / beside);
    }
    ratios[kind] = median(found);
  }
  return ratios;
}

/**
 * Authorizations while `ledger verify` runs, in turn with some before it and after the last of them; what they cost the service and PostgreSQL
 * without the look at the books itself; how old a snapshot becomes; temporary files.
 */
async function besideVerify({ shop: { grouped, accounts, dataDir, settings, server }, client, seconds }) {
  const postgres = postgresOf(dataDir);
  const sessions = async () => {
    const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()');
    return rows.map(({ pid }) => pid);
  };
  let verifiers = [];
  const spentMs = () =>
    processorMs(grouped.processId) + treeMs(postgres) - verifiers.reduce((sum, pid) => sum + livingMs(pid), 0);
  const pay = async () => {
    const before = spentMs();
    const { perSecond } = await load(grouped, { kind: 'authorize', accounts, connections: CONNECTIONS, seconds });
    return { perSecond, processorUs: ((spentMs() - before) * 1000) / (perSecond * seconds) };
  };
  const temporary = async () => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query('select temp_bytes from pg_stat_database where datname = current_database()');
    return Number(rows[0].temp_bytes);
  };
  const alone = [await pay(), await pay()];
  const bytesBefore = await temporary();
  let oldestSeconds = 0;
  const watcher = new pg.Client({ connectionString: server.adminUrl });
  await watcher.connect();
  const read = async ({ text }) => watcher.query(text);
  const look = setInterval(async () => {
    oldestSeconds = Math.max(oldestSeconds, await measureHeldSnapshots(read));
  }, LOOK_MS);
  const others = await sessions();
  let isOver = false;
  const verifying = runKontor(dataDir, ['ledger', 'verify'], settings).finally(() => {
    isOver = true;
  });
  await pause(START_MS);
  verifiers = (await sessions()).filter((pid) => !others.includes(pid));
  const beside = [];
  while (!isOver && beside.length < ROUNDS_BESIDE) beside.push(await pay());
  verifiers = [];
  // Without payments it goes on without rest.
  const verified = await verifying;
  alone.push(await pay(), await pay());
  clearInterval(look);
  await watcher.end();
  const share = (of) => median(beside.map((round) => round[of])) / median(alone.map((round) => round[of]));
  return {
    ratio: share('perSecond'),
    processorRatio: share('processorUs'),
    rounds: beside.length,
    seconds: verified.seconds,
    oldestSeconds,
    temporaryBytes: (await temporary()) - bytesBefore,
  };
}

function timesOf(seconds, halfSeconds) {
  return seconds === FAILED ? FAILED : seconds / halfSeconds;
}

export function reportYears({ scale, movements, loadSeconds, gibibytes, commands, jobs, requests, verify }) {
  printGoal(`Years of ${movements} movements: loaded, minutes`, loadSeconds / 60, { below: 15 * Math.max(1, scale) });
  printValue('  GiB of the database', gibibytes);
  for (const [kind, ratio] of Object.entries(requests)) {
    printGoal(`  ${kind}: times as many as beside nothing`, ratio, { atLeast: 0.8 });
  }
  for (const [command, seconds] of Object.entries(commands.all)) {
    printGoal(`  kontor ${command}: times as long as for half the rows`, timesOf(seconds, commands.half[command]), {
      below: 2.2,
    });
    printValue('    seconds', seconds);
    printValue('    seconds beside nothing', commands.empty[command]);
  }
  for (const [job, seconds] of Object.entries(jobs.all)) {
    printGoal(`  job ${job}: processor time, times that for half the rows`, seconds / jobs.half[job], { below: 2.2 });
    printValue('    seconds', seconds);
  }
  printGoal('  authorizations beside kontor ledger verify: times as many as without', verify.ratio, { atLeast: 0.9 });
  printGoal('    processor time of each, times that without', verify.processorRatio, { below: 1.1 });
  printValue('    rounds of them', verify.rounds);
  printValue('    seconds that it took, the rest of them without payments', verify.seconds);
  printGoal('    the oldest snapshot, seconds', verify.oldestSeconds, { below: 5 });
  printGoal('    bytes of temporary files', verify.temporaryBytes, { below: 1 });
}
