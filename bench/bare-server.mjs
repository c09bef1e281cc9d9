/** The bare server that a service is held against: `yardstick.mjs` in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Headers that Node sets by itself on every connection. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * Starts a bare server that answers as a service has answered.
 *
 * @param {Response} answer a good one
 */
export async function startBareServer(answer) {
  if (!answer.ok) throw new Error(`The request to copy was answered with ${answer.status}.`);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  const child = fork(join(import.meta.dirname, 'yardstick.mjs'));
  child.send({ headers, body: await answer.text() });
  const [port] = await once(child, 'message');
  return { baseUrl: `http://127.0.0.1:${port}`, processId: child.pid, stop: () => child.disconnect() };
}
