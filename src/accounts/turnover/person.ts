import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { NamedPayer, SumsOfPayer } from './turnover.types.ts';
import { renamePayer, selectSumsOfPayer } from './turnovers-of-payer.store.ts';

/** What counts against the limits of a payer. */
export function findSumsOf(read: Read, payer: NamedPayer): Promise<readonly SumsOfPayer[]> {
  return selectSumsOfPayer(read, payer);
}

/** Erases whose sums these are. They count on for the cards that have the pseudonym too. */
export async function eraseSumsOf(
  transaction: Transaction,
  payer: NamedPayer & { readonly pseudonym: string },
): Promise<void> {
  await renamePayer(transaction, payer);
}
