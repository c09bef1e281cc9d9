import { SCOPES, type Scope } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import { compactUuid, expandUuid, type PayeeId } from '../../kit/ids.ts';
import { FORM_PARAMETERS, FORM_VALUE_CHARACTERS } from '../../kit/limits.ts';
import type { OAuthClientKey } from '../merchants.types.ts';
import type { AuthenticClient, ClientCredentials, Form, OAuthError, OAuthErrorCode } from './oauth.types.ts';

const CLIENT_ID = /^kc_([0-9a-f]{32})_[0-9A-Za-z]{16}$/;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** `kc_<payee>_<random>`: the payee leads to the row, 16 random characters make it unique. */
export function composeClientId(payeeId: PayeeId, secret: string): string {
  return `kc_${compactUuid(payeeId)}_${secret.slice(-16)}`;
}

/** The payee and the id of a client, or undefined where the text has not the form of a client id. */
export function readClientId(text: string): OAuthClientKey | undefined {
  const [, compactPayee = ''] = CLIENT_ID.exec(text) ?? [];
  const payeeId = expandUuid(compactPayee);
  return payeeId === undefined ? undefined : { payeeId: payeeId as PayeeId, clientId: text };
}

/**
 * Reads a form-urlencoded body. A parameter must not be repeated, and one without a value counts as absent (RFC 6749,
 * section 3.2).
 */
export function readForm(body: string): Form | OAuthError {
  const form = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (seen.has(name)) return oauthError('invalid_request', 'A parameter is repeated.');
    if (seen.size === FORM_PARAMETERS) return oauthError('invalid_request', 'There are too many parameters.');
    if (value.length > FORM_VALUE_CHARACTERS) return oauthError('invalid_request', 'A parameter is too long.');
    if (name.includes('\0') || value.includes('\0')) return oauthError('invalid_request', 'A parameter holds NUL.');
    seen.add(name);
    if (value !== '') form.set(name, value);
  }
  return form;
}

/**
 * The credentials of a client: from HTTP Basic, or from the form (RFC 6749, section 2.3.1), but not from both. A form
 * may repeat the `client_id` of the header, as section 3.2.1 allows.
 */
export function readClientCredentials(authorization: string | undefined, form: Form): ClientCredentials | OAuthError {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');
  if (authorization === undefined) {
    return clientId === undefined || clientSecret === undefined ? unknownClient() : { clientId, clientSecret };
  }
  const basic = readBasic(authorization);
  if (basic === undefined) return unknownClient();
  const isTwice = clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId);
  return isTwice ? oauthError('invalid_request', 'The client must authenticate in one way, not in two.') : basic;
}

/**
 * The scopes of a new token: those that the request names, else all that the client has. An alias of the client means all of
 * them. One that the client has not is refused like one that does not exist.
 */
export function chooseScopes(
  requested: string | undefined,
  { scopes, scopeAliases }: Pick<AuthenticClient, 'scopes' | 'scopeAliases'>,
): readonly Scope[] | OAuthError {
  if (requested === undefined) return scopes;
  const names = requested.split(' ');
  const known: readonly string[] = [...scopes, ...scopeAliases];
  if (!names.every((name) => known.includes(name))) {
    return oauthError('invalid_scope', 'The scope is malformed or names something that this client may not have.');
  }
  const isAll = names.some((name) => scopeAliases.includes(name));
  return isAll ? scopes : scopes.filter((scope) => names.includes(scope));
}

/** A scope as RFC 6749, section 3.3, writes it. */
const SCOPE_WORD = /^[!#-[\]-~]{1,64}$/;
const MOST_SCOPE_ALIASES = 10;

/**
 * The words that a new client may ask for in place of all of its scopes, each once.
 *
 * @throws Refusal `inputerror` where one is no word, or a scope of the service: that means itself
 */
export function checkScopeAliases(words: readonly string[]): readonly string[] {
  const scopes: readonly string[] = SCOPES;
  const aliases = [...new Set(words)];
  if (
    aliases.length > MOST_SCOPE_ALIASES ||
    !aliases.every((word) => SCOPE_WORD.test(word) && !scopes.includes(word))
  ) {
    throw inputError(
      'scope-alias',
      `must be up to ${MOST_SCOPE_ALIASES} words of 1 to 64 visible characters without quotes and backslashes, and no scopes of this service`,
    );
  }
  return aliases;
}

/** One error for a client that is unknown, revoked, or has another secret: the client does not learn which. */
export function unknownClient(): OAuthError {
  return oauthError('invalid_client', 'The client is not known, or its credentials are missing or wrong.');
}

/** An error with its description for the developer. */
export function oauthError(error: OAuthErrorCode, description: string): OAuthError {
  return { error, description };
}

/** User and password of HTTP Basic, each form-urlencoded before they were joined (RFC 6749, section 2.3.1). */
function readBasic(authorization: string): ClientCredentials | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const clientId = formDecode(text.slice(0, colon));
  const clientSecret = formDecode(text.slice(colon + 1));
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
