import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { EXPIRING_DAYS } from '../../kit/limits.ts';
import type { HmacKey, HmacKeyName, Lifetime } from '../merchants.types.ts';

/** The secret of one HMAC key, sealed for its row. */
export interface SealedSecret extends HmacKeyName {
  readonly sealed: Buffer;
}

/**
 * Finds the sealed secrets of keys that are valid now, by position: expiry and revocation by the database's clock. Whether
 * their use of today is noted: that of keys of the portal's pages is not. For a grouped read.
 */
export const VALID_SECRETS = overRows<HmacKeyName>({
  name: 'merchants-find-valid-secrets',
  columns: { key_id: ['text', 'keyId'] },
  text: ({ payee, places }) => `
    select found.secret_sealed as sealed, found.is_noted as "isNoted", v.position
    from ${places}
    cross join lateral (
      select key.secret_sealed,
        key.portal_session_id is not null or key.last_used_on is not distinct from (kontor_now() at time zone 'UTC')::date as is_noted
      from hmac_key key
      where key.payee_id = ${payee}
        and key.key_id = v.key_id
        and key.revoked_at is null
        and (key.expires_at is null or key.expires_at > kontor_now())
    ) found`,
});

/** A row to be; the database adds its times. */
export interface HmacKeyRow extends SealedSecret {
  readonly sealedWith: KeyId;
  readonly createdBy: string;
  readonly lifetime: Lifetime;
  /** The portal session that it is made for and ends with. */
  readonly portalSessionId?: string;
}

/** Adds a key; its lifetime counts from the database's clock, in UTC. */
export function insertHmacKey(transaction: Transaction, key: HmacKeyRow): Promise<Rows<{ expiresAt: string }>> {
  const { months, days, hours, seconds } = key.lifetime;
  return transaction.run(
    {
      name: 'merchants-insert-hmac-key',
      text: `
        insert into hmac_key
          (payee_id, key_id, secret_sealed, sealed_with, created_at, created_by, expires_at, portal_session_id)
        select $1::uuid, $2::text, $3::bytea, $4::text, clock.now, $5::text,
          (clock.now at time zone 'UTC' + make_interval(months => $6::integer, days => $7::integer,
            hours => $8::integer, secs => $9::integer)) at time zone 'UTC',
          $10::uuid
        from (select kontor_now() as now) clock
        returning expires_at as "expiresAt"`,
    },
    [
      key.payeeId,
      key.keyId,
      key.sealed,
      key.sealedWith,
      key.createdBy,
      months,
      days,
      hours,
      seconds,
      key.portalSessionId ?? null,
    ],
  );
}

/** The keys of a payee but those of the portal, newest first. */
export function selectHmacKeys(transaction: Transaction, payeeId: PayeeId): Promise<Rows<HmacKey>> {
  return transaction.run<HmacKey>(
    {
      name: 'merchants-select-hmac-keys',
      text: `
        select payee_id as "payeeId", key_id as "keyId", created_at as "createdAt", expires_at as "expiresAt",
          revoked_at as "revokedAt", last_used_on as "lastUsedOn",
          case
            when revoked_at is not null then 'Revoked'
            when expires_at <= kontor_now() then 'Expired'
            when rotated_at is not null or expires_at <= kontor_now() + make_interval(days => $2::integer) then 'Expiring'
            else 'Active'
          end as state
        from hmac_key
        where payee_id = $1::uuid and portal_session_id is null
        order by created_at desc, key_id`,
    },
    [payeeId, EXPIRING_DAYS],
  );
}

/** The sealed secret of a key that is valid now, or none. */
export function selectSealedSecret(transaction: Transaction, key: HmacKeyName): Promise<Rows<{ sealed: Buffer }>> {
  return transaction.run(
    {
      name: 'merchants-select-sealed-secret',
      text: `
        select secret_sealed as sealed
        from hmac_key
        where payee_id = $1::uuid and key_id = $2::text and revoked_at is null
          and (expires_at is null or expires_at > kontor_now())`,
    },
    [key.payeeId, key.keyId],
  );
}

/**
 * Lets a valid key that was not rotated yet end when the overlap is over, if it would live longer, by the database's clock;
 * its end, or no row.
 */
export function expireHmacKey(
  transaction: Transaction,
  key: HmacKeyName,
  overlap: Lifetime,
): Promise<Rows<{ expiresAt: string }>> {
  return transaction.run(
    {
      name: 'merchants-expire-hmac-key',
      text: `
        update hmac_key
        set expires_at = least(expires_at, greatest(kontor_now(), created_at + interval '1 millisecond') +
          make_interval(days => $3::integer, hours => $4::integer)), rotated_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and key_id = $2::text and revoked_at is null
          and rotated_at is null
          and (expires_at is null or expires_at > kontor_now()) and portal_session_id is null
        returning expires_at as "expiresAt"`,
    },
    [key.payeeId, key.keyId, overlap.days, overlap.hours],
  );
}

