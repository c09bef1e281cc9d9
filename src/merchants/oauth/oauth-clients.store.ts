import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { Scope } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { EXPIRING_DAYS } from '../../kit/limits.ts';
import type { Lifetime, OAuthClient, OAuthClientKey } from '../merchants.types.ts';

/** A row to be; the database adds its time. */
export interface OAuthClientRow {
  readonly payeeId: PayeeId;
  readonly clientId: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Words that mean all of these. */
  readonly scopeAliases: readonly string[];
  readonly createdBy: string;
  readonly lifetime: Lifetime;
}

/** Adds a client; its lifetime counts from the database's clock, in UTC. */
export function insertOAuthClient(transaction: Transaction, row: OAuthClientRow): Promise<Rows<{ expiresAt: string }>> {
  const { months, days, hours, seconds } = row.lifetime;
  return transaction.run(
    {
      name: 'merchants-insert-oauth-client',
      text: `
        insert into oauth_client
          (payee_id, client_id, secret_hash, name, scopes, scope_aliases, created_at, created_by, expires_at)
        select $1::uuid, $2::text, $3::bytea, $4::text, $5::text[], $6::text[], clock.now, $7::text,
          (clock.now at time zone 'UTC' + make_interval(months => $8::integer, days => $9::integer,
            hours => $10::integer, secs => $11::integer)) at time zone 'UTC'
        from (select kontor_now() as now) clock
        returning expires_at as "expiresAt"`,
    },
    [
      row.payeeId,
      row.clientId,
      row.hash,
      row.name,
      row.scopes,
      row.scopeAliases,
      row.createdBy,
      months,
      days,
      hours,
      seconds,
    ],
  );
}

/** The clients of a payee, newest first. */
export function selectOAuthClients(transaction: Transaction, payeeId: PayeeId): Promise<Rows<OAuthClient>> {
  return transaction.run<OAuthClient>(
    {
      name: 'merchants-select-oauth-clients',
      text: `
        select payee_id as "payeeId", client_id as "clientId", name, scopes, scope_aliases as "scopeAliases",
          created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_on as "lastUsedOn",
          case
            when revoked_at is not null then 'Revoked'
            when expires_at <= kontor_now() then 'Expired'
            when expires_at <= kontor_now() + make_interval(days => $2::integer) then 'Expiring'
            else 'Active'
          end as state
        from oauth_client
        where payee_id = $1::uuid
        order by created_at desc, client_id`,
    },
    [payeeId, EXPIRING_DAYS],
  );
}

/**
 * A client that may still authenticate. Its row is shared until the transaction ends, so that a revocation at the same
 * moment waits and then finds the token that this transaction makes.
 */
export function lockActiveClient(
  transaction: Transaction,
  key: OAuthClientKey,
): Promise<Rows<{ hash: Buffer; scopes: readonly string[]; scopeAliases: readonly string[]; usedToday: boolean }>> {
  return transaction.run(
    {
      name: 'merchants-select-active-client',
      text: `
        select secret_hash as hash, scopes, scope_aliases as "scopeAliases",
          last_used_on is not distinct from (kontor_now() at time zone 'UTC')::date as "usedToday"
        from oauth_client
        where payee_id = $1::uuid and client_id = $2::text and revoked_at is null
          and (expires_at is null or expires_at > kontor_now())
        for share`,
    },
    [key.payeeId, key.clientId],
  );
}

/**
 * Notes today as the day of a client's last use. Where another transaction holds the row, that is left to the next use:
 * nothing ever waits for this.
 */
export async function updateClientLastUsed(transaction: Transaction, key: OAuthClientKey): Promise<void> {
  await transaction.run(
    {
      name: 'merchants-update-client-last-used',
      text: `
        update oauth_client client
        set last_used_on = (kontor_now() at time zone 'UTC')::date
        from (
          select payee_id, client_id from oauth_client
          where payee_id = $1::uuid and client_id = $2::text
          for no key update skip locked
        ) due
        where client.payee_id = due.payee_id and client.client_id = due.client_id`,
    },
    [key.payeeId, key.clientId],
  );
}

/** Whether there is such a client, revoked or not: one row or none. */
export async function countOAuthClient(transaction: Transaction, key: OAuthClientKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-count-oauth-client',
      text: 'select 1 from oauth_client where payee_id = $1::uuid and client_id = $2::text',
    },
    [key.payeeId, key.clientId],
  );
  return count;
}

/** Revokes a client that is not revoked yet: the first time stands. The number of rows is 1 where it did. */
export async function revokeOAuthClientRow(transaction: Transaction, key: OAuthClientKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-oauth-client',
      text: `
        update oauth_client
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and client_id = $2::text and revoked_at is null`,
    },
    [key.payeeId, key.clientId],
  );
  return count;
}

/** Revokes all clients of a payee that are not revoked yet. */
export function revokeAllOAuthClients(
  transaction: Transaction,
  payeeId: PayeeId,
): Promise<Rows<Pick<OAuthClientKey, 'clientId'>>> {
  return transaction.run(
    {
      name: 'merchants-revoke-all-oauth-clients',
      text: `
        update oauth_client
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and revoked_at is null
        returning client_id as "clientId"`,
    },
    [payeeId],
  );
}
