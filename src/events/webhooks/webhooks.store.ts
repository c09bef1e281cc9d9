import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Webhook, WebhookKey } from '../events.types.ts';

const COLUMNS = `
  payee_id as "payeeId", webhook_id as "webhookId", url, description, event_types as "eventTypes", state,
  next_probe_at as "nextProbeAt", last_success_at as "lastSuccessAt", reviving_after as "revivingAfter",
  callback_origin as "callbackOrigin",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Webhooks that a payee made and that are not deleted, the oldest first. */
export function selectWebhooks(read: Read, payeeId: PayeeId): Promise<Rows<Webhook>> {
  return read<Webhook>(
    {
      name: 'events-select-webhooks',
      text: `
        select ${COLUMNS} from webhook
        where payee_id = $1::uuid and state <> 'Deleted' and callback_origin is null order by created_at, webhook_id`,
    },
    [payeeId],
  );
}

/** A webhook that is not deleted, or no row. */
export function selectWebhook(read: Read, { payeeId, webhookId }: WebhookKey): Promise<Rows<Webhook>> {
  return read<Webhook>(
    {
      name: 'events-select-webhook',
      text: `
        select ${COLUMNS} from webhook where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'`,
    },
    [payeeId, webhookId],
  );
}

/** A webhook that is not deleted, locked until the transaction ends, or no row. */
export function lockWebhook(transaction: Transaction, { payeeId, webhookId }: WebhookKey): Promise<Rows<Webhook>> {
  return transaction.run<Webhook>(
    {
      name: 'events-lock-webhook',
      text: `
        select ${COLUMNS} from webhook where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'
        for no key update`,
    },
    [payeeId, webhookId],
  );
}

/** Waits for others that make webhooks of the payee, so that their number can be limited. */
export async function lockWebhooks(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'events-lock-webhooks',
      text: `select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0))`,
    },
    [payeeId],
  );
}

/** What is asked of a new webhook. */
export interface NewWebhook extends Pick<Webhook, 'payeeId' | 'webhookId' | 'url' | 'description' | 'eventTypes'> {
  readonly idempotencyKey: string | undefined;
}

/** A webhook that was made under an `Idempotency-Key`, and whether the same was asked for then; or no row. */
export function selectByIdempotencyKey(
  read: Read,
  asked: Omit<NewWebhook, 'webhookId'>,
): Promise<Rows<Webhook & { readonly isSame: boolean }>> {
  return read(
    {
      name: 'events-select-by-idempotency-key',
      text: `
        select ${COLUMNS}, asked = $3::jsonb as "isSame" from webhook
        where payee_id = $1::uuid and idempotency_key = $2::text`,
    },
    [asked.payeeId, asked.idempotencyKey, askedText(asked)],
  );
}

function askedText({ url, description, eventTypes }: Omit<NewWebhook, 'webhookId'>): string {
  return JSON.stringify({ url, description, eventTypes });
}

/** Adds a webhook. */
export function insertWebhook(transaction: Transaction, webhook: NewWebhook): Promise<Rows<Webhook>> {
  return transaction.run<Webhook>(
    {
      name: 'events-insert-webhook',
      text: `
        insert into webhook (payee_id, webhook_id, url, description, event_types, idempotency_key, asked)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text[], $6::text, $7::jsonb)
        returning ${COLUMNS}`,
    },
    [
      webhook.payeeId,
      webhook.webhookId,
      webhook.url,
      webhook.description,
      webhook.eventTypes,
      webhook.idempotencyKey ?? null,
      askedText(webhook),
    ],
  );
}

/** Stores what can be changed of a locked webhook. */
export function updateWebhook(
  transaction: Transaction,
  webhook: Pick<Webhook, 'payeeId' | 'webhookId' | 'url' | 'description' | 'eventTypes' | 'state'>,
): Promise<Rows<Webhook>> {
  return transaction.run<Webhook>(
    {
      name: 'events-update-webhook',
      text: `
        update webhook
        set url = $3::text, description = $4::text, event_types = $5::text[], state = $6::text,
          updated_at = greatest(kontor_now(), updated_at),
          next_probe_at = case when $6::text = 'Suspended' then next_probe_at end,
          -- The key is kept as long as what it made.
          idempotency_key = case when $6::text = 'Deleted' then null else idempotency_key end
        where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'
        returning ${COLUMNS}`,
    },
    [webhook.payeeId, webhook.webhookId, webhook.url, webhook.description, webhook.eventTypes, webhook.state],
  );
}

/** Notes that a webhook takes deliveries, or none: then when it is tried next. */
export async function saveHealth(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  health: {
    readonly state: Webhook['state'];
    /** Null: it is not suspended. */
    readonly probeAfterSeconds: number | null;
    readonly hasSucceeded: boolean;
  },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-save-health',
      text: `
        update webhook
        set state = $3::text, next_probe_at = kontor_now() + make_interval(secs => $4::float8),
          last_success_at = case when $5::boolean then greatest(kontor_now(), created_at, last_success_at)
            else last_success_at end,
          updated_at = case when state = $3::text then updated_at else greatest(kontor_now(), updated_at) end
        where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'`,
    },
    [payeeId, webhookId, health.state, health.probeAfterSeconds, health.hasSucceeded],
  );
  return count;
}

/**
 * Notes that all that a webhook has not taken is to be put back in line, what was given up since a time too. Once it is under way, the
 * earlier time counts.
 *
 * @param since null: whenever it was given up
 */
export async function markRevival(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  since: string | null,
): Promise<void> {
  await transaction.run(
    {
      name: 'events-mark-revival',
      text: `
        update webhook
        set reviving_after = 0,
          reviving_since = least(coalesce($3::timestamptz, '-infinity'), coalesce(reviving_since, 'infinity'))
        where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'`,
    },
    [payeeId, webhookId, since],
  );
}

/** Notes up to which position a webhook's deliveries were put back in line; null: all were. */
export async function moveRevival(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  after: number | null,
): Promise<void> {
  await transaction.run(
    {
      name: 'events-move-revival',
      text: `
        update webhook
        set reviving_after = $3::bigint, reviving_since = case when $3::bigint is not null then reviving_since end
        where payee_id = $1::uuid and webhook_id = $2::uuid`,
    },
    [payeeId, webhookId, after],
  );
}

/** Takes the turn to probe a suspended webhook, until the next one; the number of rows is 1 for who got it. */
export async function claimProbe(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  probeSeconds: number,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-claim-probe',
      text: `
        update webhook set next_probe_at = kontor_now() + make_interval(secs => $3::float8)
        where payee_id = $1::uuid and webhook_id = $2::uuid and state = 'Suspended' and next_probe_at <= kontor_now()`,
    },
    [payeeId, webhookId, probeSeconds],
  );
  return count;
}

/** Raises the number of a locked webhook's latest event; the new one, and the time. */
export function raiseEventSequence(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
): Promise<Rows<{ eventSequence: number; happenedAt: string }>> {
  return transaction.run(
    {
      name: 'events-raise-event-sequence',
      text: `
        update webhook set event_sequence = event_sequence + 1
        where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Deleted'
        returning event_sequence as "eventSequence", kontor_now() as "happenedAt"`,
    },
    [payeeId, webhookId],
  );
}
