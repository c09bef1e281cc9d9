import type { Transaction } from '../db/transaction.types.ts';
import { lockKeys, updateKeyState } from './keys.store.ts';
import type { KeyId, KeyUse } from './keys.types.ts';

/**
 * Retires a previous key that no row uses any more. It stays in the ring, for backups.
 *
 * @param keyUses all tables that use keys of its purpose
 * @returns false where rows still use it, and nothing was changed
 */
export async function retireKey(transaction: Transaction, keyUses: readonly KeyUse[], keyId: KeyId): Promise<boolean> {
  // Before the lock, which keeps writers waiting: nobody writes with a previous key, so none left is none ever.
  for (const use of keyUses) {
    if ((await use.count(transaction, keyId)) > 0) return false;
  }
  await lockKeys(transaction);
  await updateKeyState(transaction, [keyId], { from: 'Previous', to: 'Retired' });
  return true;
}
