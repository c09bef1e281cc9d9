import type { GuardedCall } from '../db/batch/batch.types.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { uuidV7 } from '../kit/ids.ts';
import { resourceOf } from './events.rules.ts';
import { insertAnyEvents, insertAudit, insertEventsInOrder } from './journal.store.ts';
import type { AuditEntry, EventDraft, EventRow } from './journal.types.ts';
import { auditRow } from './write-audit.ts';

/**
 * Writes what happened, in the transaction in which it does. Each event has its resource's next number, which was raised
 * under the resource's lock.
 *
 * @param events none is fine
 */
export async function writeEvents(transaction: Transaction, events: readonly EventDraft[]): Promise<void> {
  if (events.length === 0) return;
  const { statement, values, expected } = insertAnyEvents(events.map((event) => eventRow(uuidV7(Date.now()), event)));
  const { count } = await transaction.run(statement, values);
  assert(count === expected, 'every event is written');
}

/** What a batch of changes leaves behind. */
interface Trail {
  readonly audit: readonly AuditEntry[];
  readonly events: readonly EventDraft[];
  /** The time of the batch. */
  readonly now: string;
}

/**
 * The trail of a batch as statements for its writes, so that it commits with what it tells of.
 *
 * @param newId a new UUID of version 7
 */
export function journalCalls({ audit, events, now }: Trail, newId: () => string): GuardedCall[] {
  return [
    insertAudit(
      audit.map((entry) => auditRow(newId(), entry)),
      now,
    ),
    insertEventsInOrder(events.map((event) => eventRow(newId(), event))),
  ].filter(({ expected }) => expected > 0);
}

function eventRow(eventId: string, { callback, ...draft }: EventDraft): EventRow {
  return {
    ...draft,
    eventId,
    resourceKind: resourceOf(draft),
    callbackUrl: callback?.url ?? null,
    callbackBody: callback?.body ?? null,
  };
}
