import type { Read, Transact } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';

/** What keeping and erasing payers needs. */
export interface PayersContext {
  readonly transact: Transact;
  readonly read: Read;
  readonly keyRing: KeyRing;
}
