import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import type { EventsContext, RotatedSecret } from '../events.types.ts';
import { takeWebhook, type WebhookName } from './find-webhook.ts';
import { rotateSigningSecret } from './signing-secrets.ts';

/**
 * Puts a new secret in the place of a webhook's. For a while deliveries are signed with both, so that the receiver can
 * change over without missing one.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `notfound`, `inputerror`
 */
export async function rotateWebhookSecret(
  transaction: Transaction,
  context: EventsContext,
  command: WebhookName & { readonly overlap?: string | undefined; readonly actor: Actor },
): Promise<RotatedSecret> {
  const { payeeId, webhookId } = await takeWebhook(transaction, command);
  const owner = { payeeId, webhookId };
  const rotated = await rotateSigningSecret(transaction, context, { owner, overlap: command.overlap });
  await writeAudit(transaction, [
    { payeeId, actor: command.actor, action: 'rotate-webhook-secret', objectId: webhookId },
  ]);
  return rotated;
}
