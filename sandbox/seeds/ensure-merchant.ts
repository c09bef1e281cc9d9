import type { Transaction } from '../../src/db/transaction.types.ts';
import { assert } from '../../src/kit/assert.ts';
import { type Actor, SCOPES } from '../../src/kit/caller.ts';
import { OPERATOR, type PayeeId, parsePayeeId } from '../../src/kit/ids.ts';
import { equalDigests, sha256 } from '../../src/kit/secret.ts';
import type { Kontor } from '../../src/kontor.types.ts';
import { createAccessToken } from '../../src/merchants/access-tokens/access-tokens.ts';
import { knownScopes } from '../../src/merchants/access-tokens/credentials.rules.ts';
import { findOwnToken } from '../../src/merchants/access-tokens/find-caller.ts';
import { openHmacSecret } from '../../src/merchants/hmac-keys/find-hmac-secret.ts';
import { createHmacKey } from '../../src/merchants/hmac-keys/hmac-keys.ts';
import { verifyClient } from '../../src/merchants/oauth/authenticate-client.ts';
import { createOAuthClient } from '../../src/merchants/oauth/oauth-clients.ts';
import { createPayee } from '../../src/merchants/payees/create-payee.ts';
import { lockPayee, selectPayee, selectPayeeByName } from '../../src/merchants/payees/payees.store.ts';
import { hasAllScopes, readSandboxRemains } from './merchant.rules.ts';
import type { SandboxCredentials, SandboxHmac, SandboxOAuth, SandboxPart } from './merchant.types.ts';

const DEMO_NAME = 'Demo shop';

/** The credentials of the demo payee, and which of them were made by this call. */
export interface SandboxMerchant {
  readonly credentials: SandboxCredentials;
  readonly made: readonly SandboxPart[];
}

/** What the makers of the parts share. */
interface Part {
  readonly transaction: Transaction;
  readonly context: Kontor;
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

/**
 * Makes sure that the sandbox has a demo payee with an access token, an OAuth client and an HMAC key that work and may do
 * everything. What `sandbox.json` has and still works stays as it is; the rest is made anew. Several instances may start
 * at once: they share the demo payee.
 *
 * @param command `file`: the parsed `sandbox.json` of an earlier start, or undefined
 */
export async function ensureSandboxMerchant(
  transaction: Transaction,
  context: Kontor,
  command: { file: unknown; actor: Actor },
): Promise<SandboxMerchant> {
  assert(context.config.mode === 'sandbox', 'credentials in a file are for the sandbox');
  const remains = readSandboxRemains(command.file);
  await lockPayee(transaction, OPERATOR);
  const known = await findDemoPayee(transaction, remains.payeeId);
  const payeeId = known ?? (await createPayee(transaction, context, { name: DEMO_NAME, actor: command.actor }));
  const part: Part = { transaction, context, payeeId, actor: command.actor };
  const kept = {
    accessToken: (await tokenWorks(part, remains.accessToken)) ? remains.accessToken : undefined,
    oauth: (await clientWorks(part, remains.oauth)) ? remains.oauth : undefined,
    hmac: (await hmacWorks(part, remains.hmac)) ? remains.hmac : undefined,
  };
  const credentials: SandboxCredentials = {
    payeeId,
    accessToken: kept.accessToken ?? (await makeToken(part)),
    oauth: kept.oauth ?? (await makeClient(part)),
    hmac: kept.hmac ?? (await makeHmac(part)),
  };
  const parts: SandboxPart[] = ['accessToken', 'oauth', 'hmac'];
  const made = parts.filter((name) => kept[name as keyof typeof kept] === undefined);
  return { credentials, made: known === undefined ? ['payeeId', ...made] : made };
}

/** The payee of the file, or the demo payee of an installation whose file was lost. */
async function findDemoPayee(transaction: Transaction, text: string | undefined): Promise<PayeeId | undefined> {
  const payeeId = text === undefined ? undefined : parsePayeeId(text);
  const named = payeeId === undefined ? undefined : (await selectPayee(transaction, payeeId)).rows[0];
  const found = named ?? (await selectPayeeByName(transaction, DEMO_NAME)).rows[0];
  return found?.payeeId;
}

async function tokenWorks({ transaction, context, payeeId }: Part, accessToken = ''): Promise<boolean> {
  const token = await findOwnToken(transaction, context, payeeId, accessToken);
  return token !== undefined && hasAllScopes(knownScopes(token.scopes));
}

async function makeToken({ transaction, context, payeeId, actor }: Part): Promise<string> {
  const fresh = await createAccessToken(transaction, context, { payeeId, name: 'Sandbox', scopes: SCOPES, actor });
  return fresh.accessToken.reveal();
}

async function clientWorks({ transaction, payeeId }: Part, oauth: SandboxOAuth | undefined): Promise<boolean> {
  if (oauth === undefined) return false;
  const client = await verifyClient(transaction, oauth);
  return client?.payeeId === payeeId && hasAllScopes(client.scopes);
}

async function makeClient({ transaction, context, payeeId, actor }: Part): Promise<SandboxOAuth> {
  const fresh = await createOAuthClient(transaction, context, { payeeId, name: 'Sandbox', scopes: SCOPES, actor });
  return { clientId: fresh.clientId, clientSecret: fresh.clientSecret.reveal() };
}

async function hmacWorks({ transaction, context, payeeId }: Part, hmac: SandboxHmac | undefined): Promise<boolean> {
  if (hmac === undefined) return false;
  const secret = await openHmacSecret(transaction, context, { payeeId, keyId: hmac.user });
  return secret !== undefined && equalDigests(sha256(secret.reveal()), sha256(hmac.secret));
}

async function makeHmac({ transaction, context, payeeId, actor }: Part): Promise<SandboxHmac> {
  const fresh = await createHmacKey(transaction, context, { payeeId, actor });
  return { user: fresh.user, secret: fresh.secret.reveal() };
}
