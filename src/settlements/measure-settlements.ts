import type { Read } from '../db/transaction.types.ts';
import { selectMeasures } from './differences.store.ts';

/** What of settlement waits for people. */
export interface SettlementMeasures {
  readonly openDifferences: number;
  /** Days that acquirers were told the totals of, in vain, for more than an hour. */
  readonly untoldDays: number;
  /** Open disputes whose last day for an answer is less than three days away, or over. */
  readonly pressingDisputes: number;
}

/** Counts it, of all payees. */
export async function measureSettlements(read: Read): Promise<SettlementMeasures> {
  const { rows } = await selectMeasures(read);
  return rows[0] ?? { openDifferences: 0, untoldDays: 0, pressingDisputes: 0 };
}
