import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import type { CalledBackEvent, FeedEvent } from '../events.types.ts';

/** Makes this transaction the sequencer until it ends; false where another one is. */
export async function becomeSequencer(transaction: Transaction): Promise<boolean> {
  const { rows } = await transaction.run<{ isFree: boolean }>(
    {
      name: 'events-become-sequencer',
      text: `select pg_try_advisory_xact_lock(hashtextextended('event sequencer', 0)) as "isFree"`,
    },
    [],
  );
  return rows[0]?.isFree === true;
}

/** What a round of the sequencer did: how many events it found and placed, and one of those that go to an address. */
interface Placing {
  readonly found: number;
  readonly placed: number;
  readonly takenOut: number;
  /** Null where no event of the round goes to an address. */
  readonly callback: CalledBackEvent | null;
}

/**
 * Gives pending events their positions, those first that wait longest, and notes to which webhooks they go: to those that want
 * their type, and one that tries a webhook out to that.
 *
 * Events of a payee stand in the order of time, and those of one resource always in that of their numbers, whatever the
 * clock said: each counts as no older than the one before it. What one statement sees of a resource has no holes, as a change waits
 * for the resource's lock until the one before it has committed; but the limit may part them. Then an event waits for the
 * next round, and so do those behind it.
 *
 * @returns a row for each event that goes to an address, or one row where none does
 */
export function placePending(
  transaction: Transaction,
  { payeeIds, limit }: { readonly payeeIds: readonly PayeeId[]; readonly limit: number },
): Promise<Rows<Placing>> {
  return transaction.run<Placing>(
    {
      name: 'events-place-pending',
      text: `
        with oldest as (
          select e.* from unnest($2::uuid[]) as asked (payee_id)
          cross join lateral (
            select * from event_pending where payee_id = asked.payee_id order by happened_at limit $1::integer
          ) e
          order by e.happened_at limit $1::integer
        ), pending as (
          select e.*,
            max(e.happened_at) over of_resource as counted_from,
            e.resource_sequence > 1
              and lag(e.resource_sequence) over of_resource is distinct from e.resource_sequence - 1
              and exists (
                select from event before
                  join event_pending waiting on waiting.payee_id = before.payee_id and waiting.event_id = before.event_id
                where before.payee_id = e.payee_id and before.resource_kind = e.resource_kind
                  and before.resource_id = e.resource_id and before.resource_sequence = e.resource_sequence - 1
              ) as is_parted
          from oldest
          cross join lateral (
            select payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, callback_url
            from event where payee_id = oldest.payee_id and event_id = oldest.event_id limit 1
          ) e
          window of_resource as (partition by e.payee_id, e.resource_kind, e.resource_id order by e.resource_sequence)
        ), ready as (
          select *, row_number() over (
            partition by payee_id order by counted_from, resource_kind, resource_id, resource_sequence
          ) as turn
          from (
            select *, bool_or(is_parted) over (
              partition by payee_id, resource_kind, resource_id order by resource_sequence
            ) as waits
            from pending
          ) known
          where not waits
        ), numbered as (
          select ready.*, coalesce(head.position, 0) + turn as position
          from ready
          left join lateral (select position from event_head where payee_id = ready.payee_id limit 1) head on true
        ), raised as (
          insert into event_head as head (payee_id, position)
          select payee_id, max(position) from numbered group by payee_id
          on conflict (payee_id) do update set position = excluded.position
        ), placed as (
          insert into event_feed (payee_id, event_id, position)
          select payee_id, event_id, position from numbered
          returning 1
        ), taken_out as (
          delete from event_pending
          using (
            select waiting.ctid as place
            from numbered n
            cross join lateral (
              select ctid from event_pending where payee_id = n.payee_id and event_id = n.event_id limit 1
            ) waiting
          ) found
          where event_pending.ctid = found.place
          returning 1
        ), noted as (
          insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, next_try_at)
          select w.payee_id, w.webhook_id, n.position, n.event_id, n.resource_kind, n.resource_id, kontor_now()
          from numbered n
          join webhook w on w.payee_id = n.payee_id
          where w.callback_origin is null and w.state in ('Enabled', 'Suspended')
            and case when n.resource_kind = 'webhook' then w.webhook_id::text = n.resource_id
              else w.event_types = '{}' or w.event_types && array[n.type, split_part(n.type, '.', 1) || '.*'] end
        )
        select (select count(*)::integer from oldest) as found, (select count(*)::integer from placed) as placed,
          (select count(*)::integer from taken_out) as "takenOut", called.callback
        from (select) as round
        left join (
          select json_build_object('payeeId', payee_id, 'eventId', event_id, 'position', position,
            'resourceKind', resource_kind, 'resourceId', resource_id, 'callbackUrl', callback_url) as callback
          from numbered where callback_url is not null
        ) called on true`,
    },
    [limit, payeeIds],
  );
}

/** Payees with pending events: a step of an index for each, however many wait for a feed that is set aside. */
const PENDING_PAYEES = `
  recursive pending as (
    (select payee_id from event_pending order by payee_id limit 1)
    union all
    select (select payee_id from event_pending where payee_id > pending.payee_id order by payee_id limit 1)
    from pending where pending.payee_id is not null
  ), waiting as (
    select pending.payee_id, first.happened_at
    from pending
    cross join lateral (
      select happened_at from event_pending where payee_id = pending.payee_id order by happened_at limit 1
    ) first
  )`;

/** Feeds that events wait for, those that wait longest first, but for those that are set aside for a while. */
export function selectWaiting(read: Read, limit: number): Promise<Rows<RowOfWork>> {
  return read<RowOfWork>(
    {
      name: 'events-select-waiting',
      text: `
        with ${PENDING_PAYEES}
        select payee_id as "payeeId", 'feed' as "rowId" from waiting
        where ${isFreeFor('sequence-events', 'waiting.payee_id', "'feed'")}
        order by happened_at limit $1::integer`,
    },
    [limit],
  );
}

const COLUMNS = `
  f.payee_id as "payeeId", f.position, e.event_id as "eventId", e.type, e.resource_kind as "resourceKind",
  e.resource_id as "resourceId", e.resource_sequence as "resourceSequence", e.happened_at as "happenedAt", e.payload`;

/** Events of a payee after a position, in order. */
export function selectFeed(
  read: Read,
  { payeeId, after, limit }: { readonly payeeId: PayeeId; readonly after: number; readonly limit: number },
): Promise<Rows<FeedEvent>> {
  return read<FeedEvent>(
    {
      name: 'events-select-feed',
      text: `
        select ${COLUMNS}
        from (
          select * from event_feed where payee_id = $1::uuid and position > $2::bigint
          order by position limit $3::integer
        ) f
        cross join lateral (select * from event where payee_id = f.payee_id and event_id = f.event_id limit 1) e
        order by f.position`,
    },
    [payeeId, after, limit],
  );
}

/** The position of a payee's latest event, or no row where there is none. */
export function selectHead(read: Read, payeeId: PayeeId): Promise<Rows<{ position: number }>> {
  return read({ name: 'events-select-head', text: 'select position from event_head where payee_id = $1::uuid' }, [
    payeeId,
  ]);
}

/** How long the event that waits longest for its position has waited; null where none does. */
export function selectUnplacedAge(read: Read): Promise<Rows<{ seconds: number | null }>> {
  return read(
    {
      name: 'events-select-unplaced-age',
      text: `
        with ${PENDING_PAYEES}
        select extract(epoch from kontor_now() - min(happened_at))::float8 as seconds from waiting`,
    },
    [],
  );
}
