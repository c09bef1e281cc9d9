import type { Transaction } from '../db/transaction.types.ts';
import type { KeyRing } from '../keys/keys.types.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Secret } from '../kit/secret.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { parseContent } from './content.rules.ts';
import { selectCard } from './instruments.store.ts';
import type { Instrument, InstrumentContent, InstrumentId, SealedInstrument } from './vault.types.ts';

/**
 * Decrypts what an instrument consists of.
 *
 * @param keyRing holds the key; see `holdInstrumentKeys` where another process may have rotated it
 * @throws AssertionFailure where the ciphertext was altered, belongs to another row, or its key is not held
 */
export function openInstrument(keyRing: KeyRing, row: SealedInstrument): InstrumentContent {
  return parseContent(row.kind, keyRing.open(associatedDataOf(row), row.sealed));
}

/** Before a read opens instruments: loads the ring again where a rotation in another process has brought a new key. */
export function holdInstrumentKeys(keyRing: KeyRing, rows: readonly { readonly sealed: Buffer }[]): Promise<void> {
  return holdKeys(
    keyRing,
    rows.map((row) => row.sealed),
  );
}

/** A card of the vault with its number. */
interface OpenedCard {
  readonly number: Secret;
  readonly instrument: Instrument;
}

/** Opens a card, to pay with it; undefined where it was destroyed. */
export async function openCard(
  transaction: Transaction,
  keyRing: KeyRing,
  card: { readonly payeeId: PayeeId; readonly instrumentId: InstrumentId },
): Promise<OpenedCard | undefined> {
  const { rows } = await selectCard(transaction, card);
  const [row] = rows;
  if (row === undefined) return undefined;
  await holdInstrumentKeys(keyRing, rows);
  const content = openInstrument(keyRing, row);
  assert(content.kind === 'Card', 'a card is kept as a card');
  const { sealed: _, ...instrument } = row;
  return { number: content.number, instrument };
}
