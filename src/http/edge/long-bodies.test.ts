import { expect, test } from 'vitest';
import type { Caller } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { EdgeState } from './edge.types.ts';
import { tellingLongBodies, turnsOfLongBodies } from './long-bodies.ts';

const from = (
  address: string,
  { body, destroyed = false, caller }: { body?: Buffer; destroyed?: boolean; caller?: Partial<Caller> } = {},
) => ({ client: { address }, caller, request: { body }, reply: { raw: { destroyed } } }) as unknown as EdgeState;
const [ONE, OTHER] = [from('192.0.2.1'), from('198.51.100.1')];
const ofLength = (bytes: number | undefined) =>
  from('192.0.2.1', bytes === undefined ? {} : { body: Buffer.alloc(bytes) });

test.each([
  [undefined, false],
  [0, false],
  [8191, false],
  [8192, true],
  [262_144, true],
])('a body of %s bytes is long by itself: %s', (bytes, isLong) => {
  expect(tellingLongBodies()(ofLength(bytes))).toBe(isLong);
});

test('bodies that come together are long from where they have 8 KiB, but for short ones, until others were answered', async () => {
  const isLong = tellingLongBodies();
  const tell = (...lengths: number[]) => lengths.map((length) => isLong(ofLength(length)));
  expect(tell(4000, 4000, 4000, 2047, 2048)).toEqual([false, false, true, false, true]);
  await new Promise(setImmediate);
  expect(tell(8000, 8000)).toEqual([false, true]);
});

test('many short ones that come together are none of them long', () => {
  const isLong = tellingLongBodies();
  expect(Array.from({ length: 1000 }, () => isLong(ofLength(2047)))).not.toContain(true);
});

test('nothing is begun for a caller who has gone away while they waited', async () => {
  const takeTurn = turnsOfLongBodies();
  const told: string[] = [];
  const gone = from('192.0.2.1', { destroyed: true });
  await Promise.all([
    takeTurn(ONE, () => void told.push('first')),
    expect(takeTurn(gone, () => void told.push('gone'))).rejects.toMatchObject({ code: 'requesttimeout' }),
    takeTurn(ONE, () => void told.push('last')),
  ]);
  expect(told).toEqual(['first', 'last']);
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

test('many of one payee let those of another through, also where all come from the address of a proxy', async () => {
  const takeTurn = turnsOfLongBodies();
  const told: string[] = [];
  const of = (payeeId: string, id: string) =>
    from('10.0.0.1', { caller: { payeeId: payeeId as PayeeId, credential: { kind: 'access-token', id } } });
  const senders = [of('one', 'a'), of('one', 'a'), of('one', 'b'), of('one', 'c'), of('other', 'd')];
  await Promise.all(senders.map((edge, at) => takeTurn(edge, () => void told.push(`${edge.caller?.payeeId} ${at}`))));
  expect(told.slice(0, 3)).toEqual(['one 0', 'one 1', 'other 4']);
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
