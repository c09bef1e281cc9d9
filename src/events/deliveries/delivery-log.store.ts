import type { Read, Rows } from '../../db/transaction.types.ts';
import type {
  CallbackMembers,
  Delivery,
  DeliveryFilter,
  DeliveryLogKey,
  DeliveryState,
  DeliveryTry,
  FeedEvent,
  WebhookKey,
} from '../events.types.ts';

const COLUMNS = `
  d.payee_id as "payeeId", d.webhook_id as "webhookId", d.position, d.event_id as "eventId", e.type,
  d.resource_kind as "resourceKind", d.resource_id as "resourceId", d.state, d.tries, d.created_at as "createdAt",
  d.next_try_at as "nextTryAt", d.settled_at as "settledAt", w.callback_origin is not null as "isCallback",
  case when w.callback_origin is null then w.url else e.callback_url end as url`;

/** The webhook that is asked for, or all receivers of callbacks. */
const RECEIVERS = `w.payee_id = $1::uuid and (w.webhook_id = $2::uuid or ($2::uuid is null and w.callback_origin is not null))`;

/** Some of a log: those before a position, all where it is undefined. */
type Page = Omit<DeliveryFilter, 'state'>;

/** Deliveries to a webhook, or all callbacks; the latest first. */
export function selectDeliveries(
  read: Read,
  { payeeId, webhookId }: DeliveryLogKey,
  { before = AFTER_ALL, limit }: Page,
): Promise<Rows<Delivery>> {
  return read<Delivery>({ name: 'events-select-deliveries', text: selectDeliveriesOf('') }, [
    payeeId,
    webhookId,
    before,
    limit,
  ]);
}

/** Those of one state, which have an index of their own: few may lie behind many of another. */
export function selectDeliveriesOfState(
  read: Read,
  { payeeId, webhookId }: DeliveryLogKey,
  { state, before = AFTER_ALL, limit }: Page & { readonly state: DeliveryState },
): Promise<Rows<Delivery>> {
  return read<Delivery>(
    { name: 'events-select-deliveries-of-state', text: selectDeliveriesOf('and state collate "C" = $5::text') },
    [payeeId, webhookId, before, limit, state],
  );
}

/** No feed comes to this position. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

const selectDeliveriesOf = (state: string) => `
  select ${COLUMNS}
  from webhook w
  cross join lateral (
    select * from delivery
    where payee_id = w.payee_id and webhook_id = w.webhook_id and position < $3::bigint ${state}
    order by position desc limit $4::integer
  ) d
  cross join lateral (select * from event where payee_id = d.payee_id and event_id = d.event_id limit 1) e
  where ${RECEIVERS}
  order by d.position desc limit $4::integer`;

/** One delivery, with its event, or no row. */
export function selectDelivery(
  read: Read,
  { payeeId, webhookId }: DeliveryLogKey,
  position: number,
): Promise<Rows<Delivery & FeedEvent & CallbackMembers>> {
  return read(
    {
      name: 'events-select-delivery',
      text: `
        select ${COLUMNS}, e.resource_sequence as "resourceSequence", e.happened_at as "happenedAt", e.payload,
          e.callback_url as "callbackUrl", e.callback_body as "callbackBody"
        from webhook w
        cross join lateral (
          select * from delivery
          where payee_id = w.payee_id and webhook_id = w.webhook_id and position = $3::bigint limit 1
        ) d
        cross join lateral (select * from event where payee_id = d.payee_id and event_id = d.event_id limit 1) e
        where ${RECEIVERS}`,
    },
    [payeeId, webhookId, position],
  );
}

/** The log of one delivery, the latest try first. */
export function selectTries(
  read: Read,
  { payeeId, webhookId }: WebhookKey,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<Rows<DeliveryTry>> {
  return read<DeliveryTry>(
    {
      name: 'events-select-tries',
      text: `
        select tried_at as "triedAt", status, failure, answer, duration_ms as "durationMs"
        from delivery_try
        where payee_id = $1::uuid and webhook_id = $2::uuid and position = $3::bigint
        order by tried_at desc limit $4::integer`,
    },
    [payeeId, webhookId, position, limit],
  );
}
