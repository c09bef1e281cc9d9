import type { Transaction } from '../db/transaction.types.ts';
import { type CardPrefixes, isSchemePrefix } from '../kit/cards/card-number.ts';
import { listCardRanges } from './list-card-ranges.ts';

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
