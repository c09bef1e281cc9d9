import type { Transaction } from '../../db/transaction.types.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { selectPrefixes } from './products.store.ts';

/** The first digits of gift cards, retired products' too: with them free text is scanned for card numbers. */
export async function loadGiftCardPrefixes(transaction: Transaction): Promise<CardPrefixes> {
  const { rows } = await selectPrefixes(transaction);
  return rows.map(({ prefix }) => prefix);
}
