import type { Transaction } from '../db/transaction.types.ts';
import { Refusal } from '../kit/errors.ts';
import { namePayee } from '../merchants/payees/name-payee.ts';
import { selectInvitation } from './invitations.store.ts';
import { readSecret } from './passwords/secrets.rules.ts';
import type { PortalUser, PortalUsersContext } from './portal-users.types.ts';
import { showUser } from './show-user.ts';
import { selectUser } from './users.store.ts';

/** An invitation as whoever holds it sees it. */
export interface InvitationView extends Pick<PortalUser, 'email' | 'name' | 'role'> {
  readonly payeeName: string;
  readonly expiresAt: string;
}

/**
 * Shows what an invitation is for.
 *
 * @throws Refusal `notfound` where it is not known, over, or taken
 */
export async function readInvitation(
  transaction: Transaction,
  context: PortalUsersContext,
  text: string,
): Promise<InvitationView> {
  const secret = readSecret('invitation', text);
  const found = secret && (await selectInvitation(transaction, secret)).rows[0];
  const row = found && (await selectUser(transaction, found)).rows[0];
  if (found === undefined || row === undefined || row.disabledAt !== null) throw unknownInvitation();
  const { email, name, role } = await showUser(context, row);
  return { email, name, role, payeeName: await namePayee(transaction, found.payeeId), expiresAt: found.expiresAt };
}

/** One answer for an invitation that is unknown, over, or taken: nobody learns which. */
export function unknownInvitation(): Refusal {
  return new Refusal('notfound', 'The invitation is not known, or it is over: ask for another one.');
}
