import type { Transaction } from '../db/transaction.types.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { Refusal } from '../kit/errors.ts';
import { isUuid, OPERATOR, type PayeeId } from '../kit/ids.ts';
import { Secret } from '../kit/secret.ts';
import type { PortalUser, PortalUserKey, PortalUserState, PortalUsersContext } from './portal-users.types.ts';
import { associatedDataOfEmail, comparableEmail } from './users.rules.ts';
import { lockUser, selectUser, selectUserByEmail, selectUsers, type UserRow } from './users.store.ts';

/** Users of one payee that a list shows. */
const LISTED_PORTAL_USERS = 500;

/** A user as lists show them: with the address in the clear, and without anything that proves who they are. */
export async function showUser({ keyRing }: PortalUsersContext, row: UserRow): Promise<PortalUser> {
  const {
    emailSealed,
    passwordHash: _,
    disabledAt: _disabledAt,
    recoveryCodesLeft: _codes,
    closedAt: _closedAt,
    ...shown
  } = row;
  await holdKeys(keyRing, [emailSealed]);
  return { ...shown, email: keyRing.open(associatedDataOfEmail(row), emailSealed).reveal(), state: stateOf(row) };
}

function stateOf({ disabledAt, closedAt, passwordHash }: UserRow): PortalUserState {
  if (disabledAt !== null) return 'Disabled';
  if (closedAt !== null) return 'Closed';
  return passwordHash === null ? 'Invited' : 'Active';
}

/**
 * Locks a user of a payee, who is about to be changed.
 *
 * @throws Refusal `notfound` where the payee has none of this id
 */
export async function lockNamedUser(transaction: Transaction, key: PortalUserKey): Promise<UserRow> {
  if (!isUuid(key.userId) || (await lockUser(transaction, key)) === 0) throw unknownUser();
  const { rows } = await selectUser(transaction, key);
  const [user] = rows;
  if (user === undefined) throw unknownUser();
  return user;
}

/** The same user after a change. */
export async function showChangedUser(
  transaction: Transaction,
  context: PortalUsersContext,
  key: PortalUserKey,
): Promise<PortalUser> {
  return showUser(context, await lockNamedUser(transaction, key));
}

function unknownUser(): Refusal {
  return new Refusal('notfound', 'This payee has no such portal user.');
}

/** The user of an e-mail address, whatever their state; undefined where no user has it. */
export async function findUserByEmail(
  transaction: Transaction,
  context: PortalUsersContext,
  email: string,
): Promise<UserRow | undefined> {
  const { rows } = await selectUserByEmail(transaction, digestsOfEmail(context, email));
  return rows[0];
}

/** Keyed digests, one for each live key: a reader of the table must not find people by trying addresses. */
export function digestsOfEmail({ keyRing }: PortalUsersContext, email: string): readonly Buffer[] {
  return keyRing.digests('portal-users', OPERATOR, emailText(email));
}

/** What is digested of an address; the word keeps it apart from whatever else a key digests. */
export function emailText(email: string): Secret {
  return new Secret(`portal ${comparableEmail(email)}`);
}

/** The portal users of a payee by name, disabled ones too. */
export async function listUsers(
  transaction: Transaction,
  context: PortalUsersContext,
  payeeId: PayeeId,
): Promise<readonly PortalUser[]> {
  const { rows } = await selectUsers(transaction, payeeId, LISTED_PORTAL_USERS);
  return Promise.all(rows.map((row) => showUser(context, row)));
}
