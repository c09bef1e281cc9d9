import { createHash, randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { forgetDeliveries } from '../../src/events/deliveries/forget-deliveries.ts';
import { redeliver } from '../../src/events/deliveries/redeliver.ts';
import { rotateCallbackSecret, showCallbackSecret } from '../../src/events/webhooks/callback-secret.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { type DeliveryTest, deliveryTest, type ShopWithEvents } from '../support/shop/deliveries.ts';
import { type Received, type Receiver, rightSignatures, startReceiver } from '../support/shop/receiver.ts';

let kontor: DeliveryTest;
let shop: ShopWithEvents;
beforeAll(async () => {
  kontor = await deliveryTest();
});
beforeEach(async () => {
  shop = await kontor.payee();
});
afterAll(() => kontor.stop());

async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  onTestFinished(() => started.stop());
  return started;
}

interface Told {
  readonly resourceId: string;
  readonly sequence: number;
}

const told = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body) as Told);

/** Callbacks that came after a later one of their resource, or twice, or that were passed by. */
function faults(received: readonly Received[]): string[] {
  const last = new Map<string, number>();
  return told(received).flatMap(({ resourceId, sequence }) => {
    const before = last.get(resourceId) ?? 0;
    last.set(resourceId, sequence);
    return sequence === before + 1 ? [] : [`${resourceId}: ${sequence} came after ${before}`];
  });
}

async function passTimeUntil(isDone: () => boolean): Promise<void> {
  for (let step = 0; !isDone(); step++) {
    if (step > 500) throw new Error('it is not done after 500 steps');
    await kontor.advanceToDue(3600);
    await kontor.deliver();
  }
}

/** The address that a payment would name: another one for each. */
const addressOf = (to: Receiver, resourceId: string) => `${to.url}?order=${resourceId}`;

describe('every callback comes, those of one payment in order,', () => {
  test('where the receiver fails at 30 of 100', async () => {
    const to = await receiver();
    const seed = randomInt(1_000_000);
    const triesOf = new Map<string, number>();
    to.behave(({ headers }) => {
      const id = String(headers['webhook-id']);
      const tries = (triesOf.get(id) ?? 0) + 1;
      triesOf.set(id, tries);
      const byte = createHash('sha256').update(`${seed} ${id} ${tries}`).digest()[0] ?? 0;
      return byte < 77 && tries < 7 ? 500 : 200;
    });
    for (let count = 0; count < 120; count++) await shop.write(`p-${count % 9}`, addressOf(to, `p-${count % 9}`));
    await kontor.deliver();
    await passTimeUntil(() => to.taken.length >= 120);
    expect(faults(to.taken), `seed ${seed}`).toEqual([]);
    expect(to.taken).toHaveLength(120);
    expect(to.all.length, `seed ${seed}`).toBeGreaterThan(130);
    expect(new Set((await shop.callbacks()).states)).toEqual(new Set(['Delivered']));
  });

  test('where it is down for an hour, tried when it was promised', async () => {
    const to = await receiver();
    await to.goDown();
    await shop.write('first', to.url);
    for (let passed = 0, count = 0; passed < 3600; count++) {
      if (count < 40) await shop.write(`p-${count % 5}`, to.url);
      await kontor.deliver();
      passed += await kontor.advanceToDue(60);
    }
    expect((await shop.callbacks()).receivers).toEqual(['Suspended']);
    const tries = (await shop.callbackLog()).filter(({ position }) => position === 1);
    const expected = [0, 30, 60, 360, 432, 864, 1265];
    for (const [index, seconds] of expected.entries()) expect(tries[index]?.seconds).toBeCloseTo(seconds, -1);
    await to.comeUp();
    await passTimeUntil(() => to.taken.length >= 41);
    expect(faults(to.taken)).toEqual([]);
    expect(to.taken).toHaveLength(41);
    expect((await shop.callbacks()).receivers).toEqual(['Enabled']);
  });

  test('and at once as soon as there is a new one, where the receiver had given up taking any', async () => {
    const to = await receiver();
    await to.goDown();
    await shop.write('lost', to.url);
    for (let count = 0; count < 7; count++) {
      if (count > 0) await kontor.advanceToDue(3600);
      await kontor.deliver();
    }
    expect(await shop.callbacks()).toEqual({ states: ['GivenUp'], receivers: ['Suspended'] });
    await to.comeUp();
    await kontor.deliver();
    expect(to.all, 'the next try is ten minutes away').toEqual([]);
    await shop.write('new', to.url);
    await kontor.deliver();
    await kontor.deliver();
    expect(told(to.taken).map(({ resourceId }) => resourceId)).toEqual(['new', 'lost']);
    expect((await shop.callbacks()).states).toEqual(['Delivered', 'Delivered']);
  });
});

