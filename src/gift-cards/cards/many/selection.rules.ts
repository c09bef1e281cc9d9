import type { ManySteps, PageCard, Selection } from './selection.types.ts';

/** Whether a card is one of those that are meant. */
export function isChosen(card: PageCard, selection: Selection): boolean {
  const { productId, issuedFrom, issuedTo, expiredBefore, unmovedSince, accountIds } = selection;
  return (
    (productId === undefined || card.productId === productId) &&
    (issuedFrom === undefined || card.issuedOn >= issuedFrom) &&
    (issuedTo === undefined || card.issuedOn <= issuedTo) &&
    (expiredBefore === undefined || card.lastDay < expiredBefore) &&
    (unmovedSince === undefined || !card.hasMoved) &&
    (accountIds === undefined || accountIds.has(card.accountId))
  );
}

/** Whether a step would change something of a card, as far as a list tells. Its rule decides once more. */
export function canTake(card: PageCard, asked: ManySteps['asked']): boolean {
  if (card.isEnded) return false;
  switch (asked.step) {
    case 'Block':
      return !card.isBlockedForGood;
    case 'Unblock':
      return card.isBlocked;
    case 'Sweep':
      return card.isExpired && card.available > 0;
    case 'Extend':
      return card.lastDay < asked.until;
  }
}
