import type { KeyRing } from '../keys/keys.types.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { parseContent } from './content.rules.ts';
import { placeOf } from './place.rules.ts';
import type { InstrumentContent, SealedInstrument } from './vault.types.ts';

/**
 * Decrypts what an instrument consists of.
 *
 * @param world whose ring holds the key; see `holdInstrumentKeys` where another process may have rotated it
 * @throws BrokenBelief where the ciphertext was altered, belongs to another row, or its key is not held
 */
export function openInstrument(world: { readonly keyRing: KeyRing }, row: SealedInstrument): InstrumentContent {
  return parseContent(row.kind, world.keyRing.open(placeOf(row), row.sealed));
}

/** Before a read opens instruments: loads the ring again where a rotation in another process has brought a new key. */
export function holdInstrumentKeys(
  world: { readonly keyRing: KeyRing },
  rows: readonly { readonly sealed: Buffer }[],
): Promise<void> {
  return holdKeys(
    world.keyRing,
    rows.map((row) => row.sealed),
  );
}
