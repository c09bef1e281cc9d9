import { overRows } from '../db/rows/over-rows.ts';
import { columnsOf, namesOf } from '../db/rows/tables.ts';
import { AUDIT, EVENT } from './journal.tables.ts';
import type { AuditRow, EventRow } from './journal.types.ts';

/** Adds the entries, in their order, with the database's clock. */
export const insertAudit = overRows<AuditRow>({
  name: 'journal-insert-audit',
  columns: AUDIT.added,
  guard: 'adds',
  text: ({ names, rows }) => `
    insert into audit (${names}, happened_at)
    select v.*, kontor_now() from ${rows}`,
}).call;

/**
 * When an event happens, after the one before it of its resource: the clock may have been set back in between. It is asked for by its order, which
 * one index has: by its number alone, an empty table has the planner take the primary key, and walk all events of the payee for each.
 */
const AFTER_THE_LAST = `greatest(v.happened_at, (
  select happened_at from event before
  where before.payee_id = v.payee_id and before.resource_kind = v.resource_kind
    and before.resource_id = v.resource_id and before.resource_sequence < v.resource_sequence
  order by before.resource_sequence desc
  limit 1))`;

const EVENT_COLUMNS = namesOf(EVENT.added);

const insertEvents = (name: string, happenedAt: string) =>
  overRows<EventRow>({
    name,
    columns: { ...EVENT.added, ...columnsOf(EVENT, 'happenedAt') },
    guard: 'adds',
    text: ({ rows }) => `
      with happened as (
        insert into event (${EVENT_COLUMNS}, happened_at)
        select ${EVENT_COLUMNS}, ${happenedAt}
        from ${rows}
        returning payee_id, event_id, happened_at
      )
      insert into event_pending (payee_id, event_id, happened_at)
      select payee_id, event_id, happened_at from happened`,
  }).call;

/** Adds events, and puts each into the outbox. */
export const insertAnyEvents = insertEvents('journal-insert-events', AFTER_THE_LAST);

/** As `insertAnyEvents`, where the times are known to be later than those of the events before: the ledger's are. */
export const insertEventsInOrder = insertEvents('journal-insert-events-in-order', 'v.happened_at');
