import type { Transaction } from '../../db/transaction.types.ts';
import { addLeftOut } from './left-out.store.ts';
import type { LeftOutMember } from './three-ds.types.ts';

/** Counts members that were left out of messages. */
export async function countLeftOut(transaction: Transaction, members: readonly LeftOutMember[]): Promise<void> {
  await addLeftOut(transaction, members);
}
