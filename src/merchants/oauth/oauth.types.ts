import type { Scope } from '../../kit/caller.ts';
import type { OAuthClientKey } from '../merchants.types.ts';

/** The errors of the token endpoint that occur here (RFC 6749, section 5.2). */
export type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unsupported_grant_type';

/** Why a request to an OAuth endpoint is refused. A value and not an exception: counting a failure must be committed. */
export interface OAuthError {
  readonly error: OAuthErrorCode;
  /** For the developer. Never a value from the request. */
  readonly description: string;
}

/** A request to one of the OAuth endpoints that a client has to authenticate at. */
export interface OAuthRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The body, `application/x-www-form-urlencoded`. */
  readonly form: string;
  /** Where it comes from, for counting failures; undefined where they are not counted. */
  readonly network: string | undefined;
  readonly sessionId: string;
}

/** The parameters of a form, each once and none of them empty. */
export type Form = ReadonlyMap<string, string>;

/** What a client says to be who it is. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A client that has proved who it is. */
export interface AuthenticClient extends OAuthClientKey {
  readonly scopes: readonly Scope[];
  /** Words that mean all of these. */
  readonly scopeAliases: readonly string[];
  /** Whether its use of today is noted. */
  readonly usedToday: boolean;
}
