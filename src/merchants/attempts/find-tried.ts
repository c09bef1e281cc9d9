import type { Transaction } from '../../db/transaction.types.ts';
import type { FoundCredential, TriedCredential } from '../merchants.types.ts';
import { selectTriedClients, selectTriedTokens } from './refused-callers.store.ts';

/** Which of the credentials that were tried are ours, whatever became of them. */
export async function findTried(
  transaction: Transaction,
  tried: readonly TriedCredential[],
): Promise<ReadonlyMap<TriedCredential | undefined, FoundCredential>> {
  const tokens = tried.filter(({ kind }) => kind === 'access-token');
  const clients = tried.filter(({ kind }) => kind === 'oauth-client');
  const found = [
    ...(await selectTriedTokens(transaction, tokens)).rows.map((row) => [tokens[row.position - 1], row] as const),
    ...(await selectTriedClients(transaction, clients)).rows.map((row) => [clients[row.position - 1], row] as const),
  ];
  return new Map(found);
}
