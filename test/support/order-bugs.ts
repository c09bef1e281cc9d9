import type { OrderBug } from './money-bugs.ts';

/** A mistake that kills in the middle of a reversal over three gift cards and a card find. */
export const THREE_GIFT_CARDS_BUG: OrderBug = {
  name: 'the third gift card of a transaction is forgotten',
  moment: 'decided by the acquirer, and not heard of',
  finding: /^service: reverse: /,
  patches: [
    {
      file: 'orders/changes/follow-up-order.rules.js',
      line: '    for (const part of waiting.parts) {\n',
      instead: '    for (const part of waiting.parts.filter((_part, index) => index !== 2)) {\n',
    },
  ],
};
