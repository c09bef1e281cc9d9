import type { Transaction } from '../db/transaction.types.ts';
import type { AuditEntry } from './journal.types.ts';

/** Adds the entries, in their order, with the database's clock. */
export async function insertAudit(
  transaction: Transaction,
  entries: readonly AuditEntry[],
  ids: readonly string[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'journal-insert-audit',
      text: `
        insert into audit (payee_id, audit_id, happened_at, actor, action, object_kind, object_id, session_id, details)
        select payee_id, audit_id, kontor_now(), actor, action, object_kind, object_id, session_id, details
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::jsonb[])
          as entry (payee_id, audit_id, actor, action, object_kind, object_id, session_id, details)`,
    },
    [
      entries.map((entry) => entry.payeeId),
      ids,
      entries.map((entry) => entry.actor.name),
      entries.map((entry) => entry.action),
      entries.map((entry) => entry.objectKind),
      entries.map((entry) => entry.objectId),
      entries.map((entry) => entry.actor.sessionId ?? null),
      entries.map((entry) => JSON.stringify(entry.details ?? {})),
    ],
  );
  return count;
}
