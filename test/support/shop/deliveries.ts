import { deliverAll } from '../../../src/events/deliveries/deliver.job.ts';
import { listDeliveries } from '../../../src/events/deliveries/read-deliveries.ts';
import { createSender } from '../../../src/events/deliveries/sender.adapter.ts';
import { dueWebhooks } from '../../../src/events/deliveries/take-deliveries.ts';
import type { DeliveryContext, WebhookKey } from '../../../src/events/events.types.ts';
import { sequenceEvents } from '../../../src/events/feed/sequence-events.ts';
import { createWebhook } from '../../../src/events/webhooks/create-webhook.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { maskCardNumbersIn } from '../../../src/kit/cards/find-card-numbers.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { Kontor } from '../../../src/kontor.types.ts';
import { createPayee } from '../../../src/merchants/payees/create-payee.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { eventWriter, jobsOn } from './events.ts';
import { merchantsContext } from './merchants.ts';

/** A try as the log has it, in seconds of the test's clock since the event happened. */
export interface LoggedTry {
  readonly position: number;
  readonly seconds: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string;
}

/** A payee with events and webhooks, on a database whose clock the test sets. */
export interface DeliveryTest {
  readonly database: TestDatabase;
  readonly context: Kontor;
  readonly jobs: DeliveryContext;
  payee(): Promise<ShopWithEvents>;
  /** Delivers all that is due at this instant of the test's clock. */
  deliver(): Promise<void>;
  /** Lets time pass, by the clock of the database. */
  advance(seconds: number): Promise<void>;
  /** Lets time pass until something is due, or so many seconds at most; how many it were. */
  advanceToDue(mostSeconds: number): Promise<number>;
  stop(): Promise<void>;
}

export interface ShopWithEvents {
  readonly payeeId: PayeeId;
  /** Writes an event about a resource, with a callback to the address, if one is given. */
  write(resourceId: string, callbackUrl?: string): Promise<void>;
  /** The log of callbacks. */
  callbackLog(): Promise<readonly LoggedTry[]>;
  /** States of the callbacks in the order of the feed, and of their receiver. */
  callbacks(): Promise<{ readonly states: readonly unknown[]; readonly receivers: readonly unknown[] }>;
  addWebhook(url: string, eventTypes?: readonly string[]): Promise<WebhookKey & { readonly secret: string }>;
  /** The log of a webhook, in the order of its tries. */
  log(webhook: WebhookKey): Promise<readonly LoggedTry[]>;
  stateOf(webhook: WebhookKey): Promise<unknown>;
  /** States of the deliveries to a webhook in the order of the feed. */
  deliveries(webhook: WebhookKey): Promise<readonly unknown[]>;
}

/** Receivers in these tests answer at once or never. */
const TIMEOUT_MS = 1_500;

export async function deliveryTest(): Promise<DeliveryTest> {
  const database = await testDatabase();
  const context = await merchantsContext(database);
  const { failures, ...work } = jobsOn(database);
  const sender = createSender({ allowsLoopback: true, timeoutMs: TIMEOUT_MS });
  const jobs = { ...context, ...work, sender, maskCardNumbers: maskCardNumbersIn };
  let offsetMs = 0;
  const advance = async (seconds: number): Promise<void> => {
    offsetMs += Math.round(seconds * 1000);
    await database.asAdmin(`
      create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', clock_timestamp()) + interval '${offsetMs} ms'`);
  };
  return {
    database,
    context,
    jobs,
    advance,
    payee: async () => {
      // Webhooks of tests before have deliveries that are due at other times.
      await database.asAdmin(`update webhook set state = 'Disabled', next_probe_at = null`);
      return shop(database, context);
    },
    deliver: async () => {
      while (await database.background.transact((transaction) => sequenceEvents(transaction)));
      const due = await database.background.transact(dueWebhooks);
      await Promise.all(due.map((key) => deliverAll(jobs, key, () => false)));
      if (failures.length > 0) throw failures[0];
    },
    advanceToDue: async (mostSeconds) => {
      const [row] = await database.asAdmin(`
        select extract(epoch from least(
          (select min(next_try_at) from delivery join webhook w using (payee_id, webhook_id)
            where delivery.state = 'Waiting' and w.state = 'Enabled' and next_try_at > kontor_now()),
          (select min(next_probe_at) from webhook)
        ) - kontor_now())::float8 as seconds`);
      const seconds = Math.min(mostSeconds, Math.max(0.001, Number(row?.['seconds'] ?? mostSeconds)));
      await advance(seconds);
      return seconds;
    },
    stop: async () => {
      sender.close();
      await database.drop();
    },
  };
}

async function shop(database: TestDatabase, context: Kontor): Promise<ShopWithEvents> {
  const payeeId = await database.transact((t) => createPayee(t, context, { name: 'Shop', actor: COMMAND_LINE }));
  const writer = await eventWriter(database, payeeId);
  return {
    payeeId,
    write: (resourceId, callbackUrl) => writer.write(resourceId, callbackUrl === undefined ? {} : { callbackUrl }),
    callbackLog: () => tries(database, `payee_id = '${payeeId}' and callback_origin is not null`),
    callbacks: async () => {
      const { deliveries } = await listDeliveries(database.read, { payeeId, webhookId: 'callbacks' }, { limit: 1000 });
      const receivers = await database.asAdmin(
        `select state from webhook where payee_id = '${payeeId}' and callback_origin is not null`,
      );
      return { states: deliveries.map(({ state }) => state).reverse(), receivers: receivers.map(({ state }) => state) };
    },
    addWebhook: async (url, eventTypes = []) => {
      const command = { payeeId, url, eventTypes, description: undefined, actor: COMMAND_LINE };
      const { webhook, secret } = await database.transact((t) => createWebhook(t, context, command));
      return { payeeId, webhookId: webhook.webhookId, secret: secret.reveal() };
    },
    log: ({ webhookId }) => tries(database, `webhook_id = '${webhookId}'`),
    stateOf: async ({ webhookId }) =>
      (await database.asAdmin(`select state from webhook where webhook_id = '${webhookId}'`))[0]?.['state'],
    deliveries: async ({ webhookId }) =>
      (await database.asAdmin(`select state from delivery where webhook_id = '${webhookId}' order by position`)).map(
        ({ state }) => state,
      ),
  };
}

async function tries(database: TestDatabase, which: string): Promise<readonly LoggedTry[]> {
  return (await database.asAdmin(`
    select position::int, extract(epoch from tried_at - happened_at)::float8 as seconds, status, failure, answer
    from delivery_try join delivery using (payee_id, webhook_id, position) join event using (payee_id, event_id)
      join webhook using (payee_id, webhook_id)
    where ${which} order by tried_at, position`)) as unknown as LoggedTry[];
}
