/**
 * What the parts of the edge cost: the edge alone, without a database (`edge-server.mjs`), whole and with one part left out,
 * in turn. The least of all rounds counts: what shares the machine only adds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startBareServer } from './bare-server.mjs';
import { processorMs } from './kontor.mjs';
import { CONNECTIONS } from './payments-terms.mjs';
import { printValue } from './report.mjs';
import { askOnce } from './requests.mjs';
import { load } from './shop.mjs';

const WARM_UP_SECONDS = 5;
/** Signed ahead for each second; the rest on the way, which costs the load generator alone. */
const SIGNED_PER_SECOND = 200;
/** What can be left out. */
const PARTS = ['log', 'metrics', 'signature', 'check', 'answer'];
const WHOLE = 'whole';
const NOTHING = 'nothing';
const BARE = 'bare';

const PAYEE = '0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const CALLER = { payeeId: PAYEE, accessToken: 'bench', hmac: { user: 'key_bench', secret: 's'.repeat(64) } };
const LOADS = {
  token: { kind: 'token', payeeId: PAYEE, tokens: 4096 },
  authorize: { kind: 'authorize', accounts: [{ accountId: PAYEE, number: '9578019000000019' }] },
};

/**
 * @param {{rounds: number, seconds: number}} options
 * @returns of each kind of request the microseconds of processor time of the whole, of it without each part, without all of
 * them, and of the bare server
 */
export async function measureEdge({ rounds, seconds }) {
  const least = {};
  for (const [kind, about] of Object.entries(LOADS)) {
    const servers = await startServers(about);
    const us = (name, duration) => processorUs(servers[name], { ...about, seconds: duration });
    try {
      for (const name of Object.keys(servers)) await us(name, WARM_UP_SECONDS);
      least[kind] = Object.fromEntries(Object.keys(servers).map((name) => [name, Number.POSITIVE_INFINITY]));
      for (let round = 0; round < rounds; round++) {
        for (const name of Object.keys(servers)) {
          least[kind][name] = Math.min(least[kind][name], await us(name, seconds));
        }
      }
    } finally {
      for (const server of Object.values(servers)) server.stop();
    }
  }
  return least;
}

async function startServers(about) {
  const servers = { [WHOLE]: await startEdge([]) };
  for (const part of PARTS) servers[part] = await startEdge([part]);
  servers[NOTHING] = await startEdge(PARTS);
  servers[BARE] = { ...CALLER, ...(await startBareServer(await askOnce({ ...servers[WHOLE], ...about }))) };
  return servers;
}

async function startEdge(without) {
  // What it logs goes nowhere: to write it is part of the measurement, to keep it is not.
  const child = fork(join(import.meta.dirname, 'edge-server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send({ ...CALLER, without });
  const [port] = await once(child, 'message');
  const stop = () => child.disconnect();
  return { ...CALLER, baseUrl: `http://127.0.0.1:${port}`, processId: child.pid, stop };
}

async function processorUs(server, about) {
  const before = processorMs(server.processId);
  const { requests } = await load(server, { connections: CONNECTIONS, signedPerSecond: SIGNED_PER_SECOND, ...about });
  return ((processorMs(server.processId) - before) * 1000) / requests;
}

export function reportEdge(least) {
  for (const [kind, us] of Object.entries(least)) {
    printValue(`The edge alone, ${kind}: processor time, microseconds`, us[WHOLE]);
    for (const part of PARTS) printValue(`  of that ${part}`, us[WHOLE] - us[part]);
    printValue('  without all of these', us[NOTHING]);
    printValue('  a bare node:http server', us[BARE]);
  }
}
