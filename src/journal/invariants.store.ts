import { along } from '../db/reading/walk.ts';
import type { Journaled, Search } from './invariants.types.ts';

/** Finds rows whose number of the latest event is not the number of their events, or not that of the last of them. */
export function numberingOfEvents(journaled: Journaled): Search {
  const { id, kind } = journaled;
  return along(
    walkOf(journaled),
    `journal-verify-events-${kind}`,
    (rows) => `
    select r.payee_id as "payeeId", '${nounOf(kind)} ' || r.${id} as row
    from ${rows} r
    cross join lateral (
      select count(*) as events, coalesce(max(resource_sequence), 0) as latest
      from event
      where payee_id = r.payee_id and resource_kind = '${kind}' and resource_id = r.${id}::text
    ) e
    where r.event_sequence <> e.latest or r.event_sequence <> e.events`,
  );
}

/** Finds rows that the audit trail does not know. */
export function absenceFromAudit(journaled: Journaled): Search {
  const { id, kind } = journaled;
  return along(
    walkOf(journaled),
    `journal-verify-audit-${kind}`,
    (rows) => `
    select r.payee_id as "payeeId", '${nounOf(kind)} ' || r.${id} as row
    from ${rows} r
    where not exists (
      select from audit
      where payee_id = r.payee_id and object_kind = '${kind}' and object_id = r.${id}::text
    )`,
  );
}

/** A kind as it is written in a sentence. */
export function nounOf(kind: Journaled['kind']): string {
  return kind.replace('-', ' ');
}

function walkOf({ table, id }: Journaled) {
  return { table, key: { payee_id: 'uuid', [id]: 'uuid' } } as const;
}
