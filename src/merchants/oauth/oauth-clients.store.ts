import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { Scope } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OAuthClient, OAuthClientKey } from '../merchants.types.ts';

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
}

/** Adds a client; the number of rows is 1. */
export async function insertOAuthClient(transaction: Transaction, row: OAuthClientRow): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-insert-oauth-client',
      text: `
        insert into oauth_client (payee_id, client_id, secret_hash, name, scopes, scope_aliases, created_by)
        values ($1::uuid, $2::text, $3::bytea, $4::text, $5::text[], $6::text[], $7::text)`,
    },
    [row.payeeId, row.clientId, row.hash, row.name, row.scopes, row.scopeAliases, row.createdBy],
  );
  return count;
}

/** The clients of a payee, newest first. */
export function selectOAuthClients(transaction: Transaction, payeeId: PayeeId): Promise<Rows<OAuthClient>> {
  return transaction.run<OAuthClient>(
    {
      name: 'merchants-select-oauth-clients',
      text: `
        select payee_id as "payeeId", client_id as "clientId", name, scopes, scope_aliases as "scopeAliases",
          created_at as "createdAt", revoked_at as "revokedAt"
        from oauth_client
        where payee_id = $1::uuid
        order by created_at desc, client_id`,
    },
    [payeeId],
  );
}

/**
 * A client that may still authenticate. Its row is shared until the transaction ends, so that a revocation at the same
 * moment waits and then finds the token that this transaction makes.
 */
export function lockActiveClient(
  transaction: Transaction,
  key: OAuthClientKey,
): Promise<Rows<{ hash: Buffer; scopes: readonly string[]; scopeAliases: readonly string[] }>> {
  return transaction.run(
    {
      name: 'merchants-select-active-client',
      text: `
        select secret_hash as hash, scopes, scope_aliases as "scopeAliases"
        from oauth_client
        where payee_id = $1::uuid and client_id = $2::text and revoked_at is null
        for share`,
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
