import type { KeyRing } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { openInstrument } from './open-instrument.ts';
import type { AccountContent, SealedInstrument } from './vault.types.ts';

/**
 * Decrypts a bank account or an invoice's recipient, to be shown to its payee. A card's number is never opened here.
 *
 * @throws BrokenBelief where the row is a card, was altered or moved, or its key is not held
 */
export function openAccount(world: { readonly keyRing: KeyRing }, row: SealedInstrument): AccountContent {
  assert(row.kind !== 'Card', 'a card number is not shown');
  const content = openInstrument(world, row);
  assert(content.kind !== 'Card', 'an opened instrument is of its row’s kind');
  return content;
}
