import { oldestMonthOf } from '../../kit/instants.ts';
import type { TokenRecord } from '../../tokens/tokens.types.ts';
import { expiryMonthOfDate, issuerExpiryOf } from '../cards/card.rules.ts';
import type { StoredCard } from './page.types.ts';

/** The cards behind tokens, each once and in the order of the tokens, without those that have expired. */
export function storedCardsOf(tokens: readonly TokenRecord[], now: string): StoredCard[] {
  const cards = new Map<string, StoredCard>();
  for (const { token, payerReference, instrumentId, cardBrand, lastFour, expiryDate } of tokens) {
    if (
      expiryDate === null ||
      lastFour === null ||
      instrumentId === null ||
      expiryMonthOfDate(expiryDate) < oldestMonthOf(now)
    )
      continue;
    if (cards.has(instrumentId)) continue;
    const expiry = issuerExpiryOf(expiryMonthOfDate(expiryDate));
    cards.set(instrumentId, { token, payerReference, instrumentId, brand: cardBrand ?? '', lastFour, expiry });
  }
  return [...cards.values()];
}
