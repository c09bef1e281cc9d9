import type { WebhookId } from '../../../src/events/events.types.ts';
import { testWebhook } from '../../../src/events/webhooks/change-webhook.ts';
import { createWebhook } from '../../../src/events/webhooks/create-webhook.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type PayeeId, uuidV7 } from '../../../src/kit/ids.ts';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';
import type { Sample } from './routes-samples.ts';

/** Where no program listens: what is delivered there is tried again later. */
const URL = 'http://127.0.0.1:9/hooks';

/** The webhook that stands for a name. */
function webhookIdOf(name: string): WebhookId {
  const hex = Buffer.from(name).toString('hex').slice(-12).padStart(12, '0');
  return `eeeeeeee-eeee-7eee-8eee-${hex}` as WebhookId;
}

async function makeWebhook(kontor: TestService, payeeId: PayeeId, name: string): Promise<void> {
  await makeRoom(kontor, payeeId);
  const ids = [webhookIdOf(name)];
  const context = { ...kontor.service.merchants, newId: () => ids.shift() ?? uuidV7(Date.now()) };
  const command = { payeeId, url: URL, description: 'Stock', eventTypes: [], actor: COMMAND_LINE };
  await kontor.service.database.transact((transaction) => createWebhook(transaction, context, command));
}

/** Tests make more webhooks of one payee than a payee may have. */
async function makeRoom({ database }: TestService, payeeId: PayeeId): Promise<void> {
  await database.asAdmin(`update webhook set state = 'Deleted', next_probe_at = null where payee_id = '${payeeId}'`);
}

/** A delivery gets its id when its event gets its position: each payee's deliveries are all of the one event that it has. */
async function makeDelivery(kontor: TestService, payeeId: PayeeId, name: string): Promise<void> {
  await makeWebhook(kontor, payeeId, name);
  const webhookId = webhookIdOf(name);
  await kontor.service.database.transact((transaction) =>
    testWebhook(transaction, { payeeId, webhookId, actor: COMMAND_LINE }),
  );
  await until(async () => {
    const [row] = await kontor.database.asAdmin(
      `select position::int from delivery where webhook_id = '${webhookId}' and payee_id = '${payeeId}'`,
    );
    positions.set(name, Number(row?.['position'] ?? 1));
    return row !== undefined;
  });
}

const positions = new Map<string, number>();

const nothing: Omit<Sample, 'body'> = { params: () => ({}), make: makeRoomOnly, isMissedWhenUnknown: false };

async function makeRoomOnly(kontor: TestService, payeeId: PayeeId): Promise<void> {
  await makeRoom(kontor, payeeId);
}

const webhook: Omit<Sample, 'body'> = {
  params: (name) => ({ webhookId: webhookIdOf(name) }),
  make: makeWebhook,
  isMissedWhenUnknown: true,
};

const delivery: Omit<Sample, 'body'> = {
  params: (name) => ({ webhookId: webhookIdOf(name), deliveryId: String(positions.get(name) ?? 1) }),
  make: makeDelivery,
  isMissedWhenUnknown: true,
};

const content = { url: URL, description: 'Stock', eventTypes: ['payment.captured', 'token.*'] };

/** Samples of the feed and of webhooks. */
export const EVENT_SAMPLES: Readonly<Record<string, Sample>> = {
  listEvents: { params: () => ({}), make: async () => undefined, isMissedWhenUnknown: false },
  listWebhooks: nothing,
  createWebhook: { ...nothing, isAboutNothing: true, body: content },
  getWebhook: webhook,
  changeWebhook: { ...webhook, body: { ...content, state: 'Enabled' } },
  rotateWebhookSecret: { ...webhook, body: { overlap: '24h' } },
  testWebhook: webhook,
  listDeliveries: webhook,
  getDelivery: delivery,
  redeliverEvent: delivery,
};
