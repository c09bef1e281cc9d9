import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/server/open-database.ts';
import type { FeedEvent } from '../../src/events/events.types.ts';
import { readFeed } from '../../src/events/feed/feed.http.ts';
import { startSequencing } from '../../src/events/feed/sequence-events.job.ts';
import { sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { createPayee } from '../../src/merchants/payees/create-payee.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { eventWriter, jobsOn } from '../support/shop/events.ts';
import { merchantsContext } from '../support/shop/merchants.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let newPayee: () => Promise<PayeeId>;
beforeAll(async () => {
  database = await testDatabase();
  const context = await merchantsContext(database);
  newPayee = () => database.transact((t) => createPayee(t, context, { name: 'Shop', actor: COMMAND_LINE }));
});
afterAll(() => database.drop());

/** Follows a feed as a client does, and keeps all that it sees. */
function follower(payeeId: PayeeId) {
  const seen: FeedEvent[] = [];
  let after = 0;
  return {
    seen,
    async look() {
      const page = await readFeed(database.read, { payeeId, after, limit: 7 });
      seen.push(...page.events);
      after = page.next;
      return page;
    },
  };
}

/** What a follower must never see: a hole, or an event of a resource before the one in front of it. */
function faultsOf(seen: readonly FeedEvent[]): string[] {
  const numbers = new Map<string, number>();
  return seen.flatMap(({ position, resourceId, resourceSequence }, index) => {
    const before = numbers.get(resourceId) ?? 0;
    numbers.set(resourceId, resourceSequence);
    return [
      ...(position === index + 1 ? [] : [`position ${position} came as number ${index + 1}`]),
      ...(resourceSequence === before + 1 ? [] : [`${resourceId}: ${resourceSequence} came after ${before}`]),
    ];
  });
}

const sequenced = () => database.background.transact((transaction) => sequenceEvents(transaction));

test('six writers, two sequencers, one of which dies now and then: a reader meanwhile misses nothing and sees all in order', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  const second = openDatabase({ url: database.appUrl });
  const jobs = [jobsOn(database), jobsOn(second)] as const;
  const stops = jobs.map((job) => startSequencing(job, 2));
  const reader = follower(payeeId);
  let isWriting = true;
  const write = async () => {
    for (let count = 0; count < 40; count++) await writer.write(`r-${randomInt(5)}`, { openMs: randomInt(12) });
  };
  const kill = async () => {
    for (let count = 0; isWriting; count++) {
      await database.asAdmin(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%event_feed (%' and pid <> pg_backend_pid()`);
      // A round that dies after all its statements: nothing of it may be seen.
      if (count % 3 === 0) await database.background.transact(dieAfterwards).catch(() => undefined);
      await pause(5);
    }
  };
  const look = async () => {
    while (isWriting) {
      await reader.look();
      expect(faultsOf(reader.seen)).toEqual([]);
    }
  };
  const others = [kill(), look()];
  await Promise.all(Array.from({ length: 6 }, write));
  isWriting = false;
  await Promise.all(others);
  await until(async () => {
    await reader.look();
    return reader.seen.length >= 240;
  });
  await Promise.all(stops.map((stop) => stop()));
  await second.close();
  expect(faultsOf(reader.seen)).toEqual([]);
  expect(reader.seen).toHaveLength(240);
  expect((await reader.look()).hasMore).toBe(false);
});

async function dieAfterwards(transaction: Parameters<typeof sequenceEvents>[0]): Promise<void> {
  await sequenceEvents(transaction);
  throw new Error('died before the commit');
}

test('while one transaction is the sequencer, another one leaves everything to it', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  await writer.write('r');
  const reader = follower(payeeId);
  await database.background.transact(async (first) => {
    await sequenceEvents(first);
    expect(await database.background.transact((other) => sequenceEvents(other))).toBe(false);
    expect((await reader.look()).events, 'nothing is seen before the commit').toEqual([]);
  });
  await reader.look();
  expect(reader.seen).toHaveLength(1);
});

test('an event waits for the one before it of its resource, whatever the clock says, and comes in the next round', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  await writer.write('r');
  await writer.write('r');
  // The clock was set back between the two, so the second one is the first that a round finds.
  await database.asAdmin(`
    update event_pending set happened_at = happened_at - interval '1 hour'
    where event_id = (select event_id from event where payee_id = '${payeeId}' and resource_sequence = 2)`);
  const reader = follower(payeeId);
  await database.background.transact((transaction) => sequenceEvents(transaction, { limit: 1 }));
  expect((await reader.look()).events).toEqual([]);
  await sequenced();
  await reader.look();
  expect(faultsOf(reader.seen)).toEqual([]);
  expect(reader.seen).toHaveLength(2);
});

