import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { CARD_RANGE_DIGITS } from '../kit/limits.ts';
import type { Secret } from '../kit/secret.ts';
import { matchCardRanges } from './card-ranges.store.ts';
import type { FoundCardRange } from './vault.types.ts';

/**
 * What the card ranges tell of card numbers. Only the first digits leave this process: the database never sees a number.
 *
 * @returns in the order of the numbers
 */
export async function findCardRanges(
  transaction: Transaction,
  numbers: readonly Secret[],
): Promise<readonly FoundCardRange[]> {
  if (numbers.length === 0) return [];
  const starts = numbers.map((number) => number.reveal().slice(0, CARD_RANGE_DIGITS));
  const distinct = [...new Set(starts)];
  const matched = await matchCardRanges(transaction, distinct);
  const found = new Map(
    matched.map(({ position, range, isTestNumber }) => [
      distinct[position],
      { range: range ?? undefined, isTestNumber },
    ]),
  );
  return starts.map((start) => {
    const range = found.get(start);
    assert(range !== undefined, 'the look-up answers for every number');
    return range;
  });
}
