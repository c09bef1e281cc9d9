import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/transaction.types.ts';
import { settleTries } from '../../src/events/deliveries/settle-deliveries.ts';
import { takeDeliveries } from '../../src/events/deliveries/take-deliveries.ts';
import { findWaiting, sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { type DeliveryTest, deliveryTest } from '../support/deliveries.ts';

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
