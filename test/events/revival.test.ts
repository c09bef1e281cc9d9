import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleTries } from '../../src/events/deliveries/settle-deliveries.ts';
import { dueWebhooks, takeDeliveries } from '../../src/events/deliveries/take-deliveries.ts';
import { sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { type DeliveryTest, deliveryTest } from '../support/shop/deliveries.ts';

// A webhook that was down for long has very many deliveries: it wakes in portions, each of a bounded time.

const WAITING = 2_500;

let kontor: DeliveryTest;
beforeAll(async () => {
  kontor = await deliveryTest();
});
afterAll(() => kontor.stop());

test('a webhook that comes back puts its deliveries back in line a thousand at a time, and takes none before', async () => {
  const { database, jobs } = kontor;
  const { transact } = database.background;
  const shop = await kontor.payee();
  const webhook = await shop.addWebhook('http://127.0.0.1:9/');
  await shop.write('first');
  await transact((transaction) => sequenceEvents(transaction));
  const take = () => transact((transaction) => takeDeliveries(transaction, jobs, webhook));
  const isDue = async () => (await transact(dueWebhooks)).some(({ webhookId }) => webhookId === webhook.webhookId);
  const count = async (which: string) => {
    const [row] = await database.asAdmin(
      `select count(*)::int as count from delivery where webhook_id = '${webhook.webhookId}' and ${which}`,
    );
    return Number(row?.['count']);
  };
  // Half wait for a time to come, half were given up; one was given up before the webhook last took anything.
  await database.asAdmin(`
    insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, state, tries, first_tried_at,
      next_try_at, settled_at)
    select payee_id, webhook_id, n + 1, event_id, 'payment', (n / 2)::text, case when n % 2 = 0 then 'Waiting' else 'GivenUp' end, 3,
      kontor_now() - interval '1 hour' + n * interval '1 microsecond',
      case when n % 2 = 0 then kontor_now() + interval '1 hour' end, case when n % 2 = 1 then kontor_now() end
    from delivery, generate_series(1, ${WAITING}) n
    where webhook_id = '${webhook.webhookId}';
    update delivery set first_tried_at = kontor_now() - interval '2 days' where webhook_id = '${webhook.webhookId}' and position = 2;
    update webhook set state = 'Suspended', next_probe_at = kontor_now(), last_success_at = kontor_now() - interval '1 day'
    where webhook_id = '${webhook.webhookId}'`);

  const probed = await take();
  expect(probed?.deliveries).toHaveLength(1);
  const tried = (probed?.deliveries ?? []).map((delivery) => ({
    delivery,
    outcome: { status: 200, failure: null, answer: '', durationMs: 1 },
  }));
  await transact((transaction) => settleTries(transaction, webhook, tried));
  expect(await count(`state = 'Delivered'`), 'the success stands, whatever becomes of the rest').toBe(1);

  const left: number[] = [];
  for (let taken = await take(); taken?.deliveries.length === 0; taken = await take()) {
    left.push(await count(`state <> 'Delivered' and (state = 'GivenUp' or next_try_at > kontor_now())`));
    expect(await isDue()).toBe(true);
  }
  // The last one stays given up: it was so before the webhook took anything.
  expect(left).toEqual([WAITING - 1_000, WAITING - 2_000, 1]);
  expect(await count(`leased_until is not null`), 'then it takes the first ones').toBe(16);
  expect(await count(`state = 'Waiting' and (tries > 0 or first_tried_at is not null) and leased_until is null`)).toBe(
    0,
  );
});
