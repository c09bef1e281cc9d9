import type { Closing } from '../../db/closings.types.ts';

/** How far the sums of a payee's trial balances reach. */
export interface BalanceClosing extends Closing {
  readonly afterMovement: string;
}
