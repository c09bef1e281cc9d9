import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { SERVICE } from '../kit/caller.ts';
import { lockIdleUsers } from './idle-users.store.ts';
import { deleteInvitation } from './invitations.store.ts';
import { endSessionsOf } from './sessions/sessions.ts';
import { updateDisabled } from './users.store.ts';

/** Users that one round disables at most, so that it never holds locks for long. */
const IDLE_USERS = 100;

/**
 * Disables users who were not there for so many days (PCI DSS 4.0.1, 8.2.6); with 0 none. The last administrator and the last operator
 * too: the command line enables them.
 *
 * @returns whether there may be more
 */
export async function disableIdleUsers(transaction: Transaction, days: number): Promise<boolean> {
  if (days === 0) return false;
  const { rows: idle } = await lockIdleUsers(transaction, { days, limit: IDLE_USERS });
  for (const user of idle) {
    await updateDisabled(transaction, user, true);
    await endSessionsOf(transaction, user, 'disabled');
    await deleteInvitation(transaction, user);
  }
  await writeAudit(
    transaction,
    idle.map(({ payeeId, userId }) => ({
      payeeId,
      actor: SERVICE,
      action: 'disable-idle-portal-user',
      objectId: userId,
    })),
  );
  return idle.length === IDLE_USERS;
}
