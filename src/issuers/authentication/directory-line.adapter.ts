import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { DirectoryServer } from '../acquirers/acquirers.types.ts';
import type { DirectoryLine, Probed } from './three-ds.types.ts';

/** What every message is. */
const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Milliseconds in which a directory server must answer what is no message. */
const PROBE_MS = 5_000;

/** Connections to one directory server, of each instance. */
const CONNECTIONS = 64;

/**
 * Milliseconds for which a connection stays open that nothing passes on: fewer than servers and firewalls allow, of which these drop
 * it without a word. A question on such a one would wait in vain, and must not be asked twice.
 */
const IDLE_MS = 4_000;

/** The line to directory servers: HTTPS, TLS 1.2 or newer, with certificates on both sides. */
export function directoryLine(idleMs = IDLE_MS): DirectoryLine & {
  /** Looks whether a directory server is there, with a request that is no message. Never rejects. */
  probe(server: DirectoryServer): Promise<Probed>;
  /** Connects with other certificates and keys from now on; what is under way ends with those before. */
  renew(servers: readonly Pick<DirectoryServer, 'scheme' | 'tls'>[]): void;
  close(): void;
} {
  const agents = new Map<string, HttpAgent | HttpsAgent>();
  const renewed = new Map<string, DirectoryServer['tls']>();
  function agentOf({ scheme, ...server }: DirectoryServer): HttpAgent | HttpsAgent {
    const known = agents.get(scheme);
    if (known !== undefined) return known;
    const tls = renewed.get(scheme) ?? server.tls;
    const options = { keepAlive: true, maxSockets: CONNECTIONS, timeout: idleMs };
    const agent =
      tls === 'none' ? new HttpAgent(options) : new HttpsAgent({ ...options, ...tls, minVersion: 'TLSv1.2' });
    agents.set(scheme, agent);
    return agent;
  }
  return {
    ask: (server, message, mostBytes) =>
      new Promise((resolve) => {
        const body = Buffer.from(JSON.stringify(message));
        const send = server.tls === 'none' ? requestHttp : requestHttps;
        const headers = { 'content-type': CONTENT_TYPE, 'content-length': body.length };
        const signal = AbortSignal.timeout(server.answerMs);
        const request = send(server.url, { method: 'POST', headers, agent: agentOf(server), signal }, (response) => {
          const parts: Buffer[] = [];
          let length = 0;
          response.on('data', (part: Buffer) => {
            length += part.length;
            if (length > mostBytes) response.destroy();
            else parts.push(part);
          });
          response.on('close', () => {
            const isWhole = response.complete && length <= mostBytes && response.statusCode === 200;
            resolve(isWhole ? Buffer.concat(parts).toString('utf8') : undefined);
          });
          response.on('error', () => resolve(undefined));
        });
        // Sent once: a message that was lost on the way is not sent again, or there could be two questions.
        request.on('error', () => resolve(undefined));
        request.end(body);
      }),
    probe: (server) =>
      new Promise((resolve) => {
        const begun = performance.now();
        let hasOpened = false;
        const get = server.tls === 'none' ? requestHttp : requestHttps;
        const asking = get(server.url, { method: 'GET', agent: agentOf(server) }, (response) => {
          response.destroy();
          resolve({ answerMs: performance.now() - begun });
        });
        asking.setTimeout(PROBE_MS, () => asking.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
        asking.on('socket', (socket) => socket.once('secureConnect', () => (hasOpened = true)));
        asking.on('error', ({ code: cause = '' }: NodeJS.ErrnoException) => resolve({ cause, hasOpened }));
        asking.end();
      }),
    renew: (servers) => {
      for (const { scheme, tls } of servers) {
        renewed.set(scheme, tls);
        const before = agents.get(scheme);
        agents.delete(scheme);
        if (before !== undefined) retire(before);
      }
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Closes the connections of an agent that nothing is under way on now, and each other one once it is free. */
function retire(agent: HttpAgent | HttpsAgent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flatMap((free) => free ?? [])) socket.destroy();
}
