import type { KeyUse } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { KEY_MOVE_ROWS } from '../kit/limits.ts';
import { countSeedsSealedWith, lockSeedsSealedWith, updateSealedSeeds } from './passwords/second-factors.store.ts';
import { associatedDataOfEmail, associatedDataOfSeed } from './users.rules.ts';
import { countEmailsSealedWith, lockEmailsSealedWith, updateSealedEmails } from './users.store.ts';

const EMAIL_USE: KeyUse = {
  purpose: 'secrets',
  count: countEmailsSealedWith,
  async move(transaction, keyRing, change) {
    const { rows } = await lockEmailsSealedWith(transaction, change.from, KEY_MOVE_ROWS);
    const resealed = rows.map((row) => ({
      ...row,
      sealed: keyRing.rewrap(change.to, associatedDataOfEmail(row), row.sealed),
    }));
    const moved = await updateSealedEmails(transaction, resealed, change);
    assert(moved === rows.length, 'a locked address is still sealed with the old key');
    return moved;
  },
};

const SEED_USE: KeyUse = {
  purpose: 'secrets',
  count: countSeedsSealedWith,
  async move(transaction, keyRing, change) {
    const { rows } = await lockSeedsSealedWith(transaction, change.from, KEY_MOVE_ROWS);
    const resealed = rows.map((row) => ({
      ...row,
      sealed: keyRing.rewrap(change.to, associatedDataOfSeed(row), row.sealed),
    }));
    const moved = await updateSealedSeeds(transaction, resealed, change);
    assert(moved === rows.length, 'a locked seed is still sealed with the old key');
    return moved;
  },
};

/** How addresses and seeds of portal users come to be sealed with another key. They are not decrypted. */
export const PORTAL_KEY_USES: readonly KeyUse[] = [EMAIL_USE, SEED_USE];
