import type { Transaction } from '../../db/transaction.types.ts';
import { revokeKeysOfPortal } from '../hmac-keys/hmac-keys.store.ts';
import { revokeTokensOfPortal } from './access-tokens.store.ts';

/** Revokes what portal sessions that are over called the API with. */
export async function revokePortalCredentials(
  transaction: Transaction,
  sessions: readonly { readonly portalSessionId: string }[],
): Promise<void> {
  const ids = sessions.map(({ portalSessionId }) => portalSessionId);
  if (ids.length === 0) return;
  await revokeTokensOfPortal(transaction, ids);
  await revokeKeysOfPortal(transaction, ids);
}
