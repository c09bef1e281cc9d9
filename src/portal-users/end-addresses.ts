import type { Transaction } from '../db/transaction.types.ts';
import { forgetAddresses } from '../journal/forget-addresses.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { Secret } from '../kit/secret.ts';
import { deleteEndedLogins, updateEmails } from './ended-addresses.store.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { associatedDataOfEmail } from './users.rules.ts';

/** Users whose addresses one round ends at most, so that it never holds locks for long. */
const ENDED_ADDRESSES = 100;

/** In the place of an address that has ended. */
export const NO_EMAIL = '';

/**
 * Ends addresses of people who work with the portal: the e-mail address of some who were disabled so many days ago, and where some were when
 * they did what the audit trail tells, after a year at least. Names stay, as a record of who did what.
 *
 * @param days 0: none end
 * @returns whether there may be more
 */
export async function endAddresses(
  transaction: Transaction,
  { keyRing }: PortalUsersContext,
  days: number,
): Promise<boolean> {
  if (days === 0) return false;
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, keyRing)).current;
  const users = await deleteEndedLogins(transaction, { days, limit: ENDED_ADDRESSES });
  const emails = users.map((user) => {
    return { ...user, sealed: keyRing.seal(sealedWith, associatedDataOfEmail(user), new Secret(NO_EMAIL)) };
  });
  const updated = await updateEmails(transaction, emails, sealedWith);
  assert(updated === users.length, 'a user whose login was deleted is there');
  const forgotten = await forgetAddresses(transaction, { days, limit: FORGET_ROWS });
  return users.length === ENDED_ADDRESSES || forgotten === FORGET_ROWS;
}
