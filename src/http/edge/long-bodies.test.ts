import { expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import type { EdgeState } from './edge.types.ts';
import { hasLongBody, turnsOfLongBodies } from './long-bodies.ts';

const from = (address: string, body?: Buffer) => ({ client: { address }, request: { body } }) as unknown as EdgeState;
const [ONE, OTHER] = [from('192.0.2.1'), from('198.51.100.1')];

test.each([
  [undefined, false],
  [0, false],
  [8191, false],
  [8192, true],
  [262_144, true],
])('a body of %s bytes is long: %s', (bytes, isLong) => {
  expect(hasLongBody(from('192.0.2.1', bytes === undefined ? undefined : Buffer.alloc(bytes)))).toBe(isLong);
});

test('the first is read at once, and who comes meanwhile is answered before the next one is', async () => {
  const takeTurn = turnsOfLongBodies();
  const told: string[] = [];
  const turns = ['first', 'second', 'third'].map((name) =>
    takeTurn(ONE, () => {
      told.push(name);
      // As the sockets' handlers do.
      setImmediate(() => told.push(`others beside the ${name}`));
    }),
  );
  expect(told).toEqual(['first']);
  await Promise.all(turns);
  expect(told).toEqual([
    ...['first', 'others beside the first', 'second', 'others beside the second'],
    ...['third', 'others beside the third'],
  ]);
});

test('many of one network let those of another through', async () => {
  const takeTurn = turnsOfLongBodies();
  const told: string[] = [];
  const senders = [ONE, ONE, ONE, ONE, OTHER];
  await Promise.all(senders.map((edge, at) => takeTurn(edge, () => void told.push(`${edge.client.address} ${at}`))));
  expect(told.slice(0, 3)).toEqual(['192.0.2.1 0', '192.0.2.1 1', '198.51.100.1 4']);
});

test('more than 256 that wait are refused at once, with a time to come again', async () => {
  const takeTurn = turnsOfLongBodies();
  const refused: unknown[] = [];
  for (let sent = 0; sent < 1 + 256 + 2; sent++) takeTurn(ONE, () => undefined).catch((error) => refused.push(error));
  await new Promise(setImmediate);
  expect(refused).toHaveLength(2);
  for (const error of refused) {
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  }
});
