import type { KeyUse } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { KEY_MOVE_ROWS } from '../../kit/limits.ts';
import { countSigningSecretsOf, lockSigningSecretsOf, updateSigningSecrets } from './secrets.store.ts';
import { associatedDataOfSigningSecret } from './webhooks.rules.ts';

/** How signing secrets come to be sealed with another key of the ring when that is rotated. They are not decrypted. */
export const SIGNING_SECRET_USE: KeyUse = {
  purpose: 'secrets',
  count: countSigningSecretsOf,
  async move(transaction, keyRing, change) {
    const { rows } = await lockSigningSecretsOf(transaction, change.from, KEY_MOVE_ROWS);
    const resealed = rows.map((row) => {
      return { ...row, sealed: keyRing.rewrap(change.to, associatedDataOfSigningSecret(row), row.sealed) };
    });
    const moved = await updateSigningSecrets(transaction, resealed, change);
    assert(moved === rows.length, 'a locked secret is still sealed with the old key');
    return moved;
  },
};
