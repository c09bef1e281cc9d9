/** The bare server that a service is held against, as a rule in a process of its own (`yardstick.mjs`). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { FLAGS } from './kontor.mjs';

/** Headers that Node sets by itself on every connection. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * Starts a bare server that answers as a service has answered, with the same flags of Node.
 *
 * @param {Response} answer a good one
 * @param {{script?: string}} [options] another server than the one that only answers, and what that one is to know
 */
export async function startBareServer(answer, { script = 'yardstick.mjs', ...given } = {}) {
  if (!answer.ok) throw new Error(`The request to copy was answered with ${answer.status}.`);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  const child = fork(join(import.meta.dirname, script), { execArgv: FLAGS });
  child.send({ headers, body: await answer.text(), ...given });
  const [port] = await once(child, 'message');
  return { baseUrl: `http://127.0.0.1:${port}`, processId: child.pid, stop: () => child.disconnect() };
}

/**
 * A bare `node:http` server that reads each request to its end, its body as JSON, and answers always the same bytes.
 *
 * @param {{headers: Record<string, string>, body: string}} answer
 */
export function bareServer({ headers, body }) {
  const bytes = Buffer.from(body);
  return createServer((request, response) => {
    const answer = () => {
      response.writeHead(200, headers);
      response.end(bytes);
    };
    if (request.method === 'GET') return answer();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const read = JSON.parse(Buffer.concat(chunks).toString());
      if (typeof read === 'object') answer();
    });
  });
}
