import type { Call } from '../db/batch/batch.types.ts';
import type { PayeeId } from '../kit/ids.ts';

/** Names a lock by its kind and what it is of. */
export interface LockName {
  readonly lock: string;
  readonly id: string;
}

/** Names a lock of a kind among all payees'. */
export interface LockKey {
  readonly payeeId: PayeeId;
  readonly id: string;
}

/** A kind of lock that a batch takes beside those of accounts. */
export interface Lock {
  readonly name: LockName['lock'];
  /**
   * Takes those that are free, or waits for all, in the order of their keys, until the transaction ends.
   *
   * @returns a call that answers the keys that were locked
   */
  take(keys: readonly LockKey[], wait: boolean): Call;
}
