import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleTries } from '../../src/events/deliveries/settle-deliveries.ts';
import { takeDeliveries } from '../../src/events/deliveries/take-deliveries.ts';
import { sequenceEvents } from '../../src/events/feed/sequence-events.ts';
import { STATEMENT_TIMEOUT_MS } from '../../src/kit/limits.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type DeliveryTest, deliveryTest } from '../support/shop/deliveries.ts';

const WAITING = IS_LONG_RUN ? 2_000_000 : 200_000;

let kontor: DeliveryTest;
beforeAll(async () => {
  kontor = await deliveryTest();
});
afterAll(() => kontor.stop());

test('a webhook with very many deliveries wakes: the success of its probe is noted, and each portion is short', async () => {
  const { database, jobs } = kontor;
  const { transact } = database.background;
  const shop = await kontor.payee();
  const webhook = await shop.addWebhook('http://127.0.0.1:9/');
  await shop.write('first');
  await transact((transaction) => sequenceEvents(transaction));
  await database.asAdmin(`
    insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, state, tries, first_tried_at, next_try_at)
    select payee_id, webhook_id, n + 1, event_id, 'payment', (n / 2)::text, 'Waiting', 3, kontor_now() - interval '1 hour',
      kontor_now() + interval '1 hour'
    from delivery, generate_series(1, ${WAITING}) n
    where webhook_id = '${webhook.webhookId}';
    update webhook set state = 'Suspended', next_probe_at = kontor_now(), last_success_at = kontor_now() - interval '1 day'
    where webhook_id = '${webhook.webhookId}';
    analyze`);
  let longestMs = 0;
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await work();
    longestMs = Math.max(longestMs, performance.now() - begun);
    return result;
  };
  const take = () => timed(() => transact((transaction) => takeDeliveries(transaction, jobs, webhook)));

  const probed = await take();
  expect(probed?.deliveries).toHaveLength(1);
  const tried = (probed?.deliveries ?? []).map((delivery) => ({
    delivery,
    outcome: { status: 200, failure: null, answer: '', durationMs: 1 },
  }));
  await timed(() => transact((transaction) => settleTries(transaction, webhook, tried)));
  let portions = 0;
  let taken = await take();
  for (; taken?.deliveries.length === 0; taken = await take()) portions++;

  expect(taken?.deliveries, 'then it takes the first ones').toHaveLength(16);
  expect(portions).toBe(WAITING / 1_000 + 1);
  const [left] = await database.asAdmin(
    `select count(*)::int as waiting from delivery where webhook_id = '${webhook.webhookId}' and next_try_at > kontor_now()
       and leased_until is null`,
  );
  expect(left).toEqual({ waiting: 0 });
  expect(longestMs, 'no statement comes near its time limit').toBeLessThan(STATEMENT_TIMEOUT_MS / 2);
});
