import type { GuardedCall } from '../db/batch/batch.types.ts';
import { objectOf } from './actions.rules.ts';
import { resourceOf } from './events.rules.ts';
import { insertAudit, insertEventsInOrder } from './journal.store.ts';
import type { AuditEntry, EventDraft } from './journal.types.ts';

/** What a batch of changes leaves behind. */
export interface Trail {
  readonly audit: readonly AuditEntry[];
  readonly events: readonly EventDraft[];
}

/**
 * The trail of a batch as statements for its writes, so that it commits with what it tells of.
 *
 * @param newId a new UUID of version 7
 */
export function journalCalls({ audit, events }: Trail, newId: () => string): GuardedCall[] {
  return [
    insertAudit(audit.map((draft) => ({ id: newId(), kind: objectOf(draft), draft }))),
    insertEventsInOrder(events.map((draft) => ({ id: newId(), kind: resourceOf(draft), draft }))),
  ].filter(({ expected }) => expected > 0);
}
