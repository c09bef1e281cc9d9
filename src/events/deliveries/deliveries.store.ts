import { overPlainRows } from '../../db/rows/over-rows.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import { ROW_CRASHES, ROW_CRASHES_OF_CHANCE } from '../../kit/limits.ts';
import type { DeliveryState, DeliveryTry, TakenDelivery, WebhookKey } from '../events.types.ts';

/** Payees that are told of events; those of others wait. */
const IS_TOLD = "payee.standing in ('Active', 'FollowUpsOnly')";

/** Webhooks that something can be tried or put back at now, those that wait longest first. Those of a payee that is stopped wait. */
export function selectDueWebhooks(transaction: Transaction, limit: number): Promise<Rows<WebhookKey>> {
  return transaction.run<WebhookKey>(
    {
      name: 'events-select-due-webhooks',
      text: `
        select w.payee_id as "payeeId", w.webhook_id as "webhookId"
        from webhook w
        join payee on payee.payee_id = w.payee_id and ${IS_TOLD}
        cross join lateral (
          select case
            when w.state = 'Suspended' then w.next_probe_at
            when w.reviving_after is not null then '-infinity'
            else (
              select next_try_at from delivery d
              where d.payee_id = w.payee_id and d.webhook_id = w.webhook_id and d.state = 'Waiting'
              order by next_try_at limit 1
            )
          end as due_at
        ) first
        where w.state in ('Enabled', 'Suspended') and first.due_at <= (select kontor_now())
        order by first.due_at
        limit $1::integer`,
    },
    [limit],
  );
}

/**
 * Takes a delivery out. One that is still taken out although its lease is over was under way when a process ended;
 * after so many of these ends it is set aside, which is given up.
 */
const takeOut = (most: string, leaseSeconds: string) => `
  state = case when due.crashes < ${most}::integer then 'Waiting' else 'GivenUp' end,
  next_try_at = case when due.crashes < ${most}::integer then coalesce(d.next_try_at, kontor_now()) end,
  settled_at = case when due.crashes >= ${most}::integer then greatest(kontor_now(), d.created_at) end,
  tries = d.tries + 1, crashes = due.crashes, first_tried_at = coalesce(d.first_tried_at, greatest(kontor_now(), d.created_at)),
  leased_until = case when due.crashes < ${most}::integer
    then kontor_now() + make_interval(secs => ${leaseSeconds}::float8) end`;

/** Of a delivery that is taken out now. */
const CRASHES = 'd.crashes + (d.leased_until is not null)::integer as crashes';

const TAKEN = `
  d.crashes, d.payee_id as "payeeId", d.webhook_id as "webhookId", d.position, d.tries, e.event_id as "eventId", e.type,
  e.resource_kind as "resourceKind", e.resource_id as "resourceId", e.resource_sequence as "resourceSequence",
  e.happened_at as "happenedAt", e.payload, e.callback_url as "callbackUrl", e.callback_body as "callbackBody"`;

/** Deliveries of which one is a probe. */
const PROBED = 1_000;

/** What waits, and what was given up since the webhook last took anything; not what is set aside. */
const UNDELIVERED = (lastSuccessAt: string) => `
  (crashes < ${ROW_CRASHES} and state = 'Waiting' or (state = 'GivenUp' and first_tried_at > coalesce(${lastSuccessAt}::timestamptz, '-infinity')))`;

/**
 * Takes out deliveries that are due, the oldest first, of each resource only the first one that waits: the next one comes
 * when that is settled. No other process takes them until their lease is over. One that was under way when processes ended
 * again and again is taken alone: so the next time tells it from those beside it.
 */
