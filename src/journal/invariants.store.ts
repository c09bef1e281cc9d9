import type { Statement } from '../db/transaction.types.ts';
import type { Journaled } from './invariants.types.ts';

/** Finds rows whose number of the latest event is not the number of their events, or not that of the last of them. */
export function numberingOfEvents({ table, id, kind }: Journaled): Statement {
  return {
    name: `journal-verify-events-${kind}`,
    text: `
      select r.payee_id as "payeeId", '${nounOf(kind)} ' || r.${id} as row
      from ${table} r
      left join (
        select payee_id, resource_id, count(*) as events, max(resource_sequence) as latest
        from event
        where resource_kind = '${kind}'
        group by payee_id, resource_id
      ) e on e.payee_id = r.payee_id and e.resource_id = r.${id}::text
      where r.event_sequence <> coalesce(e.latest, 0) or r.event_sequence <> coalesce(e.events, 0)
      order by r.${id}`,
  };
}

/** Finds rows that the audit trail does not know. */
export function absenceFromAudit({ table, id, kind }: Journaled): Statement {
  return {
    name: `journal-verify-audit-${kind}`,
    text: `
      select r.payee_id as "payeeId", '${nounOf(kind)} ' || r.${id} as row
      from ${table} r
      where not exists (
        select from audit
        where payee_id = r.payee_id and object_kind = '${kind}' and object_id = r.${id}::text
      )
      order by r.${id}`,
  };
}

/** A kind as it is written in a sentence. */
export function nounOf(kind: Journaled['kind']): string {
  return kind.replace('-', ' ');
}
