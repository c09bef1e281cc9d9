import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { deletePayerTokens } from '../delete-token.ts';
import type { KnownToken, TokenContext } from '../tokens.types.ts';
import { deletePayers, eraseWords, type Payer, selectTokensOf } from './person.store.ts';

/** What a tombstone shows in the place of a name. */
const ERASED_NAME = 'Erased';

/** All tokens of a payer, deleted ones too, the newest last. */
export function findTokensOf(
  read: Read,
  payer: { readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<readonly KnownToken[]> {
  return selectTokensOf(read, payer);
}

/** Deletes all tokens of a payer, and takes from their tombstones what people have written on them. Answers of how many. */
export async function erasePayerTokens(
  transaction: Transaction,
  context: TokenContext,
  payer: { readonly payeeId: PayeeId; readonly payerReference: string; readonly actor: Actor },
): Promise<{ readonly deleted: number; readonly tombstones: number }> {
  const deleted = await deletePayerTokens(transaction, context, { ...payer, tokenType: undefined, comment: undefined });
  const { payeeId, payerReference } = payer;
  const tombstones = await eraseWords(transaction, { payeeId, payerReference, displayName: ERASED_NAME });
  return { deleted: deleted.length, tombstones };
}

/** Forgets payers of whom nothing is stored. One who has a token is kept by the database. */
export function forgetPayers(transaction: Transaction, payers: readonly Payer[]): Promise<void> {
  return deletePayers(transaction, payers);
}
