import type { KeyUse } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { KEY_MOVE_ROWS } from '../../kit/limits.ts';
import { associatedDataOfRequest } from './approvals.rules.ts';
import { countRequestsSealedWith, lockRequestsSealedWith, updateSealedRequests } from './sealed-requests.store.ts';

/** How requests that wait for another person come to be sealed with another key. They are not decrypted. */
export const PENDING_CHANGE_USE: KeyUse = {
  purpose: 'secrets',
  count: countRequestsSealedWith,
  async move(transaction, keyRing, change) {
    const { rows } = await lockRequestsSealedWith(transaction, change.from, KEY_MOVE_ROWS);
    const resealed = rows.map((row) => ({
      ...row,
      sealed: keyRing.rewrap(change.to, associatedDataOfRequest(row), row.sealed),
    }));
    const moved = await updateSealedRequests(transaction, resealed, change);
    assert(moved === rows.length, 'a locked request is still sealed with the old key');
    return moved;
  },
};
