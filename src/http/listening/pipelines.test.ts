import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { boundPipelines } from './pipelines.ts';

const MOST = 3;
let server: Server;
let handled: ServerResponse[];
let told: string[];
/** Requests that Node has made of what was sent. */
let parsed: number;

beforeEach(async () => {
  handled = [];
  told = [];
  parsed = 0;
  server = createServer((_request, response) => void handled.push(response));
  boundPipelines(server, {
    most: MOST,
    refuse: (_request, response) => response.writeHead(503, { connection: 'close' }).end(),
    tell: (address) => void told.push(address),
  });
  server.on('request', () => parsed++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function open() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

const requests = (count: number) => 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count);
const statuses = (answers: string) => Array.from(answers.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status);

describe('requests that are sent before the answers to those before them', () => {
  test('are handled one after the other', async () => {
    const socket = open();
    socket.write(requests(1 + MOST));
    for (let answered = 0; answered <= MOST; answered++) {
      await until(() => handled.length === 1);
      await new Promise(setImmediate);
      expect(handled).toHaveLength(1);
      handled.pop()?.end();
    }
    socket.end();
    expect(statuses(await text(socket))).toEqual(Array(1 + MOST).fill('200'));
    expect(told).toEqual([]);
  });

  test('are refused beyond the bound, behind the answers to the others, and the connection ends', async () => {
    const socket = open();
    socket.write(requests(1000));
    const answers = text(socket);
    for (let answered = 0; answered <= MOST; answered++) {
      await until(() => handled.length === 1);
      handled.pop()?.end();
    }
    expect(statuses(await answers)).toEqual(['200', '200', '200', '200', '503']);
    expect(told).toEqual(['127.0.0.1']);
    expect(parsed, 'Node makes requests of no more than that').toBe(1 + MOST + 1);
  });

  test('are not handled once an answer was the last one of the connection', async () => {
    const socket = open();
    socket.write(requests(2));
    await until(() => handled.length === 1);
    handled.pop()?.writeHead(200, { connection: 'close' }).end();
    expect(statuses(await text(socket))).toEqual(['200']);
    expect(handled).toEqual([]);
  });
});
