import { inputError, type Refusal } from '../../kit/errors.ts';
import { EdgeRefusal } from '../document/problem.ts';

const CHALLENGE = 'Bearer realm="kontor"';
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/**
 * The access token in an `Authorization` header (RFC 6750, section 2.1), or undefined where there is none of the form.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** No access token was sent: a bare challenge, without an error code (RFC 6750, section 3.1). */
export function missingToken(): Refusal {
  return new EdgeRefusal('unauthorized', 'An access token is needed: Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': CHALLENGE },
  });
}

/** One answer for a token that is unknown, expired, revoked or no token at all: the caller does not learn which. */
export function invalidToken(): Refusal {
  return new EdgeRefusal('unauthorized', 'The access token is not valid.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });
}

/** The token is valid but may not do this (RFC 6750, section 3.1). Decided before any object is looked up. */
export function missingScope(scope: string): Refusal {
  return new EdgeRefusal('forbidden', `The access token lacks the scope ${scope}.`, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });
}

/** An access token in the address (RFC 6750, section 5.3: it would end up in logs). */
export function tokenInQuery(): Refusal {
  return inputError('access_token', 'must be sent in the Authorization header, never in the address');
}

/** Refuses an access token among the members of a body (RFC 6750, section 2.2, is a way that we do not offer). */
export function refuseTokenInBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('access_token' in body)) return;
  throw inputError('access_token', 'must be sent in the Authorization header, never in the body');
}
