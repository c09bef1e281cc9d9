import type { Read, Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowSetAside } from '../../kit/work/background.ts';
import type { DeliveryDetails } from '../events.types.ts';
import { lockWebhook } from '../webhooks/webhooks.store.ts';
import { repeatDelivery, selectSetAside } from './deliveries.store.ts';
import { type DeliveryName, findDelivery, getDelivery } from './read-deliveries.ts';

/**
 * Has an event delivered once more, whatever became of it: at once, with a new series of tries, and with the same id, by
 * which its receiver knows it. Events of the resource that still wait come after it.
 *
 * @throws Refusal `notfound`, `forbidden` where the webhook is disabled
 */
export async function redeliver(
  transaction: Transaction,
  command: DeliveryName & { readonly actor: Actor },
): Promise<DeliveryDetails> {
  const read = transaction.run.bind(transaction);
  const delivery = await findDelivery(read, command);
  if (delivery === undefined) throw notFound();
  const [webhook] = (await lockWebhook(transaction, delivery)).rows;
  if (webhook === undefined) throw notFound();
  const { position } = delivery;
  if (webhook.state === 'Disabled') throw forbidden('Redeliver', 'The webhook is disabled.');
  if ((await repeatDelivery(transaction, webhook, position)) === 0) throw notFound();
  const { payeeId, webhookId } = webhook;
  await writeAudit(transaction, [
    {
      payeeId,
      actor: command.actor,
      action: 'redeliver-event',
      objectId: webhookId,
      details: { position },
    },
  ]);
  return getDelivery(read, command);
}

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
