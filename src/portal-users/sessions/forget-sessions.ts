import type { Transaction } from '../../db/transaction.types.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { deleteOldSessionEnds, deleteOldSessions } from './sessions.store.ts';

/** Deletes portal sessions that are over, and why others ended: a bounded number of each, and answers the larger one. */
export async function forgetSessions(transaction: Transaction): Promise<number> {
  const [sessions, ends] = [
    await deleteOldSessions(transaction, FORGET_ROWS),
    await deleteOldSessionEnds(transaction, FORGET_ROWS),
  ];
  return Math.max(sessions, ends);
}
