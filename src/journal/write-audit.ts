import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { uuidV7 } from '../kit/ids.ts';
import { objectOf } from './actions.rules.ts';
import { insertAudit } from './journal.store.ts';
import type { AuditEntry } from './journal.types.ts';

/**
 * Writes who did what, in the transaction that does it: neither stands without the other (PCI DSS 4.0.1, 10.2.1).
 *
 * @param entries in the order in which the things were done; none is fine
 */
export async function writeAudit(transaction: Transaction, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { statement, values, expected } = insertAudit(
    entries.map((draft) => ({ id: uuidV7(Date.now()), kind: objectOf(draft), draft })),
  );
  const { count } = await transaction.run(statement, values);
  assert(count === expected, 'every audit entry is written');
}
