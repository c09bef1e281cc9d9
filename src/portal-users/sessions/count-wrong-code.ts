import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import { SERVICE } from '../../kit/caller.ts';
import type { PortalUserKey } from '../portal-users.types.ts';
import { upsertWrongCode } from './wrong-codes.store.ts';

/**
 * Wrong codes with the right password that a user has in a day, from all networks together: the last one closes the user
 * (PCI DSS 4.0.1, 8.3.4). Ten of a million codes, of which three are right at a time: one guess in 33 000 gets in.
 */
const WRONG_CODES = 10;
const WRONG_CODES_SECONDS = 24 * 3600;

/**
 * Counts a wrong code that came with the right password. The user's row is locked, so codes at the same moment are looked at
 * one after the other, each with the count of those before it.
 *
 * @returns whether this one closed the user
 */
export async function noteWrongCode(
  transaction: Transaction,
  { payeeId, userId }: PortalUserKey,
  { sessionId, address }: { sessionId: string; address: string },
): Promise<boolean> {
  const limits = { most: WRONG_CODES, windowSeconds: WRONG_CODES_SECONDS };
  const { rows } = await upsertWrongCode(transaction, { payeeId, userId }, limits);
  const [counted] = rows;
  assert(counted, 'the user of a wrong code is there');
  const { wrongCodes, eventSequence, at } = counted;
  if (wrongCodes < WRONG_CODES) return false;
  const actor = { ...SERVICE, sessionId };
  const details = { address, times: wrongCodes };
  await writeAudit(transaction, [{ payeeId, actor, action: 'close-portal-user', objectId: userId, details }]);
  await writeEvents(transaction, [
    {
      payeeId,
      type: 'portal-user.closed',
      resourceId: userId,
      resourceSequence: eventSequence,
      happenedAt: at,
      payload: { wrongCodes },
    },
  ]);
  return true;
}
