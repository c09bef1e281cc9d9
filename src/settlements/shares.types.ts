import type { PayeeId } from '../kit/ids.ts';
import type { Currency } from '../kit/money.ts';

/** The part of an agreement in a movement, as it stands on the side Issuer. */
export interface Share {
  readonly agreement: string;
  readonly amount: number;
}

/** The same as its row. */
export interface ShareOfMovement extends Share {
  readonly payeeId: PayeeId;
  readonly movementId: string;
}

/** The same of a movement that converts: in the currency of the sale, or of the payout. */
export interface ConvertedShare extends Share {
  readonly currency: Currency;
}
