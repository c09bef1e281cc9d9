import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { isForm } from '../../http/pages/form.ts';
import type { OpenAnswer, OpenRequest, OpenRoute } from '../../http/route.types.ts';
import { networkOf } from '../../kit/addresses/network.ts';
import { SCOPES } from '../../kit/caller.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { AccessToken } from '../merchants.types.ts';
import { namedClient } from './authenticate-client.ts';
import { type IssuedToken, issueOAuthToken } from './issue-oauth-token.ts';
import { introspect, revokeByClient } from './named-tokens.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';
import { INTROSPECT_DOCUMENT, METADATA_DOCUMENT, REVOKE_DOCUMENT, TOKEN_DOCUMENT } from './oauth.wire.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' };

/**
 * The OAuth 2 endpoints: token (RFC 6749), revocation (RFC 7009), introspection (RFC 7662) and metadata (RFC 8414).
 * Their errors have the form of RFC 6749, section 5.2, because that is what clients' libraries read; too many failures
 * are a problem `toomanyrequests` like everywhere.
 */
export function oauthRoutes(merchants: Kontor, given: RouteGiven): readonly OpenRoute[] {
  const { transact } = merchants.database;
  return [
    {
      method: 'POST',
      limit: 'sign-in',
      path: '/oauth/token',
      document: TOKEN_DOCUMENT,
      handle: withForm(given, async (request) => {
        const issued = await transact((transaction) => issueOAuthToken(transaction, merchants, request));
        return 'error' in issued ? refuse(issued) : answer(tokenBody(issued));
      }),
    },
    {
      method: 'POST',
      limit: 'sign-in',
      path: '/oauth/revoke',
      document: REVOKE_DOCUMENT,
      handle: withForm(given, async (request) => {
        const refused = await transact((transaction) => revokeByClient(transaction, merchants, request));
        return refused === undefined ? answer({}) : refuse(refused);
      }),
    },
    {
      method: 'POST',
      limit: 'sign-in',
      path: '/oauth/introspect',
      document: INTROSPECT_DOCUMENT,
      handle: withForm(given, async (request) => {
        const found = await transact((transaction) => introspect(transaction, merchants, request));
        return 'error' in found ? refuse(found) : answer(introspectionBody(found.token));
      }),
    },
    {
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      document: METADATA_DOCUMENT,
      handle: () => answer(describeAuthorizationServer(given.baseUrl())),
    },
  ];
}

/** Takes the form out of a request, and refuses a body that is none. */
function withForm(
  { isExempt, noteRefused }: RouteGiven,
  handle: (request: OAuthRequest) => Promise<OpenAnswer>,
): OpenRoute['handle'] {
  return async (request: OpenRequest) => {
    const { authorization } = request.headers;
    if (!isForm(request)) {
      return refuse({
        error: 'invalid_request',
        description: 'The body must be application/x-www-form-urlencoded.',
      });
    }
    const { remoteAddress: address, sessionId } = request;
    const asked = {
      authorization: typeof authorization === 'string' ? authorization : undefined,
      form: request.body.toString('utf8'),
      network: isExempt(address) ? undefined : networkOf(address),
      sessionId,
    };
    const answered = await handle(asked);
    if (answered.status === 401) {
      noteRefused({ address, sessionId, proof: { kind: 'oauth-client', clientId: namedClient(asked) } });
    }
    return answered;
  };
}

function answer(body: object): OpenAnswer {
  return { status: 200, headers: HEADERS, body: JSON.stringify(body) };
}

function refuse({ error, description }: OAuthError): OpenAnswer {
  const body = JSON.stringify({ error, error_description: description });
  if (error !== 'invalid_client') return { status: 400, headers: HEADERS, body };
  return { status: 401, headers: { ...HEADERS, 'www-authenticate': 'Basic realm="kontor"' }, body };
}

function tokenBody(issued: IssuedToken): object {
  return {
    access_token: issued.accessToken.reveal(),
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    scope: issued.scopes.join(' '),
  };
}

/** Times are whole seconds since 1970 (RFC 7662, section 2.2). `sub` is the payee that the token acts for. */
function introspectionBody(token: AccessToken | undefined): object {
  if (token === undefined) return { active: false };
  return {
    active: true,
    scope: token.scopes.join(' '),
    ...(token.oauthClientId !== null && { client_id: token.oauthClientId }),
    token_type: 'Bearer',
    exp: Math.floor(Date.parse(token.expiresAt) / 1000),
    iat: Math.floor(Date.parse(token.createdAt) / 1000),
    sub: token.payeeId,
  };
}

/** How a client may authenticate, in the words of RFC 7591, section 2. */
const AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/**
 * The metadata of the authorization server (RFC 8414, section 2).
 *
 * @param baseUrl without a trailing slash; it is the issuer, and clients compare it character by character
 */
function describeAuthorizationServer(baseUrl: string): Readonly<Record<string, unknown>> {
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth/token`,
    token_endpoint_auth_methods_supported: AUTHENTICATION,
    grant_types_supported: ['client_credentials'],
    // Required, and empty: nothing here has an authorization endpoint.
    response_types_supported: [],
    scopes_supported: SCOPES,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: AUTHENTICATION,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: AUTHENTICATION,
    service_documentation: `${baseUrl}/docs`,
  };
}
