import type { Transaction } from '../../db/transaction.types.ts';
import type { PortalSessionKey } from '../portal-users.types.ts';
import { updateUsedAt } from './sessions.store.ts';

/** Notes that a session is used now, so that it does not seem idle. One that has just ended stays so. */
export async function noteSessionUse(transaction: Transaction, session: PortalSessionKey): Promise<void> {
  await updateUsedAt(transaction, session);
}
