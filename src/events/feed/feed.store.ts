import { overRows } from '../../db/over-rows.ts';
import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import type { FeedEvent, PendingEvent, PlacedEvent } from '../events.types.ts';

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

/**
 * Events that have no position yet, those that wait longest first. What one statement sees of a resource has no holes: a
 * change waits for the resource's lock until the one before it has committed.
 */
export function selectPending(
  transaction: Transaction,
  { payeeIds, limit }: { readonly payeeIds: readonly PayeeId[] | undefined; readonly limit: number },
): Promise<Rows<PendingEvent>> {
  return transaction.run<PendingEvent>(
    {
      name: 'events-select-pending',
      text: `
        select e.payee_id as "payeeId", e.event_id as "eventId", e.type, e.resource_kind as "resourceKind",
          e.resource_id as "resourceId", e.resource_sequence as "resourceSequence", e.happened_at as "happenedAt",
          e.callback_url as "callbackUrl", e.resource_sequence > 1 and exists (
            select from event before
              join event_pending waiting on waiting.payee_id = before.payee_id and waiting.event_id = before.event_id
            where before.payee_id = e.payee_id and before.resource_kind = e.resource_kind
              and before.resource_id = e.resource_id and before.resource_sequence = e.resource_sequence - 1
          ) as "followsPending"
        from (
          select payee_id, event_id from event_pending
          where $2::uuid[] is null or payee_id = any ($2::uuid[])
          order by happened_at limit $1::integer
        ) oldest
        cross join lateral (
          select * from event where payee_id = oldest.payee_id and event_id = oldest.event_id limit 1
        ) e`,
    },
    [limit, payeeIds ?? null],
  );
}

/** Feeds that the oldest pending events wait for, but for those that are set aside for a while. */
export function selectWaiting(read: Read, limit: number): Promise<Rows<RowOfWork>> {
  return read<RowOfWork>(
    {
      name: 'events-select-waiting',
      text: `
        select distinct payee_id as "payeeId", 'feed' as "rowId"
        from (
          select payee_id from event_pending
          where ${isFreeFor('sequence-events', 'event_pending.payee_id', "'feed'")}
          order by happened_at limit $1::integer
        ) oldest`,
    },
    [limit],
  );
}

const RAISE_HEADS = overRows<{ readonly payeeId: PayeeId; readonly count: number }>({
  name: 'events-raise-heads',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    position: ['bigint', 'count'],
  },
  text: ({ names, rows }) => `
    insert into event_head as head (${names})
    select * from ${rows}
    on conflict (payee_id) do update set position = head.position + excluded.position
    returning payee_id as "payeeId", position`,
});

/** Raises the position of each payee's latest event by as many as are to come; the new ones, in the order of the payees. */
export function raiseHeads(
  transaction: Transaction,
  counts: readonly { readonly payeeId: PayeeId; readonly count: number }[],
): Promise<Rows<{ payeeId: PayeeId; position: number }>> {
  return transaction.run(RAISE_HEADS, RAISE_HEADS.values(counts));
}

const PLACE_EVENTS = overRows<PlacedEvent>({
  name: 'events-place',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    event_id: ['uuid', 'eventId'],
    position: ['bigint', 'position'],
  },
  text: ({ names, rows }) => `
    insert into event_feed (${names})
    select * from ${rows}`,
});

/** Puts events into the feed; how many. */
export async function placeEvents(transaction: Transaction, events: readonly PlacedEvent[]): Promise<number> {
  const { count } = await transaction.run(PLACE_EVENTS, PLACE_EVENTS.values(events));
  return count;
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
      text: 'select extract(epoch from kontor_now() - min(happened_at))::float8 as seconds from event_pending',
    },
    [],
  );
}
