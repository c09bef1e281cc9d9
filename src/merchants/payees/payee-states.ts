import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor, type PayeeState } from '../../kit/caller.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import { revokePageTokens } from '../access-tokens/access-tokens.store.ts';
import { checkReason } from '../access-tokens/credentials.rules.ts';
import { refuseOwnWork } from './payee-states.rules.ts';
import { countActivePayee, lockPayee, selectPayee, updatePayeeState } from './payees.store.ts';
import { revokeAllCredentials } from './revoke-all.ts';

/** What is to hold for a payee, and why. */
export interface ChangePayeeState {
  readonly payeeId: PayeeId;
  readonly state: PayeeState;
  /** For the audit trail: 1 to 100 characters. */
  readonly reason: string;
  readonly actor: Actor;
  /** Whether two persons must have a part in it: see `refuseOwnWork`. Who has the machine of the service needs no other. */
  readonly byTwo?: true;
}

/**
 * Stops a payee, lets it go on, or closes it. A program that calls with its credentials learns of it within a second, on
 * every instance; pages of its payments take nothing any more; its portal sessions are over. What it is owed is still settled, and
 * what an acquirer has not acknowledged is still taken back. Closing revokes all its credentials, and nothing undoes it.
 *
 * @returns whether that is news
 * @throws Refusal `notfound` where there is no such payee, `forbidden` where it is closed, or another person must do it,
 *   `inputerror` for a reason that breaks its rules
 */
export async function changePayeeState(
  transaction: Transaction,
  { cardPrefixes }: Kontor,
  command: ChangePayeeState,
): Promise<boolean> {
  const { payeeId, state, actor } = command;
  const reason = checkReason(command.reason, cardPrefixes());
  await lockPayee(transaction, payeeId);
  const { rows } = await selectPayee(transaction, payeeId);
  const [payee] = rows;
  if (payee === undefined || payeeId === OPERATOR) throw new Refusal('notfound', 'There is no such payee.');
  if (payee.state === state) return false;
  if (payee.state === 'Closed') throw forbidden('payee', 'This payee is closed, for good: create another one.');
  if (command.byTwo) refuseOwnWork(payee, state, nameOfActor(actor));
  const changed = (await updatePayeeState(transaction, { payeeId, state, reason, by: nameOfActor(actor) })).rows[0];
  assert(changed, 'a locked payee is there');
  if (state !== 'Active') await revokePageTokens(transaction, payeeId);
  const { action, type } = TOLD[state];
  await writeAudit(transaction, [{ payeeId, actor, action, objectId: payeeId, details: { state, reason } }]);
  const happened = { payeeId, resourceId: payeeId, resourceSequence: changed.changes, happenedAt: changed.changedAt };
  await writeEvents(transaction, [{ ...happened, type, payload: { state } }]);
  if (state === 'Closed') await revokeAllCredentials(transaction, { payeeId, actor });
  return true;
}

const TOLD = {
  Active: { action: 'resume-payee', type: 'payee.resumed' },
  FollowUpsOnly: { action: 'suspend-payee', type: 'payee.suspended' },
  Suspended: { action: 'suspend-payee', type: 'payee.suspended' },
  Closed: { action: 'close-payee', type: 'payee.closed' },
} as const satisfies Record<PayeeState, object>;

/** Whether a payee takes new payments now. */
export async function takesPayments(transaction: Transaction, payeeId: PayeeId): Promise<boolean> {
  return (await countActivePayee(transaction, payeeId)) === 1;
}
