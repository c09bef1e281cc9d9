import type { KeyUse } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { KEY_MOVE_ROWS } from '../../kit/limits.ts';
import { associatedDataOfSecret } from './hmac-keys.rules.ts';
import { countSealedWith, lockSealedWith, updateSealedSecrets } from './hmac-keys.store.ts';

/** How HMAC secrets come to be sealed with another key of the ring when that is rotated. They are not decrypted. */
export const HMAC_KEY_USE: KeyUse = {
  purpose: 'secrets',
  count: countSealedWith,
  async move(transaction, keyRing, change) {
    const { rows } = await lockSealedWith(transaction, change.from, KEY_MOVE_ROWS);
    const resealed = rows.map((row) => ({
      ...row,
      sealed: keyRing.rewrap(change.to, associatedDataOfSecret(row), row.sealed),
    }));
    const moved = await updateSealedSecrets(transaction, resealed, change);
    assert(moved === rows.length, 'a locked secret is still sealed with the old key');
    return moved;
  },
};
