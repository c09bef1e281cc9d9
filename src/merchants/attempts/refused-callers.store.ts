import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { FoundCredential, TriedCredential } from '../merchants.types.ts';

/** A credential that was found, by its place among those that were tried, from 1. */
type FoundAt = FoundCredential & { readonly position: number };

const SELECT_TRIED_TOKENS = overRows<TriedCredential>({
  name: 'merchants-select-tried-tokens',
  columns: {
    digest: ['text', 'name'],
  },
  text: ({ payee, places }) => `
    select token.access_token_id as id, v.position::integer as position,
      case when token.revoked_at is not null then 'Revoked' when token.expires_at <= kontor_now() then 'Expired'
        else 'Active' end as state
    from ${places}
    join access_token token on token.payee_id = ${payee} and token.secret_hash = v.digest::bytea`,
});

/** The access tokens with these digests, whatever became of them. */
export function selectTriedTokens(transaction: Transaction, tried: readonly TriedCredential[]): Promise<Rows<FoundAt>> {
  return transaction.run<FoundAt>(SELECT_TRIED_TOKENS, SELECT_TRIED_TOKENS.values(tried));
}

const SELECT_TRIED_CLIENTS = overRows<TriedCredential>({
  name: 'merchants-select-tried-clients',
  columns: {
    client_id: ['text', 'name'],
  },
  text: ({ payee, places }) => `
    select client.client_id as id, v.position::integer as position,
      case when client.revoked_at is not null then 'Revoked' when client.expires_at <= kontor_now() then 'Expired'
        else 'Active' end as state
    from ${places}
    join oauth_client client on client.payee_id = ${payee} and client.client_id = v.client_id`,
});

/** The OAuth clients that there are of these, revoked or not. */
export function selectTriedClients(
  transaction: Transaction,
  tried: readonly TriedCredential[],
): Promise<Rows<FoundAt>> {
  return transaction.run<FoundAt>(SELECT_TRIED_CLIENTS, SELECT_TRIED_CLIENTS.values(tried));
}
