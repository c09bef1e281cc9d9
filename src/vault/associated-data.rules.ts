import type { AssociatedData } from '../keys/keys.types.ts';
import type { Instrument } from './vault.types.ts';

/** Where an instrument's ciphertext belongs: this row of this payee. */
export function associatedDataOf({
  payeeId,
  instrumentId,
}: Pick<Instrument, 'payeeId' | 'instrumentId'>): AssociatedData {
  return { purpose: 'card-data', payeeId, rowId: instrumentId, field: 'instrument.sealed' };
}
