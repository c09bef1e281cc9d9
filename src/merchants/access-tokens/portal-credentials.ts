import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor, type Scope } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { associatedDataOfSecret } from '../hmac-keys/hmac-keys.rules.ts';
import { insertHmacKey, revokeKeysOfPortal } from '../hmac-keys/hmac-keys.store.ts';
import type { FreshHmacKey } from '../hmac-keys/hmac-keys.ts';
import { composeAccessToken } from './access-tokens.rules.ts';
import { insertAccessToken, type PortalHolder, revokeTokensOfPortal } from './access-tokens.store.ts';
import { seconds } from './credentials.rules.ts';

/** What a page of the portal calls the API with for some minutes. */
export interface PortalCredentials {
  readonly accessToken: Secret;
  readonly expiresAt: string;
  readonly scopes: readonly Scope[];
  readonly hmac: FreshHmacKey;
}

/** For whom, and for how long at most: until the session that they are made for is over. */
export interface NewPortalCredentials extends PortalHolder {
  readonly payeeId: PayeeId;
  readonly lifeSeconds: number;
  readonly scopes: readonly Scope[];
  /** The user: the audit trail names them for whatever is done with the access token. */
  readonly actor: Actor;
}

/**
 * Creates the credentials of a portal session: an access token with the scopes of its user, and an HMAC key to sign with.
 * So the portal is a client like any other. They cannot be listed or rotated.
 */
export async function createPortalCredentials(
  transaction: Transaction,
  context: Kontor,
  command: NewPortalCredentials,
): Promise<PortalCredentials> {
  const { payeeId, portalSessionId, role, reauthenticatedUntil, lifeSeconds, scopes, actor } = command;
  const accessTokenId = context.newId();
  const accessToken = composeAccessToken(context.config.mode, payeeId, context.newSecret());
  const { rows } = await insertAccessToken(transaction, {
    payeeId,
    accessTokenId,
    hash: sha256(accessToken),
    name: 'Portal',
    scopes,
    createdBy: nameOfActor(actor),
    lifetime: seconds(lifeSeconds),
    oauthClientId: null,
    portal: { portalSessionId, role, reauthenticatedUntil },
  });
  const [inserted] = rows;
  assert(inserted, 'a new access token is one row');
  const hmac = await createKey(transaction, context, command);
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-portal-credentials',
      objectId: accessTokenId,
      details: { scopes: scopes.join(' '), expiresAt: inserted.expiresAt, hmacKey: hmac.user },
    },
  ]);
  return { accessToken: new Secret(accessToken), expiresAt: inserted.expiresAt, scopes, hmac };
}

async function createKey(
  transaction: Transaction,
  context: Kontor,
  { payeeId, portalSessionId, lifeSeconds, actor }: NewPortalCredentials,
): Promise<FreshHmacKey> {
  const keyId = `hk_${context.newSecret().slice(-16)}`;
  const secret = new Secret(`hs_${context.newSecret()}`);
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const sealed = context.keyRing.seal(sealedWith, associatedDataOfSecret({ payeeId, keyId }), secret);
  const lifetime = seconds(lifeSeconds);
  const key = { payeeId, keyId, sealed, sealedWith, createdBy: nameOfActor(actor), lifetime, portalSessionId };
  const { rows } = await insertHmacKey(transaction, key);
  const [inserted] = rows;
  assert(inserted, 'a new HMAC key is one row');
  return { user: keyId, secret, expiresAt: inserted.expiresAt };
}

/** Revokes what portal sessions that are over called the API with. */
export async function revokePortalCredentials(
  transaction: Transaction,
  sessions: readonly { readonly portalSessionId: string }[],
): Promise<void> {
  const ids = sessions.map(({ portalSessionId }) => portalSessionId);
  if (ids.length === 0) return;
  await revokeTokensOfPortal(transaction, ids);
  await revokeKeysOfPortal(transaction, ids);
}
