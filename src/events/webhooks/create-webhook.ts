import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { FreshWebhook, WebhookId } from '../events.types.ts';
import { createSigningSecret, openSigningSecrets } from './signing-secrets.ts';
import { checkEventTypes, readAddress } from './webhooks.rules.ts';
import {
  insertWebhook,
  lockWebhooks,
  type NewWebhook,
  selectByIdempotencyKey,
  selectWebhooks,
} from './webhooks.store.ts';

/** Webhooks of one payee: each event is stored and sent once for each. */
const WEBHOOKS = 16;

export interface CreateWebhook {
  readonly payeeId: PayeeId;
  readonly url: string;
  readonly description: string | undefined;
  /** Undefined or empty: all events. */
  readonly eventTypes: readonly string[] | undefined;
  /** Makes repeating safe. */
  readonly idempotencyKey?: string | undefined;
  readonly actor: Actor;
}

/**
 * Makes a webhook. It gets the events that get their positions from now on. The same key with the same wish gives the
 * webhook that it made before.
 *
 * @throws Refusal `inputerror` for an address or a type that cannot be, `forbidden` where the payee has too many,
 *   `referencereused` for a key that asked for something else
 */
export async function createWebhook(
  transaction: Transaction,
  kontor: Kontor,
  { payeeId, eventTypes = [], description, idempotencyKey, actor, ...sent }: CreateWebhook,
): Promise<FreshWebhook> {
  const url = readAddress(sent.url, kontor.config.mode);
  const refusal = checkEventTypes(eventTypes);
  if (refusal !== undefined) throw refusal;
  const asked = { payeeId, url, description: description?.trim() ?? null, eventTypes, idempotencyKey };
  await lockWebhooks(transaction, payeeId);
  const before = idempotencyKey === undefined ? undefined : await findBefore(transaction, kontor, asked);
  if (before !== undefined) return before;
  const { count } = await selectWebhooks(transaction.run.bind(transaction), payeeId);
  if (count >= WEBHOOKS) throw forbidden('CreateWebhook', `A payee has at most ${WEBHOOKS} webhooks.`);
  const webhookId = kontor.newId() as WebhookId;
  const [webhook] = (await insertWebhook(transaction, { ...asked, webhookId })).rows;
  assert(webhook !== undefined, 'a new webhook is one row');
  const secret = await createSigningSecret(transaction, kontor, { payeeId, webhookId });
  await writeAudit(transaction, [{ payeeId, actor, action: 'create-webhook', objectId: webhookId }]);
  return { webhook, secret, isReplay: false };
}

/** What an earlier request with the same key has made. */
async function findBefore(
  transaction: Transaction,
  { keyRing }: Kontor,
  asked: Omit<NewWebhook, 'webhookId'>,
): Promise<FreshWebhook | undefined> {
  const read = transaction.run.bind(transaction);
  const [found] = (await selectByIdempotencyKey(read, asked)).rows;
  if (found === undefined) return undefined;
  if (!found.isSame) throw new Refusal('referencereused', 'The Idempotency-Key is known with other content.');
  const { isSame: _, ...webhook } = found;
  const [secret] = await openSigningSecrets(read, keyRing, webhook);
  assert(secret !== undefined, 'a webhook has a secret');
  return { webhook, secret, isReplay: true };
}
