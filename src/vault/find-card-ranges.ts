import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { type CardPrefixes, isSchemePrefix } from '../kit/cards/card-number.ts';
import { CARD_RANGE_BATCH_LINES, CARD_RANGE_DIGITS } from '../kit/limits.ts';
import type { Secret } from '../kit/secret.ts';
import { matchCardRanges, selectCardRanges, selectPrefixesLike } from './card-ranges.store.ts';
import type { FoundCardRange, StoredCardRange } from './vault.types.ts';

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

/** All card ranges in the order of their prefixes, a part at a time: there may be half a million. */
export async function* listCardRanges(transaction: Transaction): AsyncIterable<StoredCardRange> {
  let after: StoredCardRange | undefined;
  do {
    const ranges = await selectCardRanges(transaction, { after, limit: CARD_RANGE_BATCH_LINES });
    yield* ranges;
    after = ranges.at(-1);
  } while (after !== undefined);
}

/**
 * The prefixes of the card ranges that no scheme has published: with them free text is scanned for card numbers too. To
 * be loaded again after `kontor card-ranges load`, which another process may run.
 */
export async function loadCardPrefixes(transaction: Transaction): Promise<CardPrefixes> {
  const prefixes = new Set<string>();
  for await (const { prefix } of listCardRanges(transaction)) {
    if (!isSchemePrefix(prefix)) prefixes.add(prefix);
  }
  return [...prefixes];
}

/**
 * The prefixes of card ranges that begin like this one, or that this one begins like; a few are enough to know of. Those
 * of the sandbox do not count: they are the schemes' or our own.
 */
export async function findPrefixesLike(transaction: Transaction, prefix: string): Promise<readonly string[]> {
  const { rows } = await selectPrefixesLike(transaction, prefix);
  return rows.map((row) => row.prefix);
}
