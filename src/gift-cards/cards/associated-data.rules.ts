import type { AssociatedData } from '../../keys/keys.types.ts';
import type { SealedCard } from '../gift-cards.types.ts';

/** What is kept sealed in a gift card's row, each in a column of its own. */
export type SealedField = 'number' | 'email' | 'msisdn';

/** Where a sealed value of a gift card belongs: this column of this row of this payee. */
export function associatedDataOf(
  { payeeId, accountId }: Pick<SealedCard, 'payeeId' | 'accountId'>,
  field: SealedField,
): AssociatedData {
  return { purpose: 'card-data', payeeId, rowId: accountId, field: `gift_card.${field}_sealed` };
}
