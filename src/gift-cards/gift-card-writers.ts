import { timedWriter, writer } from '../kit/row-writes.ts';
import { extendCards, insertSteps, updateCards } from './cards/life.store.ts';
import { CHANGED_GIFT_CARD, EXTENDED_GIFT_CARD, STEP_OF_GIFT_CARD } from './cards/life.types.ts';
import { insertGiftCards } from './gift-cards.store.ts';
import { NEW_GIFT_CARD } from './gift-cards.types.ts';

/** What writes gift cards in a batch: new ones first, because those that they replace point to them. */
export const GIFT_CARD_WRITERS = [
  writer(NEW_GIFT_CARD, insertGiftCards),
  writer(CHANGED_GIFT_CARD, updateCards),
  writer(EXTENDED_GIFT_CARD, extendCards),
  timedWriter(STEP_OF_GIFT_CARD, insertSteps),
];
