import type { Read } from '../db/transaction.types.ts';
import { selectOldestAttempt } from './attempts.store.ts';

/** How long the oldest attempt has been open, in seconds; 0 where none is. */
export async function measureAttempts(read: Read): Promise<number> {
  const { rows } = await selectOldestAttempt(read);
  return rows[0]?.seconds ?? 0;
}
