import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { takeClaim } from '../../../sandbox/postgres/embedded-claim.ts';
import { connect } from './connection.ts';
import { openPool } from './pool.ts';

const PASSWORD = 'thePasswordOfOurServer';

/** Messages of a server: a letter, the length and the content. */
function message(letter: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const READY = [message('R', int32(0)), message('Z', Buffer.from('I'))];
const STRANGERS: Readonly<Record<string, readonly Buffer[]>> = {
  'asks for nothing': READY,
  'asks for the password': [message('R', int32(3))],
  'asks for the password, hashed': [message('R', int32(5), Buffer.from('salt'))],
  'asks for the password, and is ready at once': [message('R', int32(3)), ...READY],
  'offers SCRAM, and is ready at once': [message('R', int32(10), Buffer.from('SCRAM-SHA-256\0\0')), ...READY],
  'claims that SCRAM is over': [
    message('R', int32(10), Buffer.from('SCRAM-SHA-256\0\0')),
    message('R', int32(12), Buffer.from('v=aGVsbG8=')),
    ...READY,
  ],
};

/** A server that answers the first bytes of each connection, and keeps all that it gets. */
async function stranger(answer: readonly Buffer[]) {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.concat(answer)));
    socket.on('data', (bytes: Buffer) => void received.push(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/kontor?sslmode=disable&require_auth=scram-sha-256`;
  return { url, received: () => Buffer.concat(received).toString('latin1') };
}

test.each(Object.entries(STRANGERS))(
  'a server that %s gets no password, no claim and no statement',
  async (_, answer) => {
    const { url, received } = await stranger(answer);
    const readIdentifier = () => Promise.resolve('1');
    await expect(takeClaim({ adminUrl: url, readIdentifier, as: 'serve' })).rejects.toThrow(
      'Another server answers where the PostgreSQL of this data directory should',
    );
    expect(received()).toContain('user');
    expect(received()).not.toMatch(new RegExp(`${PASSWORD}|md5|select`));
  },
);

test.each(Object.entries(STRANGERS))('neither does it get one from the pool, if it %s', async (_, answer) => {
  const { url, received } = await stranger(answer);
  const pool = openPool({ url, size: 1, plans: 'any' });
  await expect(pool.take()).rejects.toThrow('The database cannot be reached.');
  await pool.close();
  await expect(connect(url)).rejects.toThrow();
  expect(received()).not.toMatch(new RegExp(`${PASSWORD}|md5|select`));
});

test('without the wish for SCRAM the driver gives a stranger the password', async () => {
  const { url, received } = await stranger(STRANGERS['asks for the password'] ?? []);
  const client = new Client({ connectionString: url.replace(/&require_auth.*/, '') });
  client.on('error', () => undefined);
  client.connect().catch(() => undefined);
  await expect.poll(received).toContain(PASSWORD);
  await client.end();
});

test('a server of another cluster is not claimed, though it knows the passwords', async () => {
  const { adminUrl } = inject('database');
  const readIdentifier = () => Promise.resolve('1');
  await expect(takeClaim({ adminUrl, readIdentifier, as: 'serve' })).rejects.toThrow('Another server answers');
});
