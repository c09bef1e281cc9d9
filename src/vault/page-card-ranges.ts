import type { Transaction } from '../db/transaction.types.ts';
import { PAGE_CARD_RANGES } from '../kit/limits.ts';
import { selectCardRanges } from './card-ranges.store.ts';
import type { StoredCardRange } from './vault.types.ts';

/** Some card ranges in the order of their prefixes. */
export interface CardRangePage {
  readonly cardRanges: readonly StoredCardRange[];
  /** What the next page begins after; null where there is none. */
  readonly next: string | null;
}

/**
 * A page of the card ranges.
 *
 * @param start digits to begin at, or the `next` of the page before: a prefix and its source with a dash between them
 */
export async function pageCardRanges(transaction: Transaction, start: string): Promise<CardRangePage> {
  const [prefix = '', source = ''] = start.split('-');
  const after = { prefix, source: source as StoredCardRange['source'] };
  const found = await selectCardRanges(transaction, { after, limit: PAGE_CARD_RANGES + 1 });
  const cardRanges = found.slice(0, PAGE_CARD_RANGES);
  const last = cardRanges.at(-1);
  const next = found.length > PAGE_CARD_RANGES && last !== undefined ? `${last.prefix}-${last.source}` : null;
  return { cardRanges, next };
}
