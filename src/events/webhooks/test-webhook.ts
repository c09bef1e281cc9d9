import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Webhook } from '../events.types.ts';
import { takeWebhook, type WebhookName } from './find-webhook.ts';
import { raiseEventSequence } from './webhooks.store.ts';

/**
 * Tries a webhook out: writes an event that goes to it alone, whatever types it asks for. What became of it is in the log
 * of its deliveries.
 *
 * @throws Refusal `notfound`, `forbidden` where it is disabled
 */
export async function testWebhook(
  transaction: Transaction,
  command: WebhookName & { readonly actor: Actor },
): Promise<Webhook> {
  const webhook = await takeWebhook(transaction, command);
  if (webhook.state === 'Disabled') throw forbidden('TestWebhook', 'The webhook is disabled.');
  const { payeeId, webhookId } = webhook;
  const [raised] = (await raiseEventSequence(transaction, webhook)).rows;
  assert(raised !== undefined, 'a locked webhook has a number to raise');
  await writeEvents(transaction, [
    {
      payeeId,
      type: 'webhook.test',
      resourceId: webhookId,
      resourceSequence: raised.eventSequence,
      happenedAt: raised.happenedAt,
      payload: { webhookId },
    },
  ]);
  await writeAudit(transaction, [{ payeeId, actor: command.actor, action: 'test-webhook', objectId: webhookId }]);
  return webhook;
}
