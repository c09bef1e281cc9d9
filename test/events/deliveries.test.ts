import { createHash, randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { deliverAll, startDelivering } from '../../src/events/deliveries/deliver.job.ts';
import { redeliver } from '../../src/events/deliveries/redeliver.ts';
import { takeDeliveries } from '../../src/events/deliveries/take-deliveries.ts';
import { sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { testWebhook } from '../../src/events/webhooks/change-webhook.ts';
import { COMMAND_LINE, type PayeeState } from '../../src/kit/caller.ts';
import { createTraffic, type Quiet } from '../../src/kit/work/traffic.ts';
import { changePayeeState } from '../../src/merchants/payees/payee-states.ts';
import { type DeliveryTest, deliveryTest, type ShopWithEvents } from '../support/shop/deliveries.ts';
import {
  type Behaviour,
  orderFaults,
  type Receiver,
  rightSignatures,
  startReceiver,
} from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

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

/** Lets time pass from one due delivery to the next, until a condition holds. */
async function passTimeUntil(isDone: () => boolean): Promise<void> {
  for (let step = 0; !isDone(); step++) {
    if (step > 500) throw new Error('it is not done after 500 steps');
    await kontor.advanceToDue(3600);
    await kontor.deliver();
  }
}

/** What a receiver does wrong, and what the log says of it. */
const BAD_MANNERS: readonly {
  readonly what: string;
  readonly failure: string;
  readonly status: number | null;
  readonly behaviour: (elsewhere: string) => Behaviour;
}[] = [
  { what: 'does not answer', failure: 'time-out', status: null, behaviour: () => () => undefined },
  { what: 'refuses', failure: 'status', status: 400, behaviour: () => () => 400 },
  {
    what: 'redirects',
    failure: 'redirect',
    status: 302,
    behaviour: (elsewhere) => (_received, response) => {
      response.writeHead(302, { location: elsewhere }).end();
      return undefined;
    },
  },
];

const ids = (received: readonly { readonly event: { readonly id: string } }[]) => received.map(({ event }) => event.id);

describe('a receiver gets every event, those of one resource in order,', () => {
  test('signed so that it can tell that they are ours', async () => {
    const to = await receiver();
    const webhook = await shop.addWebhook(to.url);
    for (const resource of ['a', 'b', 'a']) await shop.write(resource);
    await kontor.deliver();
    expect(orderFaults(to.taken)).toEqual([]);
    expect(to.taken).toHaveLength(3);
    for (const received of to.taken) {
      expect(rightSignatures(received, webhook.secret)).toBe(1);
      expect(received.headers).toMatchObject({ 'webhook-id': received.event.id, 'content-type': 'application/json' });
      expect(Math.abs(Number(received.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
      const { resource, data } = received.event;
      expect(data).toEqual({ sequence: resource.sequence });
    }
  });

  test('and where the operator suspends its payee, after that is over', async () => {
    const to = await receiver();
    await shop.addWebhook(to.url);
    await shop.write('a');
    await kontor.deliver();
    const set = (state: PayeeState) =>
      kontor.database.transact((transaction) =>
        changePayeeState(transaction, kontor.context, {
          payeeId: shop.payeeId,
          state,
          reason: 'Its token was stolen',
          actor: COMMAND_LINE,
        }),
      );
    await set('Suspended');
    await shop.write('b');
    await kontor.deliver();
    expect(to.taken).toHaveLength(1);
    // What it had begun goes on, and so do its events.
    await set('FollowUpsOnly');
    await kontor.deliver();
    expect(to.taken).toHaveLength(4);
    await set('Active');
    await kontor.deliver();
    expect(to.taken.slice(1).map(({ event }) => [event.type, event.data])).toEqual([
      ['payee.suspended', { state: 'Suspended' }],
      expect.anything(),
      ['payee.suspended', { state: 'FollowUpsOnly' }],
      ['payee.resumed', { state: 'Active' }],
    ]);
    expect(orderFaults(to.taken)).toEqual([]);
  });

  test('where it fails at 30 of 100 deliveries', async () => {
    const to = await receiver();
    const seed = randomInt(1_000_000);
    // A try fails by what the seed says of it, but none so often that it would be given up.
    const triesOf = new Map<string, number>();
    to.behave(({ event: { id } }) => {
      const tries = (triesOf.get(id) ?? 0) + 1;
      triesOf.set(id, tries);
      const byte = createHash('sha256').update(`${seed} ${id} ${tries}`).digest()[0] ?? 0;
      return byte < 77 && tries < 7 ? 500 : 200;
    });
    await shop.addWebhook(to.url);
    for (let count = 0; count < 120; count++) await shop.write(`r-${count % 9}`);
    await kontor.deliver();
    await passTimeUntil(() => to.taken.length >= 120);
    expect(orderFaults(to.taken), `seed ${seed}`).toEqual([]);
    expect(new Set(ids(to.taken)).size).toBe(120);
    expect(to.all.length, `seed ${seed}`).toBeGreaterThan(130);
  });

  test('where it is down for an hour', async () => {
    const to = await receiver();
    const webhook = await shop.addWebhook(to.url);
    await to.goDown();
    await shop.write('first');
    for (let passed = 0, count = 0; passed < 3600; count++) {
      if (count < 40) await shop.write(`r-${count % 5}`);
      await kontor.deliver();
      passed += await kontor.advanceToDue(60);
    }
    expect(await shop.stateOf(webhook)).toBe('Suspended');
    expect(await shop.deliveries(webhook)).toContain('GivenUp');
    const tries = (await shop.log(webhook)).filter(({ position }) => position === 1);
    // By the times that are promised, and then now and then: whether it is back.
    const expected = [0, 30, 60, 360, 432, 864, 1265];
    for (const [index, seconds] of expected.entries()) expect(tries[index]?.seconds).toBeCloseTo(seconds, -1);
    expect(tries[0]?.failure).toBe('no-connection');
    await to.comeUp();
    await passTimeUntil(() => to.taken.length >= 41);
    expect(orderFaults(to.taken)).toEqual([]);
    expect(new Set(ids(to.taken)).size).toBe(41);
    expect(await shop.stateOf(webhook)).toBe('Enabled');
    expect(new Set(await shop.deliveries(webhook))).toEqual(new Set(['Delivered']));
  });

  test('where two instances deliver, and each event once', async () => {
    const to = await receiver();
    await shop.addWebhook(to.url);
    for (let count = 0; count < 80; count++) await shop.write(`r-${count % 7}`);
    await kontor.database.background.transact((transaction) => sequenceEvents(transaction));
    const stops = [startDelivering(kontor.jobs, 2), startDelivering(kontor.jobs, 3)];
    await until(() => to.taken.length >= 80);
    await Promise.all(stops.map((stop) => stop()));
    expect(orderFaults(to.taken)).toEqual([]);
    expect(to.all).toHaveLength(80);
  });

  test('in a moment without requests, and soon also where there is none', async () => {
    const to = await receiver();
    const traffic = createTraffic();
    const webhook = await shop.addWebhook(to.url);
    for (let count = 0; count < 40; count++) await shop.write(`r-${count}`);
    await kontor.database.background.transact((transaction) => sequenceEvents(transaction));
    let askedFirst = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      askedFirst = resolve;
    });
    let isOpen = false;
    const quiet: Quiet = async (patienceMs) => {
      askedFirst();
      while (!isOpen) await traffic.quiet(patienceMs);
    };
    const delivering = deliverAll({ ...kontor.jobs, quiet }, webhook, () => false);
    await asked;
    expect(await shop.deliveries(webhook)).toEqual(Array(40).fill('Waiting'));
    expect(to.all).toEqual([]);
    traffic.enter();
    isOpen = true;
    await delivering;
    expect(to.taken).toHaveLength(40);
  });

  test('also what an instance had taken out when it died', async () => {
    const to = await receiver();
    const webhook = await shop.addWebhook(to.url);
    await shop.write('a');
    await shop.write('a');
    const { transact } = kontor.database.background;
    await transact((transaction) => sequenceEvents(transaction));
    await transact((transaction) => takeDeliveries(transaction, kontor.jobs, webhook));
    await kontor.deliver();
    expect(to.all, 'no other process takes it meanwhile').toEqual([]);
    await kontor.advance(61);
    await kontor.deliver();
    expect(orderFaults(to.taken)).toEqual([]);
    expect(to.taken).toHaveLength(2);
  });
});

describe('a delivery that cannot be made', () => {
  test('is given up after seven tries and shown so, where the receiver takes others; what comes after it goes on', async () => {
    const to = await receiver();
    to.behave(({ event: { resource } }) => (resource.id === 'bad' && resource.sequence === 1 ? 500 : 200));
    const webhook = await shop.addWebhook(to.url);
    await shop.write('bad');
    await shop.write('bad');
    await kontor.deliver();
    for (let count = 0; count < 6; count++) {
      await shop.write('good');
      await kontor.deliver();
      expect(
        to.taken.map(({ event }) => event.resource.id),
        'the second one waits for the first',
      ).not.toContain('bad');
      await kontor.advanceToDue(3600);
      await kontor.deliver();
    }
    await kontor.deliver();
    expect(await shop.stateOf(webhook)).toBe('Enabled');
    expect((await shop.deliveries(webhook)).slice(0, 2)).toEqual(['GivenUp', 'Delivered']);
    const tries = (await shop.log(webhook)).filter(({ position }) => position === 1);
    expect(tries.map(({ status, failure }) => [status, failure])).toEqual(Array(7).fill([500, 'status']));
  });

  test('can be made once more by hand', async () => {
    const to = await receiver();
    to.behave(() => 500);
    const webhook = await shop.addWebhook(to.url);
    await shop.write('a');
    await kontor.deliver();
    to.behave(() => 200);
    const command = { ...webhook, deliveryId: '1', actor: COMMAND_LINE };
    const repeat = () => kontor.database.transact((transaction) => redeliver(transaction, command));
    expect(await repeat()).toMatchObject({ state: 'Waiting', tries: 0 });
    await kontor.deliver();
    expect(to.taken).toHaveLength(1);
    await repeat();
    await kontor.deliver();
    expect(new Set(ids(to.taken)).size, 'by its id the receiver knows it').toBe(1);
    expect(to.taken).toHaveLength(2);
  });

  test.each(BAD_MANNERS)(
    'because the receiver $what is logged as $failure, and holds up no other receiver',
    async ({ failure, status, behaviour }) => {
      const [bad, good, elsewhere] = [await receiver(), await receiver(), await receiver()];
      bad.behave(behaviour(elsewhere.url));
      const webhook = await shop.addWebhook(bad.url);
      await shop.addWebhook(good.url);
      await shop.write('a');
      await kontor.database.background.transact((transaction) => sequenceEvents(transaction));
      const stop = startDelivering(kontor.jobs, 2);
      await until(() => good.taken.length === 1);
      await shop.write('b');
      await kontor.database.background.transact((transaction) => sequenceEvents(transaction));
      await until(() => good.taken.length === 2);
      await until(async () => (await shop.log(webhook)).length > 0);
      await stop();
      expect((await shop.log(webhook))[0]).toMatchObject({ failure, status });
      expect(elsewhere.all).toEqual([]);
    },
  );

  test('because the receiver is gone disables the webhook', async () => {
    const to = await receiver();
    to.behave(() => 410);
    const webhook = await shop.addWebhook(to.url);
    await shop.write('a');
    await kontor.deliver();
    expect(await shop.stateOf(webhook)).toBe('Disabled');
    await shop.write('b');
    await kontor.advance(3600);
    await kontor.deliver();
    expect(to.all).toHaveLength(1);
  });
});

test('of a huge answer only the beginning is read, and a card number in it is not kept', async () => {
  const to = await receiver();
  let sentBytes: number | undefined;
  to.behave((_received, response) => {
    const { socket } = response;
    response.writeHead(200).write('4925000000000004 ');
    const more = (): void => {
      for (let count = 0; count < 64 && response.writable; count++) {
        if (!response.write('x'.repeat(65_536))) return;
      }
    };
    response.on('drain', more).on('close', () => {
      sentBytes = socket?.bytesWritten;
    });
    more();
    return undefined;
  });
  const webhook = await shop.addWebhook(to.url);
  await shop.write('a');
  await kontor.deliver();
  const [first] = await shop.log(webhook);
  expect(await shop.deliveries(webhook)).toEqual(['Delivered']);
  expect(first?.answer).toMatch(/^\*{12}0004 x+$/);
  expect(first?.answer).toHaveLength(1024);
  await until(() => sentBytes !== undefined);
  // What the system's buffers hold, and not what can be sent until the time is over.
  expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
});

test('a webhook gets the types that it asks for, and what tries it out goes to it alone', async () => {
  const [one, other] = [await receiver(), await receiver()];
  const asking = await shop.addWebhook(one.url, ['token.deleted', 'payment.*']);
  await shop.addWebhook(other.url, ['token.*']);
  await shop.write('a');
  await kontor.deliver();
  expect([one.taken.length, other.taken.length]).toEqual([0, 1]);
  await kontor.database.transact((transaction) => testWebhook(transaction, { ...asking, actor: COMMAND_LINE }));
  await kontor.deliver();
  expect(one.taken.map(({ event }) => [event.type, event.resource.id])).toEqual([['webhook.test', asking.webhookId]]);
  expect(other.taken).toHaveLength(1);
});
