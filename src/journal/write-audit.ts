import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { uuidV7 } from '../kit/ids.ts';
import { objectOf } from './actions.rules.ts';
import { insertAuditNow } from './journal.store.ts';
import type { AuditEntry, AuditRow } from './journal.types.ts';

/**
 * Writes who did what, in the transaction that does it: neither stands without the other (PCI DSS 4.0.1, 10.2.1).
 *
 * @param entries in the order in which the things were done; none is fine
 */
export async function writeAudit(transaction: Transaction, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { statement, values, expected } = insertAuditNow(entries.map((entry) => auditRow(uuidV7(Date.now()), entry)));
  const { count } = await transaction.run(statement, values);
  assert(count === expected, 'every audit entry is written');
}

/** An entry as its row. Its details have what a reader needs beside who, what and when; of a person also where they were. */
export function auditRow(auditId: string, { payeeId, actor, action, objectId, details = {} }: AuditEntry): AuditRow {
  return {
    payeeId,
    auditId,
    actorKind: actor.kind,
    actorId: actor.id ?? null,
    action,
    objectKind: objectOf({ action }),
    objectId,
    sessionId: actor.sessionId ?? null,
    details: actor.address === undefined ? details : { address: actor.address, ...details },
  };
}
