import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceEvents } from '../../src/events/sequence-events.ts';
import { type DeliveryTest, deliveryTest } from '../support/deliveries.ts';

let kontor: DeliveryTest;
beforeAll(async () => {
  kontor = await deliveryTest();
});
afterAll(() => kontor.stop());

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
