import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { FoundCredential, TriedCredential } from './merchants.types.ts';

/** A credential that was found, by its place among those that were tried, from 1. */
type FoundAt = FoundCredential & { readonly position: number };

/** The access tokens with these digests, whatever became of them. */
export function selectTriedTokens(transaction: Transaction, tried: readonly TriedCredential[]): Promise<Rows<FoundAt>> {
  return transaction.run<FoundAt>(
    {
      name: 'merchants-select-tried-tokens',
      text: `
        select token.access_token_id as id, tried.position::integer as position,
          case when token.revoked_at is not null then 'Revoked' when token.expires_at <= kontor_now() then 'Expired'
            else 'Active' end as state
        from unnest($1::uuid[], $2::bytea[]) with ordinality as tried (payee_id, secret_hash, position)
        join access_token token using (payee_id, secret_hash)`,
    },
    [tried.map(({ payeeId }) => payeeId), tried.map(({ name }) => name)],
  );
}

/** The OAuth clients that there are of these, revoked or not. */
export function selectTriedClients(
  transaction: Transaction,
  tried: readonly TriedCredential[],
): Promise<Rows<FoundAt>> {
  return transaction.run<FoundAt>(
    {
      name: 'merchants-select-tried-clients',
      text: `
        select client.client_id as id, tried.position::integer as position,
          case when client.revoked_at is null then 'Active' else 'Revoked' end as state
        from unnest($1::uuid[], $2::text[]) with ordinality as tried (payee_id, client_id, position)
        join oauth_client client using (payee_id, client_id)`,
    },
    [tried.map(({ payeeId }) => payeeId), tried.map(({ name }) => name)],
  );
}
