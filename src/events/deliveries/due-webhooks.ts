import type { Transaction } from '../../db/transaction.types.ts';
import { DUE_WEBHOOKS } from '../../kit/limits.ts';
import type { WebhookKey } from '../events.types.ts';
import { selectDueWebhooks } from './deliveries.store.ts';
import { keepToIndexes } from './plans.store.ts';

/** Webhooks that something can be tried at now. */
export async function dueWebhooks(transaction: Transaction): Promise<readonly WebhookKey[]> {
  await keepToIndexes(transaction);
  const { rows } = await selectDueWebhooks(transaction, DUE_WEBHOOKS);
  return rows;
}
