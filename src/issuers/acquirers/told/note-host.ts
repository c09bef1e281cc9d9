import type { Transaction } from '../../../db/transaction.types.ts';
import { type SeenHabit, type ToldDay, upsertDay, upsertHabit } from './hosts.store.ts';

/** Notes what an acquirer's host was seen to do. */
export async function noteHabit(transaction: Transaction, seen: SeenHabit): Promise<void> {
  await upsertHabit(transaction, seen);
}

/** Notes which business day an acquirer says has begun: from now on its answers are of that day, whichever instance gets them. */
export async function noteDay(transaction: Transaction, told: ToldDay): Promise<void> {
  await upsertDay(transaction, told);
}
