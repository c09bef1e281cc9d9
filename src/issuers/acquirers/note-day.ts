import type { Transaction } from '../../db/transaction.types.ts';
import { type ToldDay, upsertDay } from './days.store.ts';

/** Notes which business day an acquirer says has begun: from now on its answers are of that day, whichever instance gets them. */
export async function noteDay(transaction: Transaction, told: ToldDay): Promise<void> {
  await upsertDay(transaction, told);
}