export function takeDue(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<Rows<TakenDelivery>> {
  return transaction.run<TakenDelivery>(
    {
      name: 'events-take-due',
      text: `
        with first as materialized (
          select d.ctid as place, d.position, ${CRASHES} from delivery d
          where d.payee_id = $1::uuid and d.webhook_id = $2::uuid and d.state = 'Waiting'
            and exists (select from payee where payee_id = $1::uuid and ${IS_TOLD})
            and d.next_try_at <= (select kontor_now()) and (d.leased_until is null or d.leased_until <= (select kontor_now()))
            -- With a limit it is looked up row by row, and by the index that has this order, whatever the planner knows of the table.
            and (
              select 1 from delivery before
              where before.payee_id = d.payee_id and before.webhook_id = d.webhook_id and before.state = 'Waiting'
                and before.resource_kind = d.resource_kind and before.resource_id = d.resource_id
                and before.position < d.position
              order by before.position limit 1
            ) is null
          order by d.next_try_at limit $3::integer
          for update skip locked
        ),
        due as (
          select * from first
          where crashes <= ${ROW_CRASHES_OF_CHANCE}
            or position = (select min(position) from first)
              and not exists (select from first where crashes <= ${ROW_CRASHES_OF_CHANCE})
        )
        update delivery d
        set ${takeOut('$5', '$4')}
        from due, event e
        where d.ctid = due.place and e.payee_id = d.payee_id and e.event_id = d.event_id
        returning ${TAKEN}`,
    },
    [payeeId, webhookId, limit, leaseSeconds, ROW_CRASHES],
  );
}

/**
 * Takes out one delivery that a suspended webhook has not taken, as a probe: the one with the fewest tries, so that an
 * event that the receiver alone stumbles over does not keep it suspended. It is one of those that wait longest, and stands
 * before all others of its resource.
 */
export function takeProbe(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  { leaseSeconds, lastSuccessAt }: { readonly leaseSeconds: number; readonly lastSuccessAt: string | null },
): Promise<Rows<TakenDelivery>> {
  return transaction.run<TakenDelivery>(
    {
      name: 'events-take-probe',
      text: `
        with due as materialized (
          select position, crashes from (
            select distinct on (resource_kind, resource_id) position, tries, ${CRASHES}
            from (
              select * from delivery
              where payee_id = $1::uuid and webhook_id = $2::uuid and state <> 'Delivered' and ${UNDELIVERED('$3')}
              order by position limit ${PROBED}
            ) d
            order by resource_kind, resource_id, position
          ) first_of_resource
          order by tries, position limit 1
        )
        update delivery d
        set ${takeOut('$5', '$4')}
        from due, event e
        where d.payee_id = $1::uuid and d.webhook_id = $2::uuid and d.position = (select position from due)
          and e.payee_id = d.payee_id and e.event_id = d.event_id
        returning ${TAKEN}`,
    },
    [payeeId, webhookId, lastSuccessAt, leaseSeconds, ROW_CRASHES],
  );
}

/** What becomes of a delivery after a try. */
export interface Settlement {
  readonly position: number;
  /** The try that this is about; one that another process has begun since is left alone. */
  readonly tries: number;
  readonly isDelivered: boolean;
  /** Seconds from the first try to the next one, and from now where those are over; null: there is none. */
  readonly nextAfterSeconds: number | null;
  readonly nextGapSeconds: number;
}

const SETTLE_DELIVERIES = overPlainRows<Settlement, [WebhookKey['payeeId'], WebhookKey['webhookId']]>({
  name: 'events-settle-deliveries',
  beside: 2,
  columns: {
    position: ['bigint', 'position'],
    tries: ['integer', 'tries'],
    is_delivered: ['boolean', 'isDelivered'],
    after_seconds: ['float8', 'nextAfterSeconds'],
    gap_seconds: ['float8', 'nextGapSeconds'],
  },
  text: ({ rows }) => `
    update delivery d
    set state = case when v.is_delivered then 'Delivered' when v.after_seconds is null then 'GivenUp' else 'Waiting' end,
      next_try_at = case when v.is_delivered or v.after_seconds is null then null
        when d.first_tried_at + make_interval(secs => v.after_seconds) > kontor_now()
        then d.first_tried_at + make_interval(secs => v.after_seconds)
        else kontor_now() + make_interval(secs => v.gap_seconds) end,
      settled_at = case when v.is_delivered or v.after_seconds is null
        then greatest(kontor_now(), d.first_tried_at) end,
      leased_until = null, crashes = 0
    from ${rows}
    where d.payee_id = $1::uuid and d.webhook_id = $2::uuid and d.position = v.position
      -- Not = 'Waiting': a plan made while few waited would walk an index of all that wait.
      and d.state not in ('Delivered', 'GivenUp') and d.tries = v.tries
    returning d.position, d.state, d.first_tried_at as "firstTriedAt"`,
});

/** Settles deliveries; those that were given up now are the rows. */
export function settleDeliveries(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  settlements: readonly Settlement[],
): Promise<Rows<{ position: number; state: DeliveryState; firstTriedAt: string }>> {
  return transaction.run(SETTLE_DELIVERIES, SETTLE_DELIVERIES.values(settlements, payeeId, webhookId));
}

const INSERT_TRIES = overPlainRows<
  Omit<DeliveryTry, 'triedAt'> & { readonly position: number },
  [WebhookKey['payeeId'], WebhookKey['webhookId']]
>({
  name: 'events-insert-tries',
  beside: 2,
  columns: {
    position: ['bigint', 'position'],
    status: ['integer', 'status'],
    failure: ['text', 'failure'],
    answer: ['text', 'answer'],
    duration_ms: ['integer', 'durationMs'],
  },
  text: ({ rows }) => `
    insert into delivery_try (payee_id, webhook_id, position, tried_at, status, failure, answer, duration_ms)
    select $1::uuid, $2::uuid, v.position,
      -- Also behind the try before where the clock was set back in between: two tries have two times.
      greatest(kontor_now() - make_interval(secs => v.duration_ms / 1000.0), (
        select max(tried_at) + interval '1 millisecond' from delivery_try before
        where before.payee_id = $1::uuid and before.webhook_id = $2::uuid and before.position = v.position
      )),
      v.status, v.failure, v.answer, v.duration_ms
    from ${rows}`,
});

/** Adds to the log what became of tries. */
export async function insertTries(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  tries: readonly (Omit<DeliveryTry, 'triedAt'> & { readonly position: number })[],
): Promise<number> {
  const { count } = await transaction.run(INSERT_TRIES, INSERT_TRIES.values(tries, payeeId, webhookId));
  return count;
}

/**
 * Puts some of what a locked webhook has not taken back in line, due now, from its place on and in order.
 *
 * @returns the position of the last one; null where there are no more
 */
export async function reviveSome(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number | null> {
  const { rows } = await transaction.run<{ readonly last: number | null }>(
    {
      name: 'events-revive-some',
      text: `
        with portion as materialized (
          select position from delivery
          where payee_id = $1::uuid and webhook_id = $2::uuid and position > $3::bigint and state <> 'Delivered'
            and leased_until is null and ${UNDELIVERED(
              '(select reviving_since from webhook where payee_id = $1::uuid and webhook_id = $2::uuid)',
            )}
          order by position limit $4::integer
          for no key update
        ), revived as (
          update delivery d
          set state = 'Waiting', next_try_at = kontor_now(), settled_at = null, tries = 0, first_tried_at = null
          where d.payee_id = $1::uuid and d.webhook_id = $2::uuid and d.position = any (array(select position from portion))
        )
        select case when count(*) = $4::integer then max(position) end as last from portion`,
    },
    [payeeId, webhookId, after, limit],
  );
  return rows[0]?.last ?? null;
}

/** Has a delivery tried anew, whatever became of it; the number of rows is 1 where there is one. */
export async function repeatDelivery(
  transaction: Transaction,
  { payeeId, webhookId }: WebhookKey,
  position: number,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-repeat-delivery',
      text: `
        update delivery
        set state = 'Waiting', next_try_at = kontor_now(), settled_at = null, tries = 0, first_tried_at = null,
          leased_until = null, crashes = 0
        where payee_id = $1::uuid and webhook_id = $2::uuid and position = $3::bigint`,
    },
    [payeeId, webhookId, position],
  );
  return count;
}