test('events stand in the order of time, but those of one resource in that of their numbers', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  for (const resourceId of ['r', 's', 'r', 't', 'r']) await writer.write(resourceId);
  // The clock was set back before the second of r, and again before t.
  const minutes = { r1: 40, s1: 50, r2: 10, t1: 30, r3: 45 };
  for (const [name, minute] of Object.entries(minutes)) {
    await database.asAdmin(`
      update event set happened_at = '2026-01-01 12:${minute}:00Z'
      where payee_id = '${payeeId}' and resource_id || resource_sequence = '${name}'`);
  }
  await sequenced();
  const reader = follower(payeeId);
  await reader.look();
  expect(reader.seen.map(({ resourceId, resourceSequence }) => `${resourceId}${resourceSequence}`)).toEqual([
    ...['t1', 'r1', 'r2', 'r3', 's1'],
  ]);
});

test('what lies behind an event that waits for the next round waits too, and nothing else does', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  for (const resourceId of ['r', 'r', 'r', 's']) await writer.write(resourceId);
  // A round of three finds all but the first of r.
  await database.asAdmin(`
    update event_pending set happened_at = happened_at + interval '1 hour'
    where event_id = (select event_id from event where payee_id = '${payeeId}' and resource_id = 'r' and resource_sequence = 1)`);
  const reader = follower(payeeId);
  expect(await database.background.transact((transaction) => sequenceEvents(transaction, { limit: 3 }))).toBe(true);
  await reader.look();
  expect(reader.seen.map(({ resourceId }) => resourceId)).toEqual(['s']);
  // Then nothing can be placed by two: to go on at once would be to go on for ever.
  expect(await database.background.transact((transaction) => sequenceEvents(transaction, { limit: 2 }))).toBe(false);
  await sequenced();
  await reader.look();
  expect(faultsOf(reader.seen)).toEqual([]);
  expect(reader.seen).toHaveLength(4);
});

test('payees have feeds of their own, each from 1', async () => {
  const payees = [await newPayee(), await newPayee()] as const;
  for (const payeeId of payees) {
    const writer = await eventWriter(database, payeeId);
    await writer.write('r');
    await writer.write('s');
  }
  await sequenced();
  for (const payeeId of payees) {
    const reader = follower(payeeId);
    await reader.look();
    expect(reader.seen.map(({ position }) => position)).toEqual([1, 2]);
    expect(new Set(reader.seen.map((event) => event.payeeId))).toEqual(new Set([payeeId]));
  }
});

test('a reader that begins at the latest event sees what comes after it', async () => {
  const payeeId = await newPayee();
  const writer = await eventWriter(database, payeeId);
  expect(await readFeed(database.read, { payeeId, after: 'latest', limit: 9 })).toMatchObject({ next: 0, events: [] });
  await writer.write('r');
  await sequenced();
  const { next } = await readFeed(database.read, { payeeId, after: 'latest', limit: 9 });
  await writer.write('r');
  await sequenced();
  const { events } = await readFeed(database.read, { payeeId, after: next, limit: 9 });
  expect(events.map(({ position, resourceSequence }) => [position, resourceSequence])).toEqual([[2, 2]]);
});
