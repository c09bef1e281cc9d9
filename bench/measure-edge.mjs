/**
 * What the parts of the edge cost: the edge alone, without a database and without sockets (`edge-server.mjs`), whole and with one
 * part left out, in turn. The shortest of many short turns counts: what shares the machine only adds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { printValue } from './report.mjs';

/** Turns of 64 requests: until the compiler is done, and those of which the shortest counts. */
const WARM_UP_TURNS = 300;
const TURNS = 200;
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
 * @param {{rounds: number}} options
 * @returns of each kind of request the microseconds that the whole takes for it, it without each part, without all of them, and
 * the bare server
 */
export async function measureEdge({ rounds }) {
  const least = {};
  for (const [kind, about] of Object.entries(LOADS)) {
    const servers = await startServers(about);
    try {
      least[kind] = Object.fromEntries(Object.keys(servers).map((name) => [name, Number.POSITIVE_INFINITY]));
      for (let round = 0; round < rounds; round++) {
        for (const [name, server] of Object.entries(servers)) {
          least[kind][name] = Math.min(least[kind][name], (await server.take(TURNS)).least);
        }
      }
    } finally {
      for (const server of Object.values(servers)) server.stop();
    }
  }
  return least;
}

/** All of them, warm. */
async function startServers(about) {
  const servers = {};
  const start = async (name, options) => {
    servers[name] = await startServer({ ...CALLER, ...about, ...options });
    return servers[name].take(WARM_UP_TURNS);
  };
  const { answer } = await start(WHOLE, { without: [] });
  for (const part of PARTS) await start(part, { without: [part] });
  await start(NOTHING, { without: PARTS });
  await start(BARE, { bare: readAnswer(answer) });
  return servers;
}

/** Headers that Node sets by itself. */
const OF_NODE = /^(?:date|connection|keep-alive): /i;

function readAnswer(answer) {
  const [head, body] = answer.split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  if (!status.includes(' 200 ')) throw new Error(`The edge has answered ${status}.`);
  const headers = lines.filter((line) => !OF_NODE.test(line)).map((line) => line.split(': '));
  return { headers: Object.fromEntries(headers), body };
}

async function startServer(options) {
  // What it logs goes nowhere: to write it is part of the measurement, to keep it is not.
  const child = fork(join(import.meta.dirname, 'edge-server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(options);
  await once(child, 'message');
  const take = async (turns) => {
    child.send(turns);
    const [taken] = await once(child, 'message');
    return taken;
  };
  return { take, stop: () => child.disconnect() };
}

export function reportEdge(least) {
  for (const [kind, us] of Object.entries(least)) {
    printValue(`The edge alone, ${kind}: microseconds`, us[WHOLE]);
    for (const part of PARTS) printValue(`  of that ${part}`, us[WHOLE] - us[part]);
    printValue('  without all of these', us[NOTHING]);
    printValue('  a bare node:http server', us[BARE]);
  }
}
