import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { Scope } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Role } from '../../kit/portal-user.ts';
import type { AccessToken, AccessTokenKey, Lifetime, TokenDigest } from '../merchants.types.ts';

/** For whom an access token of the portal is. */
export interface PortalHolder {
  readonly portalSessionId: string;
  readonly role: Role;
  /** Until then the password counts as given a moment ago. */
  readonly reauthenticatedUntil: string;
}

/** A row to be; the database adds its times. */
export interface AccessTokenRow {
  readonly payeeId: PayeeId;
  readonly accessTokenId: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly lifetime: Lifetime;
  readonly oauthClientId: string | null;
  /** The portal session that it is made for and ends with, and whose it is. */
  readonly portal?: PortalHolder;
}

const COLUMNS = `
  payee_id as "payeeId", access_token_id as "accessTokenId", name, scopes, created_at as "createdAt",
  created_by as "createdBy", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_on as "lastUsedOn",
  oauth_client_id as "oauthClientId",
  case when revoked_at is not null then 'Revoked' when expires_at <= kontor_now() then 'Expired' else 'Active' end
    as state`;

/**
 * Finds the tokens that are valid now, by position: expiry and revocation by the database's clock, because instances'
 * clocks differ. For a grouped read.
 */
export const VALID_TOKENS = overRows<TokenDigest>({
  name: 'merchants-find-valid-tokens',
  columns: { secret_hash: ['bytea', 'hash'] },
  text: ({ payee, places }) => `
    select found.access_token_id as "accessTokenId", found.oauth_client_id as "oauthClientId", found.scopes, found.acts_as as "actsAs",
      found.portal_role as role, found.is_reauthenticated as "isReauthenticated", found.used_today as "usedToday",
      found.payee_state as "payeeState", v.position
    from ${places}
    cross join lateral (
      select token.access_token_id, token.oauth_client_id, token.scopes,
        case when token.portal_session_id is not null then token.created_by end as acts_as,
        token.portal_role, coalesce(token.reauthenticated_until > kontor_now(), false) as is_reauthenticated,
        token.last_used_on is not distinct from (kontor_now() at time zone 'UTC')::date as used_today,
        payee.standing as payee_state
      from access_token token
      join payee on payee.payee_id = token.payee_id
      where token.payee_id = ${payee}
        and token.secret_hash = v.secret_hash
        and token.revoked_at is null
        and token.expires_at > kontor_now()
    ) found`,
});

/** Adds a token; its lifetime counts from the database's clock, in UTC. */
export function insertAccessToken(transaction: Transaction, row: AccessTokenRow): Promise<Rows<{ expiresAt: string }>> {
  return transaction.run(
    {
      name: 'merchants-insert-access-token',
      text: `
        insert into access_token (
          payee_id, access_token_id, secret_hash, name, scopes, created_at, created_by, expires_at, oauth_client_id,
          portal_session_id, portal_role, reauthenticated_until
        )
        select $1::uuid, $2::uuid, $3::bytea, $4::text, $5::text[], clock.now, $6::text,
          (clock.now at time zone 'UTC' + make_interval(months => $7::integer, days => $8::integer,
            hours => $9::integer, secs => $10::integer)) at time zone 'UTC',
          $11::text, $12::uuid, $13::text, $14::timestamptz
        from (select kontor_now() as now) clock
        returning expires_at as "expiresAt"`,
    },
    [
      row.payeeId,
      row.accessTokenId,
      row.hash,
      row.name,
      row.scopes,
      row.createdBy,
      row.lifetime.months,
      row.lifetime.days,
      row.lifetime.hours,
      row.lifetime.seconds,
      row.oauthClientId,
      row.portal?.portalSessionId ?? null,
      row.portal?.role ?? null,
      row.portal?.reauthenticatedUntil ?? null,
    ],
  );
}

/** The tokens that people made for this payee, newest first; those of OAuth clients and of the portal come and go. */
export function selectAccessTokens(transaction: Transaction, payeeId: PayeeId): Promise<Rows<AccessToken>> {
  return transaction.run<AccessToken>(
    {
      name: 'merchants-select-access-tokens',
      text: `
        select ${COLUMNS}
        from access_token
        where payee_id = $1::uuid and oauth_client_id is null and portal_session_id is null
        order by created_at desc, access_token_id desc`,
    },
    [payeeId],
  );
}

/** The token with this digest, if it is valid now. */
export function selectValidToken(
  transaction: Transaction,
  token: { payeeId: PayeeId; hash: Buffer },
): Promise<Rows<AccessToken>> {
  return transaction.run<AccessToken>(
    {
      name: 'merchants-select-valid-token',
      text: `
        select ${COLUMNS}
        from access_token
        where payee_id = $1::uuid and secret_hash = $2::bytea and revoked_at is null and expires_at > kontor_now()`,
    },
    [token.payeeId, token.hash],
  );
}

/** Whether there is such a token, whatever its state: one row or none. */
export async function countAccessToken(transaction: Transaction, key: AccessTokenKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-count-access-token',
      text: 'select 1 from access_token where payee_id = $1::uuid and access_token_id = $2::uuid',
    },
    [key.payeeId, key.accessTokenId],
  );
  return count;
}