/** Deletes some deliveries that are older than so many days, with their log; how many. */
export async function deleteOldDeliveries(
  transaction: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-delete-old-deliveries',
      text: `
        with old as materialized (
          select payee_id, webhook_id, position from delivery
          where created_at < (select kontor_now()) - make_interval(days => $1::integer)
          order by created_at limit $2::integer
          for update skip locked
        )
        delete from delivery d
        using old
        where d.payee_id = old.payee_id and d.webhook_id = old.webhook_id and d.position = old.position`,
    },
    [days, limit],
  );
  return count;
}

/** A delivery that is set aside. */
export interface SetAsideDelivery extends WebhookKey {
  readonly position: number;
  readonly crashes: number;
  readonly settledAt: string;
}

/** Deliveries of all payees that were under way when processes ended, and are tried no more. */
export function selectSetAside(read: Read): Promise<Rows<SetAsideDelivery>> {
  return read<SetAsideDelivery>(
    {
      name: 'events-select-set-aside',
      text: `
        select payee_id as "payeeId", webhook_id as "webhookId", position, crashes, settled_at as "settledAt"
        from delivery
        where crashes >= ${ROW_CRASHES} and state = 'GivenUp'
        order by settled_at`,
    },
    [],
  );
}

/** Deliveries that a measure counts at most: it is taken at each scrape. */
const COUNTED = 10_000;

/** How the deliveries of all payees stand. */
export function selectDeliveryMeasures(
  read: Read,
): Promise<Rows<{ undeliveredSeconds: number; suspendedWebhooks: number; givenUp: number }>> {
  return read(
    {
      name: 'events-select-delivery-measures',
      text: `
        select
          coalesce((
            select max(extract(epoch from kontor_now() - oldest.created_at))
            from webhook w
            cross join lateral (
              select created_at from delivery
              where payee_id = w.payee_id and webhook_id = w.webhook_id and state = 'Waiting'
              order by position limit 1
            ) oldest
            where w.state in ('Enabled', 'Suspended')
          ), 0)::float8 as "undeliveredSeconds",
          (select count(*) from webhook where state = 'Suspended')::integer as "suspendedWebhooks",
          (select count(*) from (
            select from delivery where state = 'GivenUp' and settled_at > kontor_now() - interval '1 day' limit ${COUNTED}
          ) lately)::integer as "givenUp"`,
    },
    [],
  );
}
