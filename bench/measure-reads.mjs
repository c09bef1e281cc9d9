/** Reading single tokens at 64 connections, against a bare HTTP server that answers the same bytes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startBareServer } from './bare-server.mjs';
import { processorMs, runKontor, startKontor, watchMemory } from './kontor.mjs';
import { median } from './report.mjs';
import { tokenOf, tokenTypeOf, writeTokens } from './tokens.mjs';

const CONNECTIONS = 64;
const TOKENS = 4096;
const WARM_UP_SECONDS = 3;

/**
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns requests a second of both, the ratio, and the largest resident memory of the service meanwhile
 */
export async function measureReads({ folder, rounds, seconds }) {
  const dataDir = join(folder, 'data');
  const file = join(folder, 'reads.ndjson');
  await writeTokens(file, { from: 0, lines: TOKENS });
  const kontor = await startKontor(dataDir);
  try {
    await runKontor(dataDir, ['tokens', 'import', file, '--json']);
    const paths = Array.from({ length: TOKENS }, (_, index) => pathOf(kontor.payeeId, index));
    const yardstick = await startBareServer(await answerOf(kontor, paths[0]));
    const run = (baseUrl, duration) => load({ baseUrl, accessToken: kontor.accessToken, paths, seconds: duration });
    for (const { baseUrl } of [kontor, yardstick]) await run(baseUrl, WARM_UP_SECONDS);
    const memory = watchMemory(kontor.processId);
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const before = processorMs(kontor.processId);
      const own = await run(kontor.baseUrl, seconds);
      const processorUs = ((processorMs(kontor.processId) - before) * 1000) / (own.perSecond * seconds);
      const bare = await run(yardstick.baseUrl, seconds);
      results.push({ own, bare, processorUs, ratio: own.perSecond / bare.perSecond });
    }
    yardstick.stop();
    return { ...summary(results), residentMib: Math.max(...memory.stop()) };
  } finally {
    await kontor.stop();
    await rm(file);
  }
}

function summary(results) {
  const failed = results.reduce((sum, { own, bare }) => sum + own.failed + bare.failed, 0);
  if (failed > 0) throw new Error(`${failed} reads failed.`);
  return {
    perSecond: median(results.map(({ own }) => own.perSecond)),
    processorUs: median(results.map(({ processorUs }) => processorUs)),
    p99Ms: median(results.map(({ own }) => own.p99Ms)),
    bareHttpPerSecond: median(results.map(({ bare }) => bare.perSecond)),
    ratio: median(results.map(({ ratio }) => ratio)),
    ratios: results.map(({ ratio }) => ratio),
  };
}

function pathOf(payeeId, index) {
  return `/online/payer/payees/${payeeId}/tokens/${tokenOf(index)}-${tokenTypeOf(index)}`;
}

function answerOf({ baseUrl, accessToken }, path) {
  return fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
}

async function load(options) {
  const child = fork(join(import.meta.dirname, 'load.mjs'));
  child.send({ ...options, connections: CONNECTIONS });
  const [result] = await once(child, 'message');
  await once(child, 'exit');
  return result;
}
