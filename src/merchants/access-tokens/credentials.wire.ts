import { Type } from 'typebox';
import { NAME_CHARACTERS } from '../../kit/limits.ts';
import { Instant, InstantOrNull, PayeeParams, Scopes } from '../../kit/portal.wire.ts';
import { freeText } from '../../kit/schemas.wire.ts';

const Name = freeText(NAME_CHARACTERS, 'For people, to tell one credential from another');
const WantedScopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 64 });
const Lifetime = Type.String({ maxLength: 8, description: 'Days or months, as in 90d or 12m; absent: twelve months' });
const Overlap = Type.String({
  maxLength: 8,
  description: 'How long the old one goes on, as in 24h or 7d; absent: a day',
});
const LastUsedOn = Type.Union([Type.String({ format: 'date' }), Type.Null()]);
const CredentialState = Type.Enum(['Active', 'Expiring', 'Expired', 'Revoked'], {
  description: '`Expiring`: it ends within 30 days, or has a successor',
});
const OnceShown = Type.String({ description: 'Shown this once' });

export const AccessTokenParams = Type.Object({ ...PayeeParams.properties, accessTokenId: Type.String() });
export const OAuthClientParams = Type.Object({ ...PayeeParams.properties, clientId: Type.String() });
export const HmacKeyParams = Type.Object({ ...PayeeParams.properties, user: Type.String() });

export const AccessTokenList = Type.Object({
  accessTokens: Type.Array(
    Type.Object(
      {
        accessTokenId: Type.String(),
        name: Type.String(),
        scopes: Scopes,
        createdAt: Instant,
        createdBy: Type.String(),
        expiresAt: Instant,
        revokedAt: InstantOrNull,
        lastUsedOn: LastUsedOn,
        state: Type.Enum(['Active', 'Expired', 'Revoked']),
      },
      { $id: 'AccessToken' },
    ),
  ),
  scopes: Type.Array(Type.String(), { description: 'All that you can give' }),
});

export const AccessTokenBody = Type.Object({ name: Name, scopes: WantedScopes, expiresIn: Type.Optional(Lifetime) });
export const FreshAccessTokenAnswer = Type.Object({
  accessTokenId: Type.String(),
  accessToken: OnceShown,
  expiresAt: Instant,
});
export const RotateAccessTokenBody = Type.Object({
  overlap: Type.Optional(Overlap),
  expiresIn: Type.Optional(Lifetime),
});
export const RotatedAccessTokenAnswer = Type.Object({
  ...FreshAccessTokenAnswer.properties,
  oldExpiresAt: Instant,
});

export const OAuthClientList = Type.Object({
  oauthClients: Type.Array(
    Type.Object(
      {
        clientId: Type.String(),
        name: Type.String(),
        scopes: Scopes,
        createdAt: Instant,
        expiresAt: InstantOrNull,
        revokedAt: InstantOrNull,
        lastUsedOn: LastUsedOn,
        state: CredentialState,
      },
      { $id: 'OAuthClient' },
    ),
  ),
  scopes: Type.Array(Type.String(), { description: 'All that you can give' }),
  tokenUrl: Type.String(),
});
export const OAuthClientBody = Type.Object({ name: Name, scopes: WantedScopes, expiresIn: Type.Optional(Lifetime) });
export const FreshOAuthClientAnswer = Type.Object({
  clientId: Type.String(),
  clientSecret: OnceShown,
  expiresAt: Instant,
  tokenUrl: Type.String(),
});

export const HmacKeyList = Type.Object({
  hmacKeys: Type.Array(
    Type.Object(
      {
        user: Type.String({ description: 'As in the Hmac header' }),
        createdAt: Instant,
        expiresAt: InstantOrNull,
        revokedAt: InstantOrNull,
        lastUsedOn: LastUsedOn,
        state: CredentialState,
      },
      { $id: 'HmacKey' },
    ),
  ),
});
export const HmacKeyBody = Type.Object({ expiresIn: Type.Optional(Lifetime) });
export const FreshHmacKeyAnswer = Type.Object({ user: Type.String(), secret: OnceShown, expiresAt: Instant });
export const RotateHmacKeyBody = Type.Object({ overlap: Type.Optional(Overlap), expiresIn: Type.Optional(Lifetime) });
export const RotatedHmacKeyAnswer = Type.Object({ ...FreshHmacKeyAnswer.properties, oldExpiresAt: Instant });
