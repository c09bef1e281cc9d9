import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { boundSockets, surviveLostConnections } from './sockets.ts';

const MOST = 3;
let server: Server;
let sockets: Socket[];
let told: string[];
let isExempt: boolean;

beforeEach(async () => {
  sockets = [];
  told = [];
  isExempt = false;
  server = createServer((_request, response) => response.end('here'));
  boundSockets(server, { most: MOST, isExempt: () => isExempt, tell: (network) => told.push(network) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a connection and asks something; whether there was an answer, or the connection was closed. */
async function ask(): Promise<boolean> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(false));
    socket.on('data', () => resolve(true));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  });
}

const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    socket?.once('close', () => resolve());
    socket?.destroy();
  });

describe('connections of one network', () => {
  test('are as many as they may be, and one more where another one has ended', async () => {
    for (let opened = 0; opened < MOST; opened++) expect(await ask()).toBe(true);
    expect(await ask()).toBe(false);
    expect(await ask()).toBe(false);
    const ended = new Promise<void>((resolve) => server.once('request', () => resolve()));
    await closed(sockets[0]);
    // The server notices a moment after the client.
    while (!(await ask())) expect(sockets.length).toBeLessThan(100);
    await ended;
    expect(told).toEqual(['127.0.0.1']);
  });

  test('are not counted where a proxy brings them', async () => {
    isExempt = true;
    for (let opened = 0; opened < 3 * MOST; opened++) expect(await ask()).toBe(true);
    expect(told).toEqual([]);
  });
});

test('a connection that could not be taken is told of once in a while, and the server goes on', async () => {
  const lost: Error[] = [];
  const other = createServer((_request, response) => response.end('here'));
  onTestFinished(() => void other.close());
  surviveLostConnections(other, (error) => lost.push(error));
  const taken = (server.address() as AddressInfo).port;
  const failed = once(other, 'error');
  other.listen(taken, '127.0.0.1');
  await expect(failed).resolves.toMatchObject([{ code: 'EADDRINUSE' }]);
  expect(lost, 'before it listens, the caller of listen hears of it').toEqual([]);
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  for (let times = 0; times < 3; times++) other.emit('error', Object.assign(new Error('accept'), { code: 'EMFILE' }));
  expect(lost).toHaveLength(1);
  const answer = await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  expect(await answer.text()).toBe('here');
});
