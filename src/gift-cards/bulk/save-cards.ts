import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { insertGiftCards } from '../gift-cards.store.ts';
import type { CardChange } from '../gift-cards.types.ts';

/** The statements that write the changes of a batch, for the `save` of this slice's kinds. */
export function saveCards(changes: readonly CardChange[]): readonly GuardedCall[] {
  const added = changes.map(({ card }) => card);
  return added.length > 0 ? [insertGiftCards(added)] : [];
}
