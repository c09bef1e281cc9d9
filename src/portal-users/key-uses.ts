import { endingUse } from '../keys/ending-use.ts';
import type { KeyUse } from '../keys/keys.types.ts';
import { resealing } from '../keys/resealing.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { assert } from '../kit/assert.ts';
import { OPERATOR } from '../kit/ids.ts';
import { KEY_MOVE_ROWS } from '../kit/limits.ts';
import { countLoginsUnder, lockLoginsUnder, updateLogins } from './logins.store.ts';
import { countSeedsSealedWith, lockSeedsSealedWith, updateSealedSeeds } from './passwords/second-factors.store.ts';
import { KNOWN_DAYS } from './sessions/known-networks.store.ts';
import { emailText } from './show-user.ts';
import { associatedDataOfEmail, associatedDataOfSeed } from './users.rules.ts';
import { countEmailsSealedWith, lockEmailsSealedWith, updateSealedEmails } from './users.store.ts';

const EMAILS = resealing({
  purpose: 'secrets',
  count: countEmailsSealedWith,
  lock: lockEmailsSealedWith,
  update: updateSealedEmails,
  associatedDataOf: associatedDataOfEmail,
});

const SEEDS = resealing({
  purpose: 'secrets',
  count: countSeedsSealedWith,
  lock: lockSeedsSealedWith,
  update: updateSealedSeeds,
  associatedDataOf: associatedDataOfSeed,
});

/** Addresses that users are found by: the sealed ones are opened to digest them anew. */
const LOGINS: KeyUse = {
  purpose: 'portal-users',
  count: countLoginsUnder,
  async move(transaction, keyRing, change) {
    const logins = await lockLoginsUnder(transaction, change.from, KEY_MOVE_ROWS);
    await holdKeys(
      keyRing,
      logins.map(({ emailSealed }) => emailSealed),
    );
    const moved = logins.map(({ emailSealed, ...user }) => {
      const email = keyRing.open(associatedDataOfEmail(user), emailSealed);
      return { ...user, digest: keyRing.digest(change.to, OPERATOR, emailText(email.reveal())) };
    });
    const updated = await updateLogins(transaction, moved, change);
    assert(updated === logins.length, 'every locked login is digested anew');
    return updated;
  },
};

/** What `kontor keys rotate` moves in this slice, and networks, which nothing else keeps for longer. */
export const PORTAL_USER_KEY_USES: readonly KeyUse[] = [EMAILS, SEEDS, LOGINS, endingUse('networks', KNOWN_DAYS)];
