import type { Transaction } from '../db/transaction.types.ts';
import { CARD_RANGE_BATCH_LINES } from '../kit/limits.ts';
import { selectCardRanges } from './card-ranges.store.ts';
import type { StoredCardRange } from './vault.types.ts';

/** All card ranges in the order of their prefixes, a part at a time: there may be half a million. */
export async function* listCardRanges(transaction: Transaction): AsyncIterable<StoredCardRange> {
  let after: StoredCardRange | undefined;
  do {
    const ranges = await selectCardRanges(transaction, { after, limit: CARD_RANGE_BATCH_LINES });
    yield* ranges;
    after = ranges.at(-1);
  } while (after !== undefined);
}
