import { overRows } from '../db/rows/over-rows.ts';
import { columnsOf, namesOf } from '../db/rows/tables.ts';
import { AUDIT, EVENT } from './journal.tables.ts';
import type { AuditRow, EventRow } from './journal.types.ts';

/** Adds the entries of a batch, in their order, with its time. */
export const insertAudit = overRows<AuditRow, [now: string]>({
  name: 'journal-insert-audit',
  beside: 1,
  columns: AUDIT.added,
  guard: 'adds',
  text: ({ names, values, rows }) => `
    insert into audit (${names}, happened_at)
    select ${values}, $1::timestamptz from ${rows}`,
}).call;

/** Adds the entries of another transaction, in their order, with the database's clock. */
export const insertAuditNow = overRows<AuditRow>({
  name: 'journal-insert-audit-now',
  columns: AUDIT.added,
  text: ({ names, values, rows }) => `
    insert into audit (${names}, happened_at)
    select ${values}, kontor_now() from ${rows}`,
}).call;

/**
 * When an event happens, after the one before it of its resource: the clock may have been set back in between. It is asked for by its order, which
 * one index has: by its number alone, an empty table has the planner take the primary key, and walk all events of the payee for each.
 */
const afterTheLast = (payee: string) => `greatest(v.happened_at, (
  select happened_at from event before
  where before.payee_id = ${payee} and before.resource_kind = v.resource_kind
    and before.resource_id = v.resource_id and before.resource_sequence < v.resource_sequence
  order by before.resource_sequence desc
  limit 1))`;

const EVENT_COLUMNS = namesOf(EVENT.added);

const insertEvents = (name: string, happenedAt: (payee: string) => string) =>
  overRows<EventRow>({
    name,
    columns: { ...EVENT.added, ...columnsOf(EVENT, 'happenedAt') },
    guard: 'adds',
    text: ({ payee, names, rows }) => `
      with happened as (
        insert into event (${names})
        select ${payee}, ${EVENT_COLUMNS}, ${happenedAt(payee)}
        from ${rows}
        returning payee_id, event_id, happened_at
      )
      insert into event_pending (payee_id, event_id, happened_at)
      select payee_id, event_id, happened_at from happened`,
  }).call;

/** Adds events, and puts each into the outbox. */
export const insertAnyEvents = insertEvents('journal-insert-events', afterTheLast);

/** As `insertAnyEvents`, where the times are known to be later than those of the events before: the ledger's are. */
export const insertEventsInOrder = insertEvents('journal-insert-events-in-order', () => 'v.happened_at');
