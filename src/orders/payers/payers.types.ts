import type { Read, Transact } from '../../db/transaction.types.ts';
import type { KeyId, KeyRing } from '../../keys/keys.types.ts';
import type { OrderKey } from '../orders.types.ts';

/** A row of a payer who was not erased. */
export interface SealedPayer extends OrderKey {
  readonly sealed: Buffer;
  readonly sealedWith: KeyId;
}

/** What keeping and erasing payers needs. */
export interface PayersContext {
  readonly transact: Transact;
  readonly read: Read;
  readonly keyRing: KeyRing;
}
