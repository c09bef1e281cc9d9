import { UNKNOWN_NUMBER_WRITER } from '../accounts/identifying/note-unknown-numbers.ts';
import { VERDICT_WRITER } from '../engine/card-history/card-history.ts';
import { GIFT_CARD_WRITERS } from '../gift-cards/gift-card-writers.ts';
import { ATTEMPT_WRITERS } from '../issuers/attempts.ts';
import { ORDER_WRITERS } from '../orders/order-writers.ts';
import { CARD_PAYMENT_WRITERS } from '../payments/payment-writers.ts';
import { TOKEN_WRITERS } from '../tokens/stored/make-tokens.ts';

/** What writes rows of slices in a batch, in one order for all batches: so none waits for another one that waits for it. */
export const WRITERS = [
  ...GIFT_CARD_WRITERS,
  ...ORDER_WRITERS,
  ...CARD_PAYMENT_WRITERS,
  ...ATTEMPT_WRITERS,
  ...TOKEN_WRITERS,
  VERDICT_WRITER,
  UNKNOWN_NUMBER_WRITER,
];
