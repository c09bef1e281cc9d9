import type { KeyUse } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { KEY_COUNT_ROWS, KEY_MOVE_ROWS } from '../kit/limits.ts';
import { holdInstrumentKeys, openInstrument } from '../vault/open-instrument.ts';
import { identityText, tombstoneText } from './import/import.rules.ts';
import { countDigested, type DigestedToken, lockDigested, updateDigested } from './token-lines.store.ts';

/** Tokens as users of the key that imports know them by: only their instruments can be digested under another one. */
export const TOKEN_LINE_USE: KeyUse = {
  purpose: 'token-lines',
  count: (transaction, keyId) => countDigested(transaction, { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, change) {
    const tokens = await lockDigested(transaction, { keyId: change.from, limit: KEY_MOVE_ROWS });
    await holdInstrumentKeys(
      keyRing,
      tokens.flatMap(({ sealed }) => sealed ?? []),
    );
    const textOf = ({ sealed, ...token }: DigestedToken) =>
      sealed === null ? tombstoneText(token) : identityText({ ...token, content: openInstrument(keyRing, sealed) });
    const moved = tokens.map((token) => ({
      payeeId: token.payeeId,
      token: token.token,
      digest: keyRing.digest(change.to, token.payeeId, textOf(token)),
    }));
    const updated = await updateDigested(transaction, moved, change);
    assert(updated === tokens.length, 'every locked token is digested anew');
    return updated;
  },
};
