import type { Rows, Transaction } from '../../db/transaction.types.ts';

/** A credential that a sandbox has made by itself and written to `sandbox.json`. */
export interface SandboxCredential {
  /** The command that ends one of its kind. */
  readonly kind: 'access-tokens' | 'oauth-clients' | 'hmac-keys' | 'portal-users';
  readonly id: string;
  readonly payeeId: string;
}

/** Those that are still valid, of all payees. In production there is none: people make all credentials there. */
export async function selectSandboxCredentials(transaction: Transaction): Promise<readonly SandboxCredential[]> {
  const found: Rows<SandboxCredential> = await transaction.run(
    {
      name: 'portal-select-sandbox-credentials',
      text: `
        select kind, id, payee_id as "payeeId"
        from (
          select 'access-tokens' as kind, access_token_id::text as id, payee_id
          from access_token where created_by = 'service' and revoked_at is null and expires_at > kontor_now()
          union all
          select 'oauth-clients', client_id, payee_id
          from oauth_client where created_by = 'service' and revoked_at is null
          union all
          select 'hmac-keys', key_id, payee_id
          from hmac_key where created_by = 'service' and revoked_at is null
            and (expires_at is null or expires_at > kontor_now())
          union all
          select 'portal-users', user_id::text, payee_id
          from portal_user where created_by = 'service' and disabled_at is null
        ) as credential
        order by kind, payee_id, id`,
    },
    [],
  );
  return found.rows;
}
