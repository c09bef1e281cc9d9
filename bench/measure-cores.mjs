/**
 * What a request costs on any machine: the processor time of the service for each, divided by that of a bare `node:http`
 * server that reads the same requests and answers the same bytes. Both are warm and take turns. Who shares the machine takes
 * time from both, by a fifth within minutes and not by the same share, and gives none: so the least of the turns of each counts.
 */
import { join } from 'node:path';
import { startBareServer } from './bare-server.mjs';
import { processorMs, runKontor } from './kontor.mjs';
import { ACCOUNTS, COMPILED_AFTER_SECONDS, CONNECTIONS, ECHO } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { askOnce } from './requests.mjs';
import { load, openShop } from './shop.mjs';
import { writeTokens } from './tokens.mjs';

const TOKENS = 4096;

/** Most are signed on the way: that costs time of the load generator, which does not count here. */
const SIGNED_PER_SECOND = 500;

/** What is measured, with its goal in units of the bare server. */
const KINDS = {
  spread: { title: 'Authorize on 1000 accounts', below: 5.5, writesRows: true },
  hot: { title: 'Authorize on one account', below: 5.5, writesRows: true },
  token: { title: 'GET of single tokens', below: 2.5 },
  balance: { title: 'Balance of an account', below: 3.33 },
};

/**
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns of each kind the least microseconds of both for each request, how many times the bare server's the service's are,
 * and all that was measured
 */
export async function measureCores({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'cores'), { accounts: ACCOUNTS });
  const [bare, rows] = [{}, {}];
  try {
    const file = join(folder, 'cores.ndjson');
    await writeTokens(file, { from: 0, lines: TOKENS });
    await runKontor(shop.dataDir, ['tokens', 'import', file, '--json'], shop.settings);
    const loads = loadsOf(shop);
    const ask = (kind) => askOnce({ ...shop.grouped, ...loads[kind] });
    const storage = { url: shop.server.appUrl, payeeId: shop.payeeId, echo: ECHO };
    for (const [kind, { writesRows = false }] of Object.entries(KINDS)) {
      bare[kind] = await startBareServer(await ask(kind));
      if (writesRows) rows[kind] = await startBareServer(await ask(kind), { script: 'rows-server.mjs', ...storage });
    }
    const measure = (duration) => measureRound({ shop, loads, bare, rows, seconds: duration });
    await measure(COMPILED_AFTER_SECONDS);
    const results = [];
    for (let round = 0; round < rounds; round++) results.push(await measure(seconds));
    return summary(results);
  } finally {
    for (const server of [bare, rows].flatMap(Object.values)) server.stop();
    await shop.close();
  }
}

function loadsOf({ accounts, payeeId }) {
  return {
    spread: { kind: 'authorize', accounts },
    hot: { kind: 'authorize', accounts: accounts.slice(0, 1) },
    token: { kind: 'token', payeeId, tokens: TOKENS },
    balance: { kind: 'balance', accounts },
  };
}

async function measureRound({ shop, loads, bare, rows, seconds }) {
  const round = {};
  for (const kind of Object.keys(KINDS)) {
    const options = { connections: CONNECTIONS, seconds, signedPerSecond: SIGNED_PER_SECOND, ...loads[kind] };
    const own = await processorUs(shop.grouped, options);
    await shop.settle();
    const bareUs = await processorUs({ ...shop.grouped, ...bare[kind] }, options);
    const rowsUs = rows[kind] && (await processorUs({ ...shop.grouped, ...rows[kind] }, options));
    if (rowsUs !== undefined) await shop.settle();
    round[kind] = { ownUs: own, bareUs, rowsUs, units: own / bareUs };
  }
  return round;
}

/** Processor time of a server for each of its requests. */
async function processorUs(server, options) {
  const before = processorMs(server.processId);
  const { requests } = await load(server, options);
  return ((processorMs(server.processId) - before) * 1000) / requests;
}

function summary(rounds) {
  const least = (values) => Math.min(...values);
  return Object.fromEntries(
    Object.keys(KINDS).map((kind) => {
      const of = (member) => rounds.map((round) => round[kind][member]);
      const [ownUs, bareUs] = [least(of('ownUs')), least(of('bareUs'))];
      return [
        kind,
        {
          ownUs,
          bareUs,
          ...(KINDS[kind].writesRows && { rowsUs: least(of('rowsUs')) }),
          units: ownUs / bareUs,
          medianUnits: median(of('units')),
          ownUsOfRounds: of('ownUs'),
          bareUsOfRounds: of('bareUs'),
        },
      ];
    }),
  );
}

export function reportCores(results) {
  for (const [kind, { title, below }] of Object.entries(KINDS)) {
    const { ownUs, bareUs, rowsUs, units, medianUnits } = results[kind];
    printGoal(`${title}: processor time, times bare node:http`, units, { below });
    printValue('  of the service for each, microseconds, least round', ownUs);
    printValue('  of the bare server', bareUs);
    if (rowsUs !== undefined) printValue('  of one that only writes the same rows', rowsUs);
    printValue('  times the bare server in the median round', medianUnits);
  }
}
