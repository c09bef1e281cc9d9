import type { Closing } from '../../db/closings.types.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';

/** How far the sums of what a payee owes on stored value reach. */
export interface GiftCardClosing extends Closing {
  readonly afterAccount: AccountId;
  readonly afterSequence: number;
}

/** How far the entries of a portion go. */
export interface FilledTo {
  readonly account: AccountId | null;
  readonly sequence: number | null;
  readonly entries: number;
}
