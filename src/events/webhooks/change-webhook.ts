import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { RotatedSecret, Webhook } from '../events.types.ts';
import { takeWebhook, type WebhookName } from './find-webhook.ts';
import { deleteSigningSecrets } from './secrets.store.ts';
import { rotateSigningSecret } from './signing-secrets.ts';
import { checkEventTypes, readAddress } from './webhooks.rules.ts';
import { markRevival, raiseEventSequence, updateWebhook } from './webhooks.store.ts';

export interface ChangeWebhook extends WebhookName {
  /** What is undefined stays as it is. */
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly state?: 'Enabled' | 'Disabled' | 'Deleted' | undefined;
  readonly actor: Actor;
}

/**
 * Changes a webhook, or deletes it. The content that it has changes nothing. One that is enabled again, or suspended and gets another address, gets at once what
 * was given up while it took nothing.
 *
 * @throws Refusal `notfound`, `inputerror`
 */
export async function changeWebhook(
  transaction: Transaction,
  kontor: Kontor,
  command: ChangeWebhook,
): Promise<Webhook> {
  const webhook = await takeWebhook(transaction, command);
  const { eventTypes = webhook.eventTypes, actor } = command;
  const url = readAddress(command.url ?? webhook.url, kontor.config.mode);
  // What is stored is not judged again: a type that it names may be gone.
  const refusal = checkEventTypes(command.eventTypes ?? []);
  if (refusal !== undefined) throw refusal;
  const description = command.description?.trim() ?? webhook.description;
  const state = command.state ?? (url === webhook.url ? webhook.state : resumed(webhook));
  const wanted: Webhook = { ...webhook, url, eventTypes, description, state };
  if (contentOf(wanted) === contentOf(webhook)) return webhook;
  const [changed] = (await updateWebhook(transaction, wanted)).rows;
  assert(changed !== undefined, 'a locked webhook can be changed');
  if (state === 'Enabled' && webhook.state !== 'Enabled') {
    await markRevival(transaction, webhook, webhook.lastSuccessAt);
  }
  const { payeeId, webhookId } = webhook;
  if (state === 'Deleted') await deleteSigningSecrets(transaction, webhook, 'All');
  await writeAudit(transaction, [
    { payeeId, actor, action: 'change-webhook', objectId: webhookId, details: { state } },
  ]);
  return changed;
}

/** What can be changed of a webhook. */
function contentOf({ url, eventTypes, description, state }: Webhook): string {
  return JSON.stringify([url, eventTypes, description, state]);
}

function resumed({ state }: Webhook): Webhook['state'] {
  return state === 'Suspended' ? 'Enabled' : state;
}

/**
 * Puts a new secret in the place of a webhook's. For a while deliveries are signed with both, so that the receiver can
 * change over without missing one.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `notfound`, `inputerror`
 */
export async function rotateWebhookSecret(
  transaction: Transaction,
  kontor: Kontor,
  command: WebhookName & { readonly overlap?: string | undefined; readonly actor: Actor },
): Promise<RotatedSecret> {
  const { payeeId, webhookId } = await takeWebhook(transaction, command);
  const owner = { payeeId, webhookId };
  const rotated = await rotateSigningSecret(transaction, kontor, { owner, overlap: command.overlap });
  await writeAudit(transaction, [
    { payeeId, actor: command.actor, action: 'rotate-webhook-secret', objectId: webhookId },
  ]);
  return rotated;
}

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