/** Revokes a token that is not revoked yet: the first time stands. The number of rows is 1 where it did. */
export async function revokeAccessTokenRow(transaction: Transaction, key: AccessTokenKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-access-token',
      text: `
        update access_token
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and access_token_id = $2::uuid and revoked_at is null`,
    },
    [key.payeeId, key.accessTokenId],
  );
  return count;
}

/**
 * Lets a valid token that a person made end when the overlap is over, if it would live longer, and shows what a successor
 * takes over; no row where there is no such token.
 */
export function shortenAccessToken(
  transaction: Transaction,
  key: AccessTokenKey,
  overlap: Lifetime,
): Promise<Rows<{ name: string; scopes: readonly string[]; expiresAt: string }>> {
  return transaction.run(
    {
      name: 'merchants-shorten-access-token',
      text: `
        update access_token
        set expires_at = least(expires_at, greatest(kontor_now(), created_at + interval '1 millisecond') +
          make_interval(days => $3::integer, hours => $4::integer))
        where payee_id = $1::uuid and access_token_id = $2::uuid and revoked_at is null
          and expires_at > kontor_now() and oauth_client_id is null and portal_session_id is null
        returning name, scopes, expires_at as "expiresAt"`,
    },
    [key.payeeId, key.accessTokenId, overlap.days, overlap.hours],
  );
}

/** Revokes the tokens that a client got and that are still valid. */
export async function revokeTokensOfClient(
  transaction: Transaction,
  client: { payeeId: PayeeId; clientId: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-tokens-of-client',
      text: `
        update access_token
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and oauth_client_id = $2::text and revoked_at is null and expires_at > kontor_now()`,
    },
    [client.payeeId, client.clientId],
  );
  return count;
}

/** Revokes all tokens that a payee's programs and pages call with and that are still valid. */
export function revokeAllTokens(
  transaction: Transaction,
  payeeId: PayeeId,
): Promise<Rows<Pick<AccessTokenKey, 'accessTokenId'>>> {
  return transaction.run(
    {
      name: 'merchants-revoke-all-tokens',
      text: `
        update access_token
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and revoked_at is null and expires_at > kontor_now()
        returning access_token_id as "accessTokenId"`,
    },
    [payeeId],
  );
}

/** Revokes what the pages of a payee's own users call with; an operator who looks at the payee goes on. */
export async function revokePageTokens(transaction: Transaction, payeeId: PayeeId): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-page-tokens',
      text: `
        update access_token
        set revoked_at = greatest(kontor_now(), created_at)
        where payee_id = $1::uuid and portal_session_id is not null and portal_role <> 'operator'
          and revoked_at is null and expires_at > kontor_now()`,
    },
    [payeeId],
  );
  return count;
}

/** Revokes the tokens of portal sessions, whichever payee they act for. */
export async function revokeTokensOfPortal(
  transaction: Transaction,
  portalSessionIds: readonly string[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-revoke-tokens-of-portal',
      text: `
        update access_token
        set revoked_at = greatest(kontor_now(), created_at)
        where portal_session_id = any ($1::uuid[]) and revoked_at is null and expires_at > kontor_now()`,
    },
    [portalSessionIds],
  );
  return count;
}

const UPDATE_LAST_USED = overRows<AccessTokenKey>({
  name: 'merchants-update-last-used',
  columns: {
    access_token_id: ['uuid', 'accessTokenId'],
  },
  text: ({ payee, rows }) => `
    update access_token token
    set last_used_on = (kontor_now() at time zone 'UTC')::date
    from (
      select stored.payee_id, stored.access_token_id
      from ${rows}
      join access_token stored on stored.payee_id = ${payee} and stored.access_token_id = v.access_token_id
      where stored.last_used_on is distinct from (kontor_now() at time zone 'UTC')::date
      order by stored.payee_id, stored.access_token_id
      for no key update of stored skip locked
    ) due
    where token.payee_id = due.payee_id and token.access_token_id = due.access_token_id`,
});

/**
 * Notes today as the day of last use. Rows are taken in key order, and a row that another transaction is changing is
 * left to the next use: nothing ever waits for this.
 */
export async function updateLastUsed(transaction: Transaction, keys: readonly AccessTokenKey[]): Promise<number> {
  const { count } = await transaction.run(UPDATE_LAST_USED, UPDATE_LAST_USED.values(keys));
  return count;
}

/** Deletes tokens of OAuth clients and of the portal that expired so many days ago, at most `limit`. */
export async function deleteExpiredTokens(
  transaction: Transaction,
  options: { days: number; limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-delete-expired-tokens',
      text: `
        with old as materialized (
          select payee_id, access_token_id
          from access_token
          where (oauth_client_id is not null or portal_session_id is not null)
            and expires_at < (select kontor_now()) - make_interval(days => $1::integer)
          order by expires_at
          limit $2::integer
          for update skip locked
        )
        delete from access_token
        using old
        where access_token.payee_id = old.payee_id and access_token.access_token_id = old.access_token_id`,
    },
    [options.days, options.limit],
  );
  return count;
}
