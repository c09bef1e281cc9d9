import type { KeyId, KeyRing, KeyUse } from '../keys/keys.types.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { assert } from '../kit/assert.ts';
import { KEY_COUNT_ROWS, KEY_MOVE_ROWS } from '../kit/limits.ts';
import { numberIdentity, renewNumbers } from '../ledger/accounts/account-number.ts';
import { associatedDataOf, type SealedField } from './cards/associated-data.rules.ts';
import { countSealedWith, lockSealedWith, updateSealed } from './gift-cards.store.ts';
import type { SealedCard } from './gift-cards.types.ts';
import { countNumberedWith, lockNumberedWith } from './number-keys.store.ts';

/** Gift cards as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing. */
export const SEALED_USE: KeyUse = {
  purpose: 'card-data',
  count: (transaction, keyId) => countSealedWith(transaction, { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, change) {
    const cards = await lockSealedWith(transaction, { keyId: change.from, limit: KEY_MOVE_ROWS });
    const rewrapped = cards.map((card) => rewrap(keyRing, card, change.to));
    const updated = await updateSealed(transaction, rewrapped, change);
    assert(updated === cards.length, 'every locked gift card is wrapped anew');
    return updated;
  },
};

/** Gift cards as users of the key that accounts are found by: their sealed numbers are opened to digest them anew. */
const NUMBER_USE: KeyUse = {
  purpose: 'account-numbers',
  count: (transaction, keyId) => countNumberedWith(transaction, { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, { from, to }) {
    const cards = await lockNumberedWith(transaction, { keyId: from, limit: KEY_MOVE_ROWS });
    await holdKeys(
      keyRing,
      cards.map(({ numberSealed }) => numberSealed),
    );
    const renewed = cards.map(({ numberSealed, ...card }) => {
      const number = keyRing.open(associatedDataOf(card, 'number'), numberSealed);
      return { ...card, from, digest: keyRing.digest(to, card.payeeId, numberIdentity(number)) };
    });
    const updated = await renewNumbers(transaction, renewed, to);
    assert(updated === cards.length, 'the number of every locked gift card is digested anew');
    return updated;
  },
};

/** What `kontor keys rotate` moves in this slice. */
export const GIFT_CARD_KEY_USES: readonly KeyUse[] = [SEALED_USE, NUMBER_USE];

function rewrap(keyRing: KeyRing, card: SealedCard, keyId: KeyId): SealedCard {
  const anew = (field: SealedField, sealed: Buffer) => keyRing.rewrap(keyId, associatedDataOf(card, field), sealed);
  return {
    ...card,
    numberSealed: anew('number', card.numberSealed),
    emailSealed: card.emailSealed && anew('email', card.emailSealed),
    msisdnSealed: card.msisdnSealed && anew('msisdn', card.msisdnSealed),
  };
}
