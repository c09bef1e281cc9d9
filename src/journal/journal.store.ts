import { overRows } from '../db/over-rows.ts';
import type { AuditEntry, AuditObject, EventDraft, EventResource } from './journal.types.ts';

/** What is to be written, with its id and the kind of its object or resource. */
export interface Filed<Draft, Kind> {
  readonly id: string;
  readonly kind: Kind;
  readonly draft: Draft;
}

/** What a reader needs beside who, what and when; of a person also where they were. */
function detailsOf({ actor, details = {} }: AuditEntry): AuditEntry['details'] {
  return actor.address === undefined ? details : { address: actor.address, ...details };
}

/** Adds the entries, in their order, with the database's clock. */
export const insertAudit = overRows<Filed<AuditEntry, AuditObject>>({
  name: 'journal-insert-audit',
  columns: {
    payee_id: ['uuid', ({ draft }) => draft.payeeId],
    audit_id: ['uuid', 'id'],
    actor: ['text', ({ draft }) => draft.actor.name],
    action: ['text', ({ draft }) => draft.action],
    object_kind: ['text', 'kind'],
    object_id: ['text', ({ draft }) => draft.objectId],
    session_id: ['uuid', ({ draft }) => draft.actor.sessionId ?? null],
    details: ['jsonb', ({ draft }) => JSON.stringify(detailsOf(draft))],
  },
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

const insertEvents = (name: string, happenedAt: string) =>
  overRows<Filed<EventDraft, EventResource>>({
    name,
    columns: {
      payee_id: ['uuid', ({ draft }) => draft.payeeId],
      event_id: ['uuid', 'id'],
      type: ['text', ({ draft }) => draft.type],
      resource_kind: ['text', 'kind'],
      resource_id: ['text', ({ draft }) => draft.resourceId],
      resource_sequence: ['bigint', ({ draft }) => draft.resourceSequence],
      happened_at: ['timestamptz', ({ draft }) => draft.happenedAt],
      payload: ['jsonb', ({ draft }) => JSON.stringify(draft.payload)],
      callback_url: ['text', ({ draft }) => draft.callback?.url ?? null],
      callback_body: ['jsonb', ({ draft: { callback } }) => (callback ? JSON.stringify(callback.body) : null)],
    },
    guard: 'adds',
    text: ({ rows }) => `
      with happened as (
        insert into event
          (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload,
            callback_url, callback_body)
        select payee_id, event_id, type, resource_kind, resource_id, resource_sequence, ${happenedAt}, payload,
          callback_url, callback_body
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