const UPDATE_LAST_USED = overRows<HmacKeyName>({
  name: 'merchants-update-key-last-used',
  columns: { key_id: ['text', 'keyId'] },
  text: ({ payee, rows }) => `
    update hmac_key key
    set last_used_on = (kontor_now() at time zone 'UTC')::date
    from (
      select stored.payee_id, stored.key_id
      from ${rows}
      join hmac_key stored on stored.payee_id = ${payee} and stored.key_id = v.key_id
      where stored.last_used_on is distinct from (kontor_now() at time zone 'UTC')::date
      order by stored.payee_id, stored.key_id
      for no key update of stored skip locked
    ) due
    where key.payee_id = due.payee_id and key.key_id = due.key_id`,
});

/** Notes today as the day of last use, as for access tokens: nothing ever waits for this. */
export async function updateKeysLastUsed(transaction: Transaction, keys: readonly HmacKeyName[]): Promise<number> {
  const { count } = await transaction.run(UPDATE_LAST_USED, UPDATE_LAST_USED.values(keys));
  return count;
}

/** Whether there is such a key, in whatever state: one row or none. */
export async function countHmacKey(transaction: Transaction, key: HmacKeyName): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-count-hmac-key',
      text: 'select 1 from hmac_key where payee_id = $1::uuid and key_id = $2::text',
    },
    [key.payeeId, key.keyId],
  );
  return count;
}

/** Revokes a key that is not revoked yet: the first time stands. The number of rows is 1 where it did. */
export async function revokeHmacKeyRow(transaction: Transaction, key: HmacKeyName): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-hmac-key',
      text: `
        update hmac_key
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and key_id = $2::text and revoked_at is null`,
    },
    [key.payeeId, key.keyId],
  );
  return count;
}

/** Revokes the keys of portal sessions, whichever payee they sign for. */
export async function revokeKeysOfPortal(
  transaction: Transaction,
  portalSessionIds: readonly string[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-keys-of-portal',
      text: `
        update hmac_key
        set revoked_at = greatest(kontor_now(), created_at)
        where portal_session_id = any ($1::uuid[]) and revoked_at is null and expires_at > kontor_now()`,
    },
    [portalSessionIds],
  );
  return count;
}

/** Deletes keys of the portal that expired so many days ago, at most `limit`. */
export async function deleteExpiredKeys(
  transaction: Transaction,
  options: { days: number; limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-delete-expired-keys',
      text: `
        with old as materialized (
          select payee_id, key_id
          from hmac_key
          where portal_session_id is not null and expires_at < (select kontor_now()) - make_interval(days => $1::integer)
          order by expires_at
          limit $2::integer
          for update skip locked
        )
        delete from hmac_key
        using old
        where hmac_key.payee_id = old.payee_id and hmac_key.key_id = old.key_id`,
    },
    [options.days, options.limit],
  );
  return count;
}

/** How many secrets are sealed with a key of the ring. */
export async function countSealedWith(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ secrets: number }>(
    {
      name: 'merchants-count-sealed-with',
      text: 'select count(*) as secrets from hmac_key where sealed_with = $1::text',
    },
    [keyId],
  );
  return rows[0]?.secrets ?? 0;
}

/**
 * Locks some secrets that are sealed with a key of the ring; those that another transaction has locked are left out.
 */
export function lockSealedWith(transaction: Transaction, keyId: KeyId, limit: number): Promise<Rows<SealedSecret>> {
  return transaction.run<SealedSecret>(
    {
      name: 'merchants-lock-sealed-with',
      text: `
        select payee_id as "payeeId", key_id as "keyId", secret_sealed as sealed
        from hmac_key
        where sealed_with = $1::text
        order by payee_id, key_id
        limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SEALED_SECRETS = overRows<SealedSecret, [from: KeyId, to: KeyId]>({
  name: 'merchants-update-sealed-secrets',
  beside: 2,
  columns: {
    key_id: ['text', 'keyId'],
    secret_sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update hmac_key
    set secret_sealed = v.secret_sealed, sealed_with = $2::text
    from ${rows}
    where hmac_key.payee_id = ${payee}
      and hmac_key.key_id = v.key_id
      and hmac_key.sealed_with = $1::text`,
});

/** Stores secrets that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSealedSecrets(
  transaction: Transaction,
  secrets: readonly SealedSecret[],
  change: { from: KeyId; to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SEALED_SECRETS,
    UPDATE_SEALED_SECRETS.values(secrets, change.from, change.to),
  );
  return count;
}

/** Revokes all keys of a payee that are valid now. */
export function revokeAllHmacKeys(
  transaction: Transaction,
  payeeId: PayeeId,
): Promise<Rows<Pick<HmacKeyName, 'keyId'>>> {
  return transaction.run(
    {
      name: 'merchants-revoke-all-hmac-keys',
      text: `
        update hmac_key
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and revoked_at is null and (expires_at is null or expires_at > kontor_now())
        returning key_id as "keyId"`,
    },
    [payeeId],
  );
}
