import type { Transaction } from '../../db/transaction.types.ts';
import { inputError } from '../../kit/errors.ts';
import { GREATEST_UUID, isUuid, type PayeeId } from '../../kit/ids.ts';
import { PAGE_ACTIVITY } from '../../kit/limits.ts';
import { selectChanges } from './approvals.store.ts';
import type { PendingChange } from './approvals.types.ts';

/**
 * What waits or waited for another person, the newest first.
 *
 * @param cursor what the page before said under `next`; undefined for the first one
 * @throws Refusal `inputerror` for a cursor that is none
 */
export async function listChanges(
  transaction: Transaction,
  payeeId: PayeeId,
  cursor: string | undefined,
): Promise<{ readonly changes: readonly PendingChange[]; readonly next: string | null }> {
  if (cursor !== undefined && !isUuid(cursor)) throw inputError('cursor', 'must be the next of the page before');
  const reach = { below: cursor ?? GREATEST_UUID, limit: PAGE_ACTIVITY + 1 };
  const rows = await selectChanges(transaction, payeeId, reach);
  const changes = rows.slice(0, PAGE_ACTIVITY);
  return { changes, next: rows.length > PAGE_ACTIVITY ? (changes.at(-1)?.changeId ?? null) : null };
}
