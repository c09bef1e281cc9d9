import type { KeyRing } from '../keys/keys.types.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { parseContent } from './content.rules.ts';
import type { InstrumentContent, SealedInstrument } from './vault.types.ts';

/**
 * Decrypts what an instrument consists of.
 *
 * @param context whose ring holds the key; see `holdInstrumentKeys` where another process may have rotated it
 * @throws AssertionFailure where the ciphertext was altered, belongs to another row, or its key is not held
 */
export function openInstrument(context: { readonly keyRing: KeyRing }, row: SealedInstrument): InstrumentContent {
  return parseContent(row.kind, context.keyRing.open(associatedDataOf(row), row.sealed));
}

/** Before a read opens instruments: loads the ring again where a rotation in another process has brought a new key. */
export function holdInstrumentKeys(
  context: { readonly keyRing: KeyRing },
  rows: readonly { readonly sealed: Buffer }[],
): Promise<void> {
  return holdKeys(
    context.keyRing,
    rows.map((row) => row.sealed),
  );
}
