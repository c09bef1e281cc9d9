import type { PayeeId } from '../kit/ids.ts';
import type { Currency } from '../kit/money.ts';
import type { EntryDraft, MovementDraft } from './ledger.types.ts';

/** A movement with its id. */
export interface Movement extends MovementDraft {
  readonly payeeId: PayeeId;
  readonly movementId: string;
  /** ISO 8601 in UTC. */
  readonly happenedAt: string;
}

/** A line of a movement, with its number and balance where it is a bucket's. */
export interface Entry extends EntryDraft {
  readonly payeeId: PayeeId;
  readonly movementId: string;
  /** From 1 within the movement. */
  readonly line: number;
  readonly currency: Currency;
  /** From 1 within the account; null on the payee's sides. */
  readonly sequence: number | null;
  /** What the bucket holds after it; null on the payee's sides. */
  readonly balance: number | null;
}
