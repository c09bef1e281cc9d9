import { overRows } from '../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Role } from '../kit/portal-user.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/** A user as they are stored. */
export interface UserRow extends PortalUserKey {
  readonly name: string;
  readonly role: Role;
  readonly emailSealed: Buffer;
  readonly passwordHash: string | null;
  readonly hasSecondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly lastSignInAt: string | null;
  readonly disabledAt: string | null;
  /** When too many wrong codes had come with the right password. */
  readonly closedAt: string | null;
  readonly invitationExpiresAt: string | null;
}

const USERS = `
  select u.payee_id as "payeeId", u.user_id as "userId", u.name, u.role, u.email_sealed as "emailSealed",
    u.password_hash as "passwordHash", u.created_at as "createdAt", u.created_by as "createdBy",
    u.last_sign_in_at as "lastSignInAt", u.disabled_at as "disabledAt",
    (
      select closed_at from portal_user_watch w where w.payee_id = u.payee_id and w.user_id = u.user_id
    ) as "closedAt",
    exists (
      select from portal_second_factor f
      where f.payee_id = u.payee_id and f.user_id = u.user_id and f.state = 'Confirmed'
    ) as "hasSecondFactor",
    coalesce((
      select cardinality(recovery_digests) from portal_second_factor f
      where f.payee_id = u.payee_id and f.user_id = u.user_id and f.state = 'Confirmed'
    ), 0) as "recoveryCodesLeft",
    (
      select expires_at from portal_invitation i
      where i.payee_id = u.payee_id and i.user_id = u.user_id and i.expires_at > kontor_now()
    ) as "invitationExpiresAt"
  from portal_user u`;

/** The user of an e-mail address, by its digests; no row where no user has it. */
export function selectUserByEmail(transaction: Transaction, emailDigests: readonly Buffer[]): Promise<Rows<UserRow>> {
  return transaction.run<UserRow>(
    {
      name: 'portal-users-select-user-by-email',
      text: `${USERS}
        join portal_login login using (payee_id, user_id)
        where login.email_digest = any ($1::bytea[])`,
    },
    [emailDigests],
  );
}

/** A user of a payee; no row where the payee has none of this id. */
export function selectUser(transaction: Transaction, key: PortalUserKey): Promise<Rows<UserRow>> {
  return transaction.run<UserRow>(
    {
      name: 'portal-users-select-user',
      text: `${USERS}
        where u.payee_id = $1::uuid and u.user_id = $2::uuid`,
    },
    [key.payeeId, key.userId],
  );
}

/** The users of a payee, by name. */
export function selectUsers(transaction: Transaction, payeeId: PayeeId, limit: number): Promise<Rows<UserRow>> {
  return transaction.run<UserRow>(
    {
      name: 'portal-users-select-users',
      text: `${USERS}
        where u.payee_id = $1::uuid
        order by lower(u.name), u.user_id
        limit $2::integer`,
    },
    [payeeId, limit],
  );
}

/** Locks a user's row until the transaction ends: signing in and changes of the user wait for each other. */
export async function lockUser(transaction: Transaction, key: PortalUserKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-lock-user',
      text: 'select 1 from portal_user where payee_id = $1::uuid and user_id = $2::uuid for no key update',
    },
    [key.payeeId, key.userId],
  );
  return count;
}

/** Adds a user; the number of rows is 1. */
export async function insertUser(
  transaction: Transaction,
  user: PortalUserKey & Pick<UserRow, 'name' | 'role' | 'emailSealed' | 'createdBy'> & { sealedWith: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-insert-user',
      text: `
        insert into portal_user (payee_id, user_id, name, role, email_sealed, sealed_with, created_by)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::bytea, $6::text, $7::text)`,
    },
    [user.payeeId, user.userId, user.name, user.role, user.emailSealed, user.sealedWith, user.createdBy],
  );
  return count;
}

/** Lets an e-mail address lead to a user; the number of rows is 0 where it leads to another one. */
export async function insertLogin(
  transaction: Transaction,
  key: PortalUserKey,
  { digest, keyId }: { readonly digest: Buffer; readonly keyId: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-insert-login',
      text: `
        insert into portal_login (email_digest, email_key_id, payee_id, user_id)
        values ($3::bytea, $4::text, $1::uuid, $2::uuid)
        on conflict (email_digest) do nothing`,
    },
    [key.payeeId, key.userId, digest, keyId],
  );
  return count;
}

