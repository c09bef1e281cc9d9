import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { resealing } from '../../keys/resealing.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import { newWebhookSecret, type Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { readOverlap } from '../../merchants/access-tokens/credentials.rules.ts';
import type { RotatedSecret } from '../events.types.ts';
import {
  countSigningSecretsOf,
  deleteSigningSecrets,
  expireSigningSecrets,
  insertSigningSecret,
  lockSigningSecretsOf,
  type SecretOwner,
  selectSigningSecrets,
  updateSigningSecrets,
} from './secrets.store.ts';
import { associatedDataOfSigningSecret } from './webhooks.rules.ts';

/** Secrets that a delivery is signed with at most: the newest ones, where one was rotated again and again. */
const SIGNING_SECRETS = 4;

/** Makes a secret beside those that there are. It is kept sealed, bound to its row. */
export async function createSigningSecret(
  transaction: Transaction,
  kontor: Kontor,
  owner: SecretOwner,
): Promise<Secret> {
  const secret = newWebhookSecret();
  const row = { ...owner, secretId: kontor.newId() };
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, kontor.keyRing)).current;
  const sealed = kontor.keyRing.seal(sealedWith, associatedDataOfSigningSecret(row), secret);
  const inserted = await insertSigningSecret(transaction, { ...row, sealed, sealedWith });
  assert(inserted === 1, 'a new secret is one row');
  return secret;
}

/** The secrets that are valid now, the newest first: two while one takes the other's place. */
export async function openSigningSecrets(read: Read, keyRing: KeyRing, owner: SecretOwner): Promise<readonly Secret[]> {
  const { rows } = await selectSigningSecrets(read, owner, SIGNING_SECRETS);
  await holdKeys(
    keyRing,
    rows.map(({ sealed }) => sealed),
  );
  return rows.map((row) => keyRing.open(associatedDataOfSigningSecret(row), row.sealed));
}

/**
 * Puts a new secret in the place of the one that there is, which goes on signing for a while. Earlier ones keep the ends
 * that they have: a caller that repeats a rotation because its answer was lost must not end the secret that receivers
 * know.
 *
 * @param overlap as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `inputerror` for an overlap of another form
 */
export async function rotateSigningSecret(
  transaction: Transaction,
  kontor: Kontor,
  { owner, overlap }: { readonly owner: SecretOwner; readonly overlap: string | undefined },
): Promise<RotatedSecret> {
  const lifetime = readOverlap(overlap);
  await deleteSigningSecrets(transaction, owner, 'Over');
  const { rows } = await expireSigningSecrets(transaction, owner, lifetime);
  const secret = await createSigningSecret(transaction, kontor, owner);
  return { secret, oldExpiresAt: rows[0]?.expiresAt ?? null };
}

/** How signing secrets come to be sealed with another key of the ring when that is rotated. */
export const SIGNING_SECRET_USE = resealing({
  purpose: 'secrets',
  count: countSigningSecretsOf,
  lock: lockSigningSecretsOf,
  update: updateSigningSecrets,
  associatedDataOf: associatedDataOfSigningSecret,
});
