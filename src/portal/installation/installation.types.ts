import type { Read, Transact } from '../../db/transaction.types.ts';
import type { Issuers } from '../../issuers/issuers.types.ts';

/** What the routes about the whole installation are made with. */
export interface InstallationOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly issuers: Issuers;
}
