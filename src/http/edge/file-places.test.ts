import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { type PayeeId, uuidV4 } from '../../kit/ids.ts';
import { createFilePlaces, type TakeFilePlace } from './file-places.ts';

let take: TakeFilePlace;
beforeEach(() => {
  take = createFilePlaces();
});

const newPayee = () => uuidV4() as PayeeId;
const exchange = (destroyed: boolean) => ({
  request: { socket: Object.assign(new EventEmitter(), { destroyed }) as unknown as Socket },
  response: new EventEmitter() as ServerResponse,
});

test('a place is free again once its answer or its connection is closed: an answer behind another one is told nothing', () => {
  const payeeId = newPayee();
  for (const name of ['response', 'socket'] as const) {
    const asked = exchange(false);
    const { socket } = asked.request;
    take(payeeId, asked);
    expect(() => take(payeeId, exchange(false))).toThrow('toomanyrequests');
    (name === 'socket' ? socket : asked.response).emit('close');
    expect([socket.listenerCount('close'), asked.response.listenerCount('close')]).toEqual([0, 0]);
  }
  take(payeeId, exchange(false));
});

test('who has gone away before gets none', () => {
  const payeeId = newPayee();
  expect(() => take(payeeId, exchange(true))).toThrow('requesttimeout');
  take(payeeId, exchange(false));
});

test('a place is taken until its work is over, though its connection is closed', async () => {
  const payeeId = newPayee();
  const asked = exchange(false);
  const { work } = take(payeeId, asked);
  const file = Buffer.from('a file');
  await work(file, async () => {
    asked.request.socket.emit('close');
    expect(() => take(payeeId, exchange(false))).toThrow('toomanyrequests');
  });
  expect(file).toEqual(Buffer.alloc(6));
  take(payeeId, exchange(false));
});

test('two payees have places at once', () => {
  take(newPayee(), exchange(false));
  take(newPayee(), exchange(false));
  expect(() => take(newPayee(), exchange(false))).toThrow('unavailable');
});

test('a place is free once its work is over, before its answer is closed, which takes it from no other', async () => {
  const payeeId = newPayee();
  const asked = exchange(false);
  await take(payeeId, asked).work(Buffer.alloc(0), async () => undefined);
  take(payeeId, exchange(false));
  asked.response.emit('close');
  expect(() => take(payeeId, exchange(false))).toThrow('toomanyrequests');
});
