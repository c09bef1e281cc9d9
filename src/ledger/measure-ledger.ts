import type { Read } from '../db/transaction.types.ts';
import { selectAges } from './expiry.store.ts';
import type { LedgerAges } from './health.types.ts';

/** How long the oldest thing of each kind has waited for the service to look after it. */
export async function measureLedger(read: Read): Promise<LedgerAges> {
  const { rows } = await selectAges(read);
  return rows[0] ?? { overdueHoldSeconds: 0 };
}