describe('a callback', () => {
  test('goes where its payment says, and to no webhook; what has none goes nowhere', async () => {
    const [to, hook] = [await receiver(), await receiver()];
    await shop.addWebhook(hook.url);
    await shop.write('a', addressOf(to, 'a'));
    await shop.write('b');
    await kontor.deliver();
    expect(told(to.taken)).toEqual([{ resourceId: 'a', sequence: 1 }]);
    expect(hook.taken.map(({ event }) => event.resource.id)).toEqual(['a', 'b']);
  });

  test("is signed with the payee's secret, which is made for the first one, and with the old one too once it is rotated", async () => {
    const to = await receiver();
    await shop.write('a', to.url);
    await kontor.deliver();
    const { payeeId } = shop;
    const asked = { payeeId, actor: COMMAND_LINE };
    const { transact } = kontor.database;
    const first = await transact((transaction) => showCallbackSecret(transaction, kontor.context, asked));
    const rotation = { ...asked, overlap: undefined };
    const { secret } = await transact((transaction) => rotateCallbackSecret(transaction, kontor.context, rotation));
    await shop.write('a', to.url);
    await kontor.deliver();
    const secrets = [first.reveal(), secret.reveal()];
    expect(to.taken.map((received) => secrets.map((one) => rightSignatures(received, one)))).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test('is tried seven times where others are taken, then given up; the next one of its payment goes on', async () => {
    const to = await receiver();
    to.behave(({ body }) =>
      (JSON.parse(body) as Told).resourceId === 'bad' && body.includes('"sequence":1') ? 500 : 200,
    );
    await shop.write('bad', to.url);
    await shop.write('bad', to.url);
    for (let count = 0; count < 7; count++) {
      await shop.write('good', to.url);
      await kontor.deliver();
      await kontor.advanceToDue(3600);
    }
    await kontor.deliver();
    const { states, receivers } = await shop.callbacks();
    expect([states.slice(0, 2), receivers]).toEqual([['GivenUp', 'Delivered'], ['Enabled']]);
    const tries = (await shop.callbackLog()).filter(({ position }) => position === 1);
    expect(tries.map(({ status, failure }) => [status, failure])).toEqual(Array(7).fill([500, 'status']));
    to.behave(() => 200);
    const command = { payeeId: shop.payeeId, webhookId: 'callbacks', deliveryId: '1', actor: COMMAND_LINE };
    await kontor.database.transact((transaction) => redeliver(transaction, command));
    await kontor.deliver();
    expect(told(to.taken).at(-1)).toEqual({ resourceId: 'bad', sequence: 1 });
  });

  test.each([
    ['that is gone', 410, 'status'],
    ['that redirects', 302, 'redirect'],
    ['that refuses', 400, 'status'],
  ])('to an address %s is tried again, and others at the same host go on', async (_what, status, failure) => {
    const to = await receiver();
    to.behave(({ body }) => (body.includes('"bad"') ? status : 200));
    await shop.write('bad', addressOf(to, 'bad'));
    await shop.write('good', addressOf(to, 'good'));
    await kontor.deliver();
    // Two payments may have their places in either order, where both happened in the same millisecond.
    const { states, receivers } = await shop.callbacks();
    expect([...states].sort()).toEqual(['Delivered', 'Waiting']);
    expect(receivers).toEqual(['Enabled']);
    expect((await shop.callbackLog()).find((one) => one.failure !== null)).toMatchObject({ status, failure });
    to.behave(() => 200);
    await passTimeUntil(() => to.taken.length === 2);
  });

  test('to a slow host holds up no other host', async () => {
    const [slow, quick] = [await receiver(), await receiver()];
    slow.behave(() => undefined);
    await shop.write('a', slow.url);
    await shop.write('b', quick.url);
    const delivering = kontor.deliver();
    await expect.poll(() => quick.taken.length, { timeout: 20_000 }).toBe(1);
    await delivering;
    expect((await shop.callbackLog()).map(({ failure }) => failure).sort()).toEqual(['time-out', null].sort());
  });

  test('is never sent into our own network', async () => {
    await shop.write('a', 'http://169.254.169.254/latest');
    await kontor.deliver();
    expect((await shop.callbackLog())[0]).toMatchObject({ status: null, failure: 'address-refused' });
  });
});

test('of a huge answer only the beginning is kept', async () => {
  const to = await receiver();
  to.behave((_received, response) => {
    response.writeHead(200).end('4925000000000004 '.padEnd(100_000, 'x'));
    return undefined;
  });
  await shop.write('a', to.url);
  await kontor.deliver();
  const [first] = await shop.callbackLog();
  expect(first?.answer).toMatch(/^\*{12}0004 x+$/);
  expect(first?.answer).toHaveLength(1024);
});

test('a receiver that is sent nothing any more is forgotten, and made again when it is named again', async () => {
  const to = await receiver();
  await shop.write('a', to.url);
  await kontor.deliver();
  const forget = () => kontor.database.background.transact(forgetDeliveries);
  await forget();
  expect((await shop.callbacks()).receivers).toHaveLength(1);
  await kontor.advance(31 * 86_400);
  await forget();
  expect(await shop.callbacks()).toEqual({ states: [], receivers: [] });
  await shop.write('a', to.url);
  await kontor.deliver();
  expect(told(to.taken).map(({ sequence }) => sequence)).toEqual([1, 2]);
});
