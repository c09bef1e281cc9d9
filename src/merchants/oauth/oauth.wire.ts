import { type TSchema, Type } from 'typebox';

const ClientInForm = {
  client_id: Type.Optional(Type.String({ description: 'Where the client does not authenticate with HTTP Basic' })),
  client_secret: Type.Optional(Type.String({ description: 'Where the client does not authenticate with HTTP Basic' })),
};

const TokenForm = Type.Object({
  ...ClientInForm,
  token: Type.String({ description: 'An access token' }),
  token_type_hint: Type.Optional(Type.String({ description: 'Not needed: there is one type of token' })),
});

const GrantForm = Type.Object({
  ...ClientInForm,
  grant_type: Type.Enum(['client_credentials']),
  scope: Type.Optional(Type.String({ description: 'Scopes parted by blanks; absent: all that the client has' })),
});

const OAuthErrorBody = Type.Object({
  error: Type.Enum(['invalid_request', 'invalid_client', 'invalid_scope', 'unsupported_grant_type']),
  error_description: Type.String(),
});

const Issued = Type.Object({
  access_token: Type.String(),
  token_type: Type.Enum(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds' }),
  scope: Type.String({ description: 'Scopes parted by blanks' }),
});

const Introspected = Type.Object({
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(
    Type.String({ description: 'The client that got the token; absent where a person made it' }),
  ),
  token_type: Type.Optional(Type.String()),
  exp: Type.Optional(Type.Integer({ description: 'Seconds since 1970' })),
  iat: Type.Optional(Type.Integer({ description: 'Seconds since 1970' })),
  sub: Type.Optional(Type.String({ description: 'The payee that the token acts for' })),
});

const Words = Type.Array(Type.String());
const Metadata = Type.Object({
  issuer: Type.String(),
  token_endpoint: Type.String(),
  token_endpoint_auth_methods_supported: Words,
  grant_types_supported: Words,
  response_types_supported: Words,
  scopes_supported: Words,
  revocation_endpoint: Type.String(),
  revocation_endpoint_auth_methods_supported: Words,
  introspection_endpoint: Type.String(),
  introspection_endpoint_auth_methods_supported: Words,
  service_documentation: Type.String(),
});

/** `POST /oauth/token` in the OpenAPI document. */
export const TOKEN_DOCUMENT = forClients({
  operationId: 'issueOAuthToken',
  summary: 'Get an access token with client credentials (RFC 6749)',
  form: GrantForm,
  done: Issued,
});

/** `POST /oauth/revoke` in the OpenAPI document. */
export const REVOKE_DOCUMENT = forClients({
  operationId: 'revokeOAuthToken',
  summary: 'Revoke an access token (RFC 7009)',
  form: TokenForm,
  done: Type.Object({}),
});

/** `POST /oauth/introspect` in the OpenAPI document. */
export const INTROSPECT_DOCUMENT = forClients({
  operationId: 'introspectOAuthToken',
  summary: 'Ask whether an access token is valid, and for what (RFC 7662)',
  form: TokenForm,
  done: Introspected,
});

/** `GET /.well-known/oauth-authorization-server` in the OpenAPI document. */
export const METADATA_DOCUMENT = {
  operationId: 'getAuthorizationServerMetadata',
  summary: 'Where the OAuth 2 endpoints are and what they can do (RFC 8414)',
  tags: ['OAuth 2'],
  security: [],
  response: { 200: { description: 'The metadata', ...Metadata } },
};

interface ForClients {
  readonly operationId: string;
  readonly summary: string;
  readonly form: TSchema;
  readonly done: TSchema;
}

function forClients({ operationId, summary, form, done }: ForClients) {
  return {
    operationId,
    summary,
    description: 'The client authenticates with HTTP Basic, or with client_id and client_secret in the form.',
    tags: ['OAuth 2'],
    security: [],
    consumes: ['application/x-www-form-urlencoded'],
    body: form,
    response: {
      200: { description: 'Done', ...done },
      400: { description: 'The request is refused', ...OAuthErrorBody },
      401: { description: 'The client is not known, or its credentials are missing or wrong', ...OAuthErrorBody },
    },
  };
}