/** The hash of a user's password, if there is one, and of the three before it. */
export function selectPasswords(
  transaction: Transaction,
  key: PortalUserKey,
): Promise<Rows<{ hashes: readonly string[] }>> {
  return transaction.run(
    {
      name: 'portal-users-select-passwords',
      text: `
        select array_remove(array_prepend(password_hash, former_password_hashes), null) as hashes
        from portal_user
        where payee_id = $1::uuid and user_id = $2::uuid`,
    },
    [key.payeeId, key.userId],
  );
}

/** Gives a user a password; the one before is remembered, and the two before that. */
export async function updatePassword(
  transaction: Transaction,
  key: PortalUserKey,
  passwordHash: string,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-password',
      text: `
        update portal_user
        set password_hash = $3::text,
          former_password_hashes = case
            when password_hash is null then former_password_hashes
            else (array_prepend(password_hash, former_password_hashes))[1:3]
          end
        where payee_id = $1::uuid and user_id = $2::uuid`,
    },
    [key.payeeId, key.userId, passwordHash],
  );
  return count;
}

/** Gives a user another name and role. */
export async function updateUser(
  transaction: Transaction,
  { payeeId, userId, name, role }: PortalUserKey & Pick<UserRow, 'name' | 'role'>,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-user',
      text: `
        update portal_user set name = $3::text, role = $4::text
        where payee_id = $1::uuid and user_id = $2::uuid`,
    },
    [payeeId, userId, name, role],
  );
  return count;
}

/** Keeps a user from signing in, or lets them again. The first time stands. */
export async function updateDisabled(
  transaction: Transaction,
  key: PortalUserKey,
  isDisabled: boolean,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-disabled',
      text: `
        update portal_user
        set disabled_at = case when $3::boolean then coalesce(disabled_at, greatest(kontor_now(), created_at, last_sign_in_at)) end
        where payee_id = $1::uuid and user_id = $2::uuid`,
    },
    [key.payeeId, key.userId, isDisabled],
  );
  return count;
}

/** Notes that a user signs in now. */
export async function updateLastSignIn(transaction: Transaction, key: PortalUserKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-last-sign-in',
      text: `
        update portal_user set last_sign_in_at = greatest(kontor_now(), created_at, last_sign_in_at)
        where payee_id = $1::uuid and user_id = $2::uuid`,
    },
    [key.payeeId, key.userId],
  );
  return count;
}

/** The e-mail address of one user, sealed for its row. */
export interface SealedEmail extends PortalUserKey {
  readonly sealed: Buffer;
}

/** How many addresses are sealed with a key of the ring. */
export async function countEmailsSealedWith(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ users: number }>(
    {
      name: 'portal-users-count-emails-sealed-with',
      text: 'select count(*) as users from portal_user where sealed_with = $1::text',
    },
    [keyId],
  );
  return rows[0]?.users ?? 0;
}

/**
 * Locks some addresses that are sealed with a key of the ring; those that another transaction has locked are left out.
 */
export function lockEmailsSealedWith(
  transaction: Transaction,
  keyId: KeyId,
  limit: number,
): Promise<Rows<SealedEmail>> {
  return transaction.run<SealedEmail>(
    {
      name: 'portal-users-lock-emails-sealed-with',
      text: `
        select payee_id as "payeeId", user_id as "userId", email_sealed as sealed
        from portal_user
        where sealed_with = $1::text
        order by payee_id, user_id
        limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SEALED_EMAILS = overRows<SealedEmail, [from: KeyId, to: KeyId]>({
  name: 'portal-users-update-sealed-emails',
  beside: 2,
  columns: {
    user_id: ['uuid', 'userId'],
    email_sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update portal_user
    set email_sealed = v.email_sealed, sealed_with = $2::text
    from ${rows}
    where portal_user.payee_id = ${payee}
      and portal_user.user_id = v.user_id
      and portal_user.sealed_with = $1::text`,
});

/** Stores addresses that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSealedEmails(
  transaction: Transaction,
  emails: readonly SealedEmail[],
  change: { from: KeyId; to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SEALED_EMAILS,
    UPDATE_SEALED_EMAILS.values(emails, change.from, change.to),
  );
  return count;
}
