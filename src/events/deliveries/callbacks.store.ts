import { overRows } from '../../db/rows/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { CalledBackEvent, WebhookId } from '../events.types.ts';

const WAKE_RECEIVERS = overRows<{ readonly payeeId: PayeeId; readonly webhookId: WebhookId; readonly origin: string }>({
  name: 'events-wake-receivers',
  columns: {
    webhook_id: ['uuid', 'webhookId'],
    origin: ['text', 'origin'],
  },
  text: ({ payee, rows }) => `
    insert into webhook as receiver (payee_id, webhook_id, url, event_types, asked, callback_origin)
    select ${payee}, webhook_id, origin, '{}', '{}', origin
    from ${rows}
    order by ${payee}, origin
    on conflict (payee_id, callback_origin) do update
    set updated_at = greatest(kontor_now(), receiver.updated_at),
      next_probe_at = case when receiver.state = 'Suspended' then kontor_now() end`,
});

/**
 * Makes receivers of callbacks where they are not there yet. One that takes nothing is tried at once: no payee has set
 * it up, so none enables it either. They stay locked until the transaction ends, so none is deleted meanwhile.
 */
export async function wakeReceivers(
  transaction: Transaction,
  receivers: readonly { readonly payeeId: PayeeId; readonly webhookId: WebhookId; readonly origin: string }[],
): Promise<void> {
  await transaction.run(WAKE_RECEIVERS, WAKE_RECEIVERS.values(receivers));
}

const INSERT_CALLBACKS = overRows<CalledBackEvent & { readonly origin: string }>({
  name: 'events-insert-callbacks',
  columns: {
    origin: ['text', 'origin'],
    position: ['bigint', 'position'],
    event_id: ['uuid', 'eventId'],
    resource_kind: ['text', 'resourceKind'],
    resource_id: ['text', 'resourceId'],
  },
  text: ({ payee, rows }) => `
    insert into delivery
      (payee_id, webhook_id, position, event_id, resource_kind, resource_id, next_try_at)
    select ${payee}, r.webhook_id, v.position, v.event_id, v.resource_kind, v.resource_id, kontor_now()
    from ${rows}
    cross join lateral (
      select webhook_id from webhook where payee_id = ${payee} and callback_origin = v.origin limit 1
    ) r`,
});

/** Notes for each event that it goes to the receiver of its origin; how many. */
export async function insertCallbacks(
  transaction: Transaction,
  callbacks: readonly (CalledBackEvent & { readonly origin: string })[],
): Promise<number> {
  const { count } = await transaction.run(INSERT_CALLBACKS, INSERT_CALLBACKS.values(callbacks));
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
          where callback_origin is not null and updated_at < (select kontor_now()) - make_interval(days => $1::integer)
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
