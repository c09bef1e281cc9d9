import type { Transaction } from '../db/transaction.types.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { deleteOldSessions } from './sessions.store.ts';

/** Deletes portal sessions that are over, a bounded number at a time, and answers how many. */
export function forgetSessions(transaction: Transaction): Promise<number> {
  return deleteOldSessions(transaction, FORGET_ROWS);
}
