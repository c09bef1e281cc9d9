import type { Read } from '../db/transaction.types.ts';
import { DUE_WEBHOOKS } from '../kit/limits.ts';
import { selectDueWebhooks } from './deliveries.store.ts';
import type { WebhookKey } from './events.types.ts';

/** Webhooks that something can be tried at now. */
export async function dueWebhooks(read: Read): Promise<readonly WebhookKey[]> {
  const { rows } = await selectDueWebhooks(read, DUE_WEBHOOKS);
  return rows;
}
