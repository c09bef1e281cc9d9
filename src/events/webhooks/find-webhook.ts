import type { Read, Transaction } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Webhook } from '../events.types.ts';
import { parseWebhookId } from './webhooks.rules.ts';
import { lockWebhook, selectWebhook, selectWebhooks } from './webhooks.store.ts';

/** Names a webhook as an address does: its id may be anything. */
export interface WebhookName {
  readonly payeeId: PayeeId;
  readonly webhookId: string;
}

/** The webhooks of a payee that are not deleted, the oldest first. */
export async function listWebhooks(read: Read, payeeId: PayeeId): Promise<readonly Webhook[]> {
  return (await selectWebhooks(read, payeeId)).rows;
}

/** Whether there is such a webhook. */
export async function webhookExists(read: Read, name: WebhookName): Promise<boolean> {
  return (await findWebhook(read, name)) !== undefined;
}

/**
 * One webhook.
 *
 * @throws Refusal `notfound`
 */
export async function getWebhook(read: Read, name: WebhookName): Promise<Webhook> {
  return present(await findWebhook(read, name));
}

/**
 * One webhook, locked until the transaction ends.
 *
 * @throws Refusal `notfound`
 */
export async function takeWebhook(
  transaction: Transaction,
  { payeeId, webhookId: text }: WebhookName,
): Promise<Webhook> {
  const webhookId = parseWebhookId(text);
  if (webhookId === undefined) throw notFound();
  return present(own((await lockWebhook(transaction, { payeeId, webhookId })).rows[0]));
}

/** One webhook, or undefined where there is none. */
export async function findWebhook(read: Read, { payeeId, webhookId: text }: WebhookName): Promise<Webhook | undefined> {
  const webhookId = parseWebhookId(text);
  return webhookId && own((await selectWebhook(read, { payeeId, webhookId })).rows[0]);
}

/** A webhook that its payee made: receivers of callbacks cannot be changed by requests. */
function own(webhook: Webhook | undefined): Webhook | undefined {
  return webhook?.callbackOrigin === null ? webhook : undefined;
}

function present(webhook: Webhook | undefined): Webhook {
  if (webhook === undefined) throw notFound();
  return webhook;
}
