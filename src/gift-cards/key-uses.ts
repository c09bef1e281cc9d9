import type { KeyId, KeyRing, KeyUse } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { KEY_COUNT_ROWS, KEY_MOVE_ROWS } from '../kit/limits.ts';
import { associatedDataOf, type SealedField } from './cards/associated-data.rules.ts';
import { countSealedWith, lockSealedWith, updateSealed } from './gift-cards.store.ts';
import type { SealedCard } from './gift-cards.types.ts';

/** Gift cards as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing. */
export const GIFT_CARD_KEY_USE: KeyUse = {
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

function rewrap(keyRing: KeyRing, card: SealedCard, keyId: KeyId): SealedCard {
  const anew = (field: SealedField, sealed: Buffer) => keyRing.rewrap(keyId, associatedDataOf(card, field), sealed);
  return {
    ...card,
    numberSealed: anew('number', card.numberSealed),
    emailSealed: card.emailSealed && anew('email', card.emailSealed),
    msisdnSealed: card.msisdnSealed && anew('msisdn', card.msisdnSealed),
  };
}
