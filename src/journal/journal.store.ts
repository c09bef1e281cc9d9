import type { GuardedCall } from '../db/batch.types.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { AuditEntry, AuditObject, EventDraft, EventKey, EventResource } from './journal.types.ts';

/** What each row has beside what its maker says. */
interface Filing<Kind> {
  readonly ids: readonly string[];
  /** Of each row's object or resource. */
  readonly kinds: readonly Kind[];
}

/** Adds the entries, in their order, with the database's clock. */
export function insertAudit(entries: readonly AuditEntry[], { ids, kinds }: Filing<AuditObject>): GuardedCall {
  return {
    statement: {
      name: 'journal-insert-audit',
      text: `
        insert into audit (payee_id, audit_id, happened_at, actor, action, object_kind, object_id, session_id, details)
        select payee_id, audit_id, kontor_now(), actor, action, object_kind, object_id, session_id, details
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::jsonb[])
          as entry (payee_id, audit_id, actor, action, object_kind, object_id, session_id, details)`,
    },
    values: [
      entries.map((entry) => entry.payeeId),
      ids,
      entries.map((entry) => entry.actor.name),
      entries.map((entry) => entry.action),
      kinds,
      entries.map((entry) => entry.objectId),
      entries.map((entry) => entry.actor.sessionId ?? null),
      entries.map((entry) => JSON.stringify(entry.details ?? {})),
    ],
    expected: entries.length,
  };
}

/** When an event happens, after the one before it of its resource: the clock may have been set back in between. */
const AFTER_THE_LAST = `greatest(v.happened_at, (
  select happened_at from event before
  where before.payee_id = v.payee_id and before.resource_kind = v.resource_kind
    and before.resource_id = v.resource_id and before.resource_sequence = v.resource_sequence - 1))`;

/**
 * Adds events, and puts each into the outbox.
 *
 * @param areInOrder whether the times are known to be later than those of the events before: the ledger's are
 */
export function insertEvents(
  events: readonly EventDraft[],
  { ids, kinds, areInOrder }: Filing<EventResource> & { readonly areInOrder: boolean },
): GuardedCall {
  return {
    statement: {
      name: areInOrder ? 'journal-insert-events-in-order' : 'journal-insert-events',
      text: `
        with happened as (
          insert into event
            (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload,
              callback_url, callback_body)
          select payee_id, event_id, type, resource_kind, resource_id, resource_sequence,
            ${areInOrder ? 'v.happened_at' : AFTER_THE_LAST}, payload, callback_url, callback_body
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[],
            $7::timestamptz[], $8::jsonb[], $9::text[], $10::jsonb[]) as v (payee_id, event_id, type, resource_kind,
            resource_id, resource_sequence, happened_at, payload, callback_url, callback_body)
          returning payee_id, event_id, happened_at
        )
        insert into event_pending (payee_id, event_id, happened_at)
        select payee_id, event_id, happened_at from happened`,
    },
    values: [
      events.map((event) => event.payeeId),
      ids,
      events.map((event) => event.type),
      kinds,
      events.map((event) => event.resourceId),
      events.map((event) => event.resourceSequence),
      events.map((event) => event.happenedAt),
      events.map((event) => JSON.stringify(event.payload)),
      events.map(({ callback }) => callback?.url ?? null),
      events.map(({ callback }) => (callback === undefined ? null : JSON.stringify(callback.body))),
    ],
    expected: events.length,
  };
}

/** Takes events out of the outbox; how many were in it. */
export async function deletePending(transaction: Transaction, events: readonly EventKey[]): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'journal-delete-pending',
      text: `
        delete from event_pending
        using unnest($1::uuid[], $2::uuid[]) as placed (payee_id, event_id)
        where event_pending.payee_id = placed.payee_id and event_pending.event_id = placed.event_id`,
    },
    [events.map(({ payeeId }) => payeeId), events.map(({ eventId }) => eventId)],
  );
  return count;
}
