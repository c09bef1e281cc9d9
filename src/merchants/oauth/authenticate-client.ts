import type { Transaction } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { equalDigests, Secret, sha256 } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { knownScopes } from '../access-tokens/credentials.rules.ts';
import { checkAttempts, countAttempt } from '../attempts/count-attempt.ts';
import type { AttemptLimit, AttemptSubject, OAuthClientKey } from '../merchants.types.ts';
import { readClientCredentials, readClientId, readForm, unknownClient } from './oauth.rules.ts';
import type { AuthenticClient, ClientCredentials, Form, OAuthError, OAuthRequest } from './oauth.types.ts';
import { lockActiveClient } from './oauth-clients.store.ts';

/** Failed authentications of OAuth clients from one network in one window, before further ones are answered 429. */
export const CLIENT_AUTHENTICATION_FAILURES = 20;
/** Seconds of that window. */
const CLIENT_AUTHENTICATION_WINDOW_SECONDS = 600;

const LIMIT: AttemptLimit = {
  kind: 'oauth-client-authentication',
  attempts: CLIENT_AUTHENTICATION_FAILURES,
  windowSeconds: CLIENT_AUTHENTICATION_WINDOW_SECONDS,
  refusal: 'Too many attempts with wrong credentials came from this network.',
};

/** Looked up in place of an id that has not the form of one, so that it takes the same work. */
const NO_CLIENT: OAuthClientKey = { payeeId: OPERATOR, clientId: 'none' };
const NO_HASH = Buffer.alloc(32);

/**
 * Finds out which client sends a request to an OAuth endpoint (RFC 6749, section 2.3.1), by its secret.
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function authenticateClient(
  transaction: Transaction,
  context: Kontor,
  request: Pick<OAuthRequest, 'authorization' | 'network'>,
  form: Form,
): Promise<AuthenticClient | OAuthError> {
  const subject = request.network === undefined ? undefined : subjectOf(context, request.network);
  if (subject !== undefined) await checkAttempts(transaction, subject, LIMIT);
  const credentials = readClientCredentials(request.authorization, form);
  if ('error' in credentials) return credentials;
  const client = await verifyClient(transaction, credentials);
  if (client !== undefined) return client;
  if (subject !== undefined) await countAttempt(transaction, subject, LIMIT);
  return unknownClient();
}

/** The client of these credentials; undefined where it is unknown, revoked or over, or has another secret. */
export async function verifyClient(
  transaction: Transaction,
  { clientId, clientSecret }: ClientCredentials,
): Promise<AuthenticClient | undefined> {
  const key = readClientId(clientId) ?? NO_CLIENT;
  const { rows } = await lockActiveClient(transaction, key);
  const [client] = rows;
  const isRight = equalDigests(sha256(clientSecret), client?.hash ?? NO_HASH);
  return client !== undefined && isRight
    ? { ...key, scopes: knownScopes(client.scopes), scopeAliases: client.scopeAliases, usedToday: client.usedToday }
    : undefined;
}

/** The client that a request says to be, proved or not. */
export function namedClient({ authorization, form }: OAuthRequest): string | undefined {
  const parameters = readForm(form);
  if ('error' in parameters) return undefined;
  const credentials = readClientCredentials(authorization, parameters);
  return 'error' in credentials ? undefined : credentials.clientId;
}

/** A keyed digest, because an address is personal and there are few enough of them to try them all. */
function subjectOf(context: Kontor, network: string): AttemptSubject {
  const digest = context.keyRing.digest(
    context.keyRing.current('networks'),
    OPERATOR,
    new Secret(`network ${network}`),
  );
  return { payeeId: OPERATOR, digest };
}
