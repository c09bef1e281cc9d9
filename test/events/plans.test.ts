import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/transaction.types.ts';
import { settleTries } from '../../src/events/deliveries/settle-deliveries.ts';
import { takeDeliveries } from '../../src/events/deliveries/take-deliveries.ts';
import { findWaiting, sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { type DeliveryTest, deliveryTest } from '../support/shop/deliveries.ts';

let kontor: DeliveryTest;
beforeAll(async () => {
  kontor = await deliveryTest();
});
afterAll(() => kontor.stop());

test('what is delivered again after a crash does not make payments wait for the disk; positions in the feed do', async () => {
  const shop = await kontor.payee();
  const webhook = await shop.addWebhook('http://127.0.0.1:9/');
  await shop.write('first');
  const commitAfter = (work: (transaction: Transaction) => Promise<unknown>) =>
    kontor.database.background.transact(async (transaction) => {
      await work(transaction);
      const { rows } = await transaction.run<{ setting: string }>(
        { name: 'test-commit', text: `select current_setting('synchronous_commit') as setting` },
        [],
      );
      return rows[0]?.setting;
    });
  expect(await commitAfter((transaction) => sequenceEvents(transaction))).toBe('on');
  expect(await commitAfter((transaction) => takeDeliveries(transaction, kontor.jobs, webhook))).toBe('off');
  expect(await commitAfter((transaction) => settleTries(transaction, webhook, []))).toBe('off');
  expect(await commitAfter(async () => undefined), 'the connection is as it was').toBe('on');
});

test('plans that are made while there are few events do not read the whole table later on', async () => {
  const shop = await kontor.payee();
  const { database } = kontor;
  const sequence = () => database.background.transact((transaction) => sequenceEvents(transaction));
  const scans = async () => {
    const [row] = await database.asAdmin(`
      select pg_stat_force_next_flush();
      select coalesce(sum(seq_tup_read), 0)::int as rows from pg_stat_user_tables where relname = 'event'`);
    return Number(row?.['rows']);
  };
  await shop.write('first');
  await sequence();
  await database.asAdmin('analyze');
  // After five runs a connection keeps its plan.
  for (let count = 0; count < 30; count++) {
    await shop.write('first');
    await sequence();
  }
  const before = await scans();
  await shop.write('first');
  await sequence();
  await database.background.transact((transaction) =>
    transaction.run({ name: 'test-flush', text: 'select pg_stat_force_next_flush()' }, []),
  );
  expect((await scans()) - before).toBe(0);
});

test('a feed that is set aside, with very many events, costs the other feeds nothing', async () => {
  const { database } = kontor;
  const [aside, busy] = [await kontor.payee(), await kontor.payee()];
  await database.asAdmin(`
    insert into event_pending (payee_id, event_id, happened_at)
    select '${aside.payeeId}', gen_random_uuid(), kontor_now() - interval '1 day' from generate_series(1, 5000);
    insert into row_at_work (payee_id, work, row_id, not_before, is_under_way)
    values ('${aside.payeeId}', 'sequence-events', 'feed', 'infinity', false)`);
  await busy.write('first');
  const read = async () => {
    const [row] = await database.asAdmin(`
      select pg_stat_force_next_flush();
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'event_pending'`);
    return Number(row?.['rows']);
  };
  const before = await read();
  await database.background.transact(async (transaction) => {
    const waiting = await findWaiting((...query) => transaction.run(...query));
    expect(waiting.map(({ payeeId }) => payeeId)).toEqual([busy.payeeId]);
    await sequenceEvents(transaction, { payeeIds: [busy.payeeId] });
    expect(await findWaiting((...query) => transaction.run(...query))).toEqual([]);
    await transaction.run({ name: 'test-flush', text: 'select pg_stat_force_next_flush()' }, []);
  });
  expect((await read()) - before).toBeLessThan(100);
});

test('deliveries are taken by their resources and settled by their positions, though very many wait that the planner does not know of', async () => {
  const { database } = kontor;
  const { transact } = database.background;
  const shop = await kontor.payee();
  const webhook = await shop.addWebhook('http://127.0.0.1:9/');
  await shop.write('first');
  await transact((transaction) => sequenceEvents(transaction));
  await database.asAdmin(`
    insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, state, tries, first_tried_at, settled_at)
    select payee_id, webhook_id, position + n, event_id, 'payment', n::text, 'GivenUp', 1, kontor_now(), kontor_now()
    from delivery, generate_series(1, 5000) n
    where webhook_id = '${webhook.webhookId}';
    update delivery set state = 'GivenUp', next_try_at = null, tries = 1, first_tried_at = kontor_now(), settled_at = kontor_now()
    where state = 'Waiting';
    analyze delivery;
    update delivery set state = 'Waiting', next_try_at = kontor_now(), tries = 0, first_tried_at = null, settled_at = null
    where webhook_id = '${webhook.webhookId}';
    select pg_stat_force_next_flush()`);
  const read = async () => {
    const [row] = await database.asAdmin(`
      select pg_stat_force_next_flush();
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'delivery'`);
    return Number(row?.['rows']);
  };
  /** With what a connection has counted of its reads, which it tells late. */
  const counted = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    transact(async (transaction) => {
      const result = await work(transaction);
      await transaction.run({ name: 'test-flush-counted', text: 'select pg_stat_force_next_flush()' }, []);
      return result;
    });
  const atFirst = await read();
  const taken = await counted((transaction) => takeDeliveries(transaction, kontor.jobs, webhook));
  const outcome = { status: 200, failure: null, answer: '', durationMs: 1 };
  const tried = (taken?.deliveries ?? []).map((delivery) => ({ delivery, outcome }));
  const before = await read();
  await counted((transaction) => settleTries(transaction, webhook, tried));
  expect(tried).toHaveLength(16);
  // To take them, all that are due are put into their order once.
  expect(before - atFirst).toBeLessThan(2 * 5000);
  expect((await read()) - before).toBeLessThan(200);
});
