import type { GiftCardAsked, GiftCardJudged, GuessingContext } from './guessing.types.ts';

/** Judges what a payer enters to pay with a gift card. */
export function judgeGiftCard(_context: GuessingContext, _asked: GiftCardAsked): Promise<GiftCardJudged> {
  return Promise.resolve({ outcome: 'notusable' });
}
