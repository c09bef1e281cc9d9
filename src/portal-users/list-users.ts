import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { LISTED_PORTAL_USERS } from '../kit/limits.ts';
import type { PortalUser, PortalUsersContext } from './portal-users.types.ts';
import { showUser } from './show-user.ts';
import { selectUsers } from './users.store.ts';

/** The portal users of a payee by name, disabled ones too. */
export async function listUsers(
  transaction: Transaction,
  context: PortalUsersContext,
  payeeId: PayeeId,
): Promise<readonly PortalUser[]> {
  const { rows } = await selectUsers(transaction, payeeId, LISTED_PORTAL_USERS);
  return Promise.all(rows.map((row) => showUser(context, row)));
}
