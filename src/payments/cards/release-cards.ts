import type { Read, Transaction } from '../../db/transaction.types.ts';
import { SEALED_CARD_SECONDS } from '../../kit/cards/card-payment-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { destroyUnusedCards } from '../../tokens/destroy-unused-cards.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';
import { selectHeld } from '../payments.store.ts';
import { endTry, selectTried } from './sealed-cards.store.ts';

/** What a request leaves behind. */
export interface LeftCards {
  readonly candidates: readonly InstrumentId[];
  /** The one of them with which the request has begun a try; it ends with this. */
  readonly tried: InstrumentId | undefined;
}

/** Destroys cards that were sealed for a payment, where no token, no other payment and no other request needs them. */
export async function releaseCards(
  transaction: Transaction,
  payeeId: PayeeId,
  { candidates, tried }: LeftCards,
): Promise<void> {
  const read: Read = (statement, values) => transaction.run(statement, values);
  await destroyUnusedCards(transaction, payeeId, {
    candidates,
    findHeld: async (locked) => {
      // Behind the lock on the card, as in `beginTry`, or the two could wait for each other.
      if (tried !== undefined) await endTry(transaction, { payeeId, instrumentId: tried });
      return [
        ...(await selectHeld(read, payeeId, locked)),
        ...(await selectTried(read, payeeId, { instrumentIds: locked, seconds: SEALED_CARD_SECONDS })),
      ];
    },
  });
}
