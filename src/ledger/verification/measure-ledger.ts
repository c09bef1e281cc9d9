import type { Read } from '../../db/transaction.types.ts';
import { selectAges } from '../expiry/expiry.store.ts';
import { selectNumbersUsed } from '../payment-numbers.store.ts';
import type { LedgerAges } from './health.types.ts';

/** How long the oldest thing of each kind has waited for the service to look after it. */
export async function measureLedger(read: Read): Promise<LedgerAges> {
  const { rows } = await selectAges(read);
  return rows[0] ?? { overdueHoldSeconds: 0 };
}

/** How far the payee that has come furthest is through the numbers of payments: 0 to 1. */
export async function measureNumbers(read: Read): Promise<number> {
  const { rows } = await selectNumbersUsed(read);
  return rows[0]?.share ?? 0;
}
