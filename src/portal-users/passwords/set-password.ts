import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PortalUserKey } from '../portal-users.types.ts';
import { updatePassword } from '../users.store.ts';

/** Gives a user the password of this hash. Whoever calls it ends the sessions and writes the audit trail. */
export async function setPassword(transaction: Transaction, user: PortalUserKey, passwordHash: string): Promise<void> {
  const updated = await updatePassword(transaction, user, passwordHash);
  assert(updated === 1, 'the user of a password is there');
}
