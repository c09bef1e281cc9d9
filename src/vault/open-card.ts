import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Secret } from '../kit/secret.ts';
import { selectCard } from './instruments.store.ts';
import { holdInstrumentKeys, openInstrument } from './open-instrument.ts';
import type { Instrument, InstrumentId, VaultContext } from './vault.types.ts';

/** A card of the vault with its number. */
export interface OpenedCard {
  readonly number: Secret;
  readonly instrument: Instrument;
}

/** Opens a card, to pay with it; undefined where it was destroyed. */
export async function openCard(
  transaction: Transaction,
  context: Pick<VaultContext, 'keyRing'>,
  card: { readonly payeeId: PayeeId; readonly instrumentId: InstrumentId },
): Promise<OpenedCard | undefined> {
  const { rows } = await selectCard(transaction, card);
  const [row] = rows;
  if (row === undefined) return undefined;
  await holdInstrumentKeys(context, rows);
  const content = openInstrument(context, row);
  assert(content.kind === 'Card', 'a card is kept as a card');
  const { sealed: _, ...instrument } = row;
  return { number: content.number, instrument };
}
