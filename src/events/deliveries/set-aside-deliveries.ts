import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowSetAside } from '../../kit/work/background.ts';
import { selectSetAside } from './deliveries.store.ts';
import { redeliver } from './redeliver.ts';

/** Deliveries that are set aside because they were under way when processes ended, as the other rows of background work. */
export async function listSetAsideDeliveries(read: Read): Promise<readonly RowSetAside[]> {
  const { rows } = await selectSetAside(read);
  return rows.map(({ payeeId, webhookId, position, crashes, settledAt }) => {
    const rowId = `${webhookId}/${position}`;
    return { payeeId, work: 'deliver-events', rowId, crashes, failures: 0, fault: null, begunAt: settledAt };
  });
}

/**
 * Has a delivery that was set aside made again.
 *
 * @throws Refusal as `redeliver`
 */
export async function redeliverSetAside(
  transaction: Transaction,
  { payeeId, rowId, actor }: { readonly payeeId: PayeeId; readonly rowId: string; readonly actor: Actor },
): Promise<void> {
  const [webhookId = '', deliveryId = ''] = rowId.split('/');
  await redeliver(transaction, { payeeId, webhookId, deliveryId, actor });
}
