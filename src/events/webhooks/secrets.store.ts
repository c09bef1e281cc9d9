import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Lifetime } from '../../merchants/merchants.types.ts';
import type { SealedSigningSecret, WebhookId } from '../events.types.ts';

/** Whose secret: a webhook's, or null for the callbacks of the payee's payments. */
export interface SecretOwner {
  readonly payeeId: PayeeId;
  readonly webhookId: WebhookId | null;
}

/** Adds a secret; the number of rows is 1. */
export async function insertSigningSecret(
  transaction: Transaction,
  secret: SealedSigningSecret & SecretOwner & { readonly sealedWith: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'events-insert-signing-secret',
      text: `
        insert into signing_secret (payee_id, secret_id, webhook_id, sealed, sealed_with)
        values ($1::uuid, $2::uuid, $3::uuid, $4::bytea, $5::text)`,
    },
    [secret.payeeId, secret.secretId, secret.webhookId, secret.sealed, secret.sealedWith],
  );
  return count;
}

/** The secrets that are valid now, the newest first, so many at most. */
export function selectSigningSecrets(
  read: Read,
  owner: SecretOwner,
  limit: number,
): Promise<Rows<SealedSigningSecret>> {
  return read<SealedSigningSecret>(
    {
      name: 'events-select-signing-secrets',
      text: `
        select payee_id as "payeeId", secret_id as "secretId", sealed
        from signing_secret
        where payee_id = $1::uuid and webhook_id is not distinct from $2::uuid
          and (expires_at is null or expires_at > kontor_now())
        order by created_at desc, secret_id desc limit $3::integer`,
    },
    [owner.payeeId, owner.webhookId, limit],
  );
}

/** Deletes the secrets of an owner that are over, or all of them. */
export async function deleteSigningSecrets(
  transaction: Transaction,
  owner: SecretOwner,
  which: 'Over' | 'All',
): Promise<void> {
  await transaction.run(
    {
      name: 'events-delete-signing-secrets',
      text: `
        delete from signing_secret
        where payee_id = $1::uuid and webhook_id is not distinct from $2::uuid
          and ($3::text = 'All' or expires_at <= (select kontor_now()))`,
    },
    [owner.payeeId, owner.webhookId, which],
  );
}

/** Gives the secret that has no end yet one, after the overlap; the end, or no row. Earlier ones keep theirs. */
export function expireSigningSecrets(
  transaction: Transaction,
  owner: SecretOwner,
  overlap: Lifetime,
): Promise<Rows<{ expiresAt: string }>> {
  return transaction.run(
    {
      name: 'events-expire-signing-secrets',
      text: `
        update signing_secret
        set expires_at = greatest(kontor_now(), created_at) + make_interval(days => $3::integer, hours => $4::integer)
        where payee_id = $1::uuid and webhook_id is not distinct from $2::uuid and expires_at is null
        returning expires_at as "expiresAt"`,
    },
    [owner.payeeId, owner.webhookId, overlap.days, overlap.hours],
  );
}

/** Waits for others that make or change the callback secret of the payee. */
export async function lockCallbackSecret(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'events-lock-callback-secret',
      text: `select pg_advisory_xact_lock(hashtextextended('callback secret ' || $1::text, 0))`,
    },
    [payeeId],
  );
}

/** How many secrets are sealed with a key of the ring. */
export async function countSigningSecretsOf(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ secrets: number }>(
    {
      name: 'events-count-signing-secrets',
      text: 'select count(*) as secrets from signing_secret where sealed_with = $1::text',
    },
    [keyId],
  );
  return rows[0]?.secrets ?? 0;
}

/**
 * Locks some secrets that are sealed with a key of the ring; those that another transaction has locked are left out.
 */
export function lockSigningSecretsOf(
  transaction: Transaction,
  keyId: KeyId,
  limit: number,
): Promise<Rows<SealedSigningSecret>> {
  return transaction.run<SealedSigningSecret>(
    {
      name: 'events-lock-signing-secrets',
      text: `
        select payee_id as "payeeId", secret_id as "secretId", sealed
        from signing_secret where sealed_with = $1::text
        order by payee_id, secret_id limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SIGNING_SECRETS = overRows<SealedSigningSecret, [from: KeyId, to: KeyId]>({
  name: 'events-update-signing-secrets',
  beside: 2,
  columns: {
    secret_id: ['uuid', 'secretId'],
    sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update signing_secret
    set sealed = v.sealed, sealed_with = $2::text
    from ${rows}
    where signing_secret.payee_id = ${payee} and signing_secret.secret_id = v.secret_id
      and signing_secret.sealed_with = $1::text`,
});

/** Stores secrets that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSigningSecrets(
  transaction: Transaction,
  secrets: readonly SealedSigningSecret[],
  change: { readonly from: KeyId; readonly to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SIGNING_SECRETS,
    UPDATE_SIGNING_SECRETS.values(secrets, change.from, change.to),
  );
  return count;
}
