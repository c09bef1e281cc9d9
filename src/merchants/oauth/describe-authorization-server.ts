import { SCOPES } from '../../kit/caller.ts';

/** How a client may authenticate, in the words of RFC 7591, section 2. */
const AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/**
 * The metadata of the authorization server (RFC 8414, section 2).
 *
 * @param baseUrl without a trailing slash; it is the issuer, and clients compare it character by character
 */
export function describeAuthorizationServer(baseUrl: string): Readonly<Record<string, unknown>> {
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
