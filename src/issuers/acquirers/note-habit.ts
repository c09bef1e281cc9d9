import type { Transaction } from '../../db/transaction.types.ts';
import { type SeenHabit, upsertHabit } from './habits.store.ts';

/** Notes what an acquirer's host was seen to do. */
export async function noteHabit(transaction: Transaction, seen: SeenHabit): Promise<void> {
  await upsertHabit(transaction, seen);
}
