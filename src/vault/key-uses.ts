import type { KeyUse } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { KEY_COUNT_ROWS, KEY_MOVE_ROWS } from '../kit/limits.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { identityOf } from './content.rules.ts';
import { countByKey, lockByKey, updateMoved } from './instruments.store.ts';
import { openInstrument } from './open-instrument.ts';

/** Instruments as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing else. */
const CARD_DATA_USE: KeyUse = {
  purpose: 'card-data',
  count: (transaction, keyId) => countByKey(transaction, 'card_data_key_id', { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, change) {
    const some = { keyId: change.from, limit: KEY_MOVE_ROWS };
    const rows = await lockByKey(transaction, 'card_data_key_id', some);
    const moved = rows.map((row) => ({ ...row, bytes: keyRing.rewrap(change.to, associatedDataOf(row), row.sealed) }));
    const updated = await updateMoved(transaction, moved, { column: 'card_data_key_id', ...change });
    assert(updated === rows.length, 'every locked instrument is wrapped anew');
    return updated;
  },
};

/** Instruments as users of the fingerprint key: only the number itself can be digested under another one. */
const FINGERPRINT_USE: KeyUse = {
  purpose: 'fingerprint',
  count: (transaction, keyId) => countByKey(transaction, 'fingerprint_key_id', { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, change) {
    const some = { keyId: change.from, limit: KEY_MOVE_ROWS };
    const rows = await lockByKey(transaction, 'fingerprint_key_id', some);
    const moved = rows.map((row) => {
      const identity = identityOf(openInstrument(keyRing, row));
      return { ...row, bytes: keyRing.digest(change.to, row.payeeId, identity) };
    });
    const updated = await updateMoved(transaction, moved, { column: 'fingerprint_key_id', ...change });
    assert(updated === rows.length, 'every locked instrument is digested anew');
    return updated;
  },
};

/** What `kontor keys rotate` moves in this slice. */
export const INSTRUMENT_KEY_USES: readonly KeyUse[] = [CARD_DATA_USE, FINGERPRINT_USE];
