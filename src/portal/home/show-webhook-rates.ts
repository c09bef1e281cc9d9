import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { selectWebhookRates, type WebhookRate } from './webhook-rates.store.ts';

/** How the latest deliveries to each webhook of a payee went. */
export function showWebhookRates(read: Read, payeeId: PayeeId): Promise<readonly WebhookRate[]> {
  return selectWebhookRates(read, payeeId);
}
