import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundSockets } from '../../src/http/listening/sockets.ts';
import { type ResultsServer, startResultsServer } from '../../src/issuers/authentication/results-server.adapter.ts';
import { untilClosed } from '../support/prober/attack.ts';
import { tlsFiles } from '../support/tls-files.ts';

const files = tlsFiles();
const pem = (kind: 'ecdsa' | 'rsa') => ({
  cert: readFileSync(files.of(kind).certFile, 'utf8'),
  key: readFileSync(files.of(kind).keyFile, 'utf8'),
});
const directory = pem('ecdsa');
const us = pem('rsa');

let results: ResultsServer;
const told: string[] = [];
beforeAll(async () => {
  results = await startResultsServer({
    server: { resultsUrl: 'https://127.0.0.1/3ds/results', resultsPort: 0, tls: { ...us, ca: directory.cert } },
    host: '127.0.0.1',
    boundConnections: (server) =>
      boundSockets(server, {
        most: 32,
        endsWithHandshake: true,
        isExempt: () => false,
        tell: (network) => told.push(network),
      }),
    answer: async () => ({ messageType: 'RRes' }),
  });
});
afterAll(async () => {
  await results.close();
  files.remove();
});

const from = async (localAddress: string): Promise<Socket> => {
  const socket = connect({ port: results.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  return socket;
};

/** A directory server's connections. */
const agentOf = (options: { readonly keepAlive: boolean }) =>
  new Agent({ ...directory, ...options, ca: us.cert, localAddress: '127.0.0.2', checkServerIdentity: () => undefined });

/** A directory server's result, on a connection of its own. */
function post(agent = agentOf({ keepAlive: false })): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port: results.port, host: '127.0.0.1', path: '/3ds/results', method: 'POST', agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    })
      .on('error', reject)
      .end('{}');
  });
}

describe('a stranger who opens 300 connections to the port for 3-D Secure results', () => {
  test('keeps no directory server out, has a few, and loses these when no handshake follows', async () => {
    const idle = await Promise.all(Array.from({ length: 300 }, () => from('127.0.0.1')));
    expect(await post()).toBe(200);
    expect(told).toEqual(['127.0.0.1']);
    const began = performance.now();
    await untilClosed(idle, 20_000);
    expect(performance.now() - began).toBeLessThan(15_000);
    const next = await from('127.0.0.1');
    expect(next.closed).toBe(false);
    next.destroy();
  });
});

test('a directory server that leaves each connection open keeps none of its results out', async () => {
  const agents = Array.from({ length: 300 }, () => agentOf({ keepAlive: true }));
  const statuses: (number | undefined)[] = [];
  for (const agent of agents) statuses.push(await post(agent));
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const agent of agents) agent.destroy();
}, 60_000);

test('a connection stays open for longer than its directory server leaves it unused', async () => {
  const agent = agentOf({ keepAlive: true });
  await post(agent);
  await pause(6_000);
  expect(Object.values(agent.freeSockets).flatMap((free) => free ?? [])).toHaveLength(1);
  agent.destroy();
}, 20_000);
