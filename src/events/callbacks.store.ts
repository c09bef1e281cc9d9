import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { PlacedEvent, WebhookId } from './events.types.ts';

/**
 * Makes receivers of callbacks where they are not there yet. One that takes nothing is tried at once: nobody has set it
 * up, so nobody enables it either. They stay locked until the transaction ends, so none is deleted meanwhile.
 */
export async function wakeReceivers(
  transaction: Transaction,
  receivers: readonly { readonly payeeId: PayeeId; readonly webhookId: WebhookId; readonly origin: string }[],
): Promise<void> {
  await transaction.run(
    {
      name: 'events-wake-receivers',
      text: `
        insert into webhook as receiver (payee_id, webhook_id, url, event_types, asked, callback_origin)
        select payee_id, webhook_id, origin, '{}', '{}', origin
        from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (payee_id, webhook_id, origin)
        order by payee_id, origin
        on conflict (payee_id, callback_origin) do update
        set updated_at = greatest(kontor_now(), receiver.updated_at),
          next_probe_at = case when receiver.state = 'Suspended' then kontor_now() end`,
    },
    [
      receivers.map(({ payeeId }) => payeeId),
      receivers.map(({ webhookId }) => webhookId),
      receivers.map(({ origin }) => origin),
    ],
  );
}

/** Notes for each event that it goes to the receiver of its origin; how many. */
export async function insertCallbacks(
  transaction: Transaction,
  callbacks: readonly (PlacedEvent & { readonly origin: string })[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-insert-callbacks',
      text: `
        insert into delivery
          (payee_id, webhook_id, position, event_id, resource_kind, resource_id, next_try_at)
        select c.payee_id, r.webhook_id, c.position, c.event_id, c.resource_kind, c.resource_id, kontor_now()
        from unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[])
          as c (payee_id, origin, position, event_id, resource_kind, resource_id)
        cross join lateral (
          select webhook_id from webhook where payee_id = c.payee_id and callback_origin = c.origin limit 1
        ) r`,
    },
    [
      callbacks.map(({ payeeId }) => payeeId),
      callbacks.map(({ origin }) => origin),
      callbacks.map(({ position }) => position),
      callbacks.map(({ eventId }) => eventId),
      callbacks.map(({ resourceKind }) => resourceKind),
      callbacks.map(({ resourceId }) => resourceId),
    ],
  );
  return count;
}

/** Deletes some receivers that have been sent nothing for so many days; how many. */
export async function deleteIdleReceivers(
  transaction: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-delete-idle-receivers',
      text: `
        delete from webhook
        using (
          select payee_id, webhook_id from webhook w
          where callback_origin is not null and updated_at < kontor_now() - make_interval(days => $1::integer)
            and not exists (select from delivery where payee_id = w.payee_id and webhook_id = w.webhook_id)
          limit $2::integer
          for update skip locked
        ) idle
        where webhook.payee_id = idle.payee_id and webhook.webhook_id = idle.webhook_id`,
    },
    [days, limit],
  );
  return count;
}
