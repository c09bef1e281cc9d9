import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { reviveDeliveries } from '../deliveries/deliveries.store.ts';
import type { EventsContext, Webhook } from '../events.types.ts';
import { takeWebhook, type WebhookName } from './find-webhook.ts';
import { deleteSigningSecrets } from './secrets.store.ts';
import { checkEventTypes, readAddress } from './webhooks.rules.ts';
import { updateWebhook } from './webhooks.store.ts';

export interface ChangeWebhook extends WebhookName {
  /** What is undefined stays as it is. */
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly state?: 'Enabled' | 'Disabled' | 'Deleted' | undefined;
  readonly actor: Actor;
}

/**
 * Changes a webhook, or deletes it. One that is enabled again, or suspended and gets another address, gets at once what
 * was given up while it took nothing.
 *
 * @throws Refusal `notfound`, `inputerror`
 */
export async function changeWebhook(
  transaction: Transaction,
  context: EventsContext,
  command: ChangeWebhook,
): Promise<Webhook> {
  const webhook = await takeWebhook(transaction, command);
  const { eventTypes = webhook.eventTypes, actor } = command;
  const url = readAddress(command.url ?? webhook.url, context.mode);
  // What is stored is not judged again: a type that it names may be gone.
  const refusal = checkEventTypes(command.eventTypes ?? []);
  if (refusal !== undefined) throw refusal;
  const description = command.description?.trim() ?? webhook.description;
  const state = command.state ?? (url === webhook.url ? webhook.state : resumed(webhook));
  const [changed] = (await updateWebhook(transaction, { ...webhook, url, eventTypes, description, state })).rows;
  assert(changed !== undefined, 'a locked webhook can be changed');
  if (state === 'Enabled' && webhook.state !== 'Enabled') {
    await reviveDeliveries(transaction, webhook, webhook.lastSuccessAt);
  }
  const { payeeId, webhookId } = webhook;
  if (state === 'Deleted') await deleteSigningSecrets(transaction, webhook, 'All');
  await writeAudit(transaction, [
    { payeeId, actor, action: 'change-webhook', objectId: webhookId, details: { state } },
  ]);
  return changed;
}

function resumed({ state }: Webhook): Webhook['state'] {
  return state === 'Suspended' ? 'Enabled' : state;
}
