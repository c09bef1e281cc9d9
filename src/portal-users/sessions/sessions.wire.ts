import { Type } from 'typebox';
import { EMAIL_CHARACTERS, PASSWORD_CHARACTERS } from '../../kit/limits.ts';
import { Instant, InstantOrNull, Scopes } from '../../kit/portal.wire.ts';
import { ROLES } from '../../kit/portal-user.ts';

export const Email = Type.String({ format: 'email', maxLength: EMAIL_CHARACTERS });
/** As it is typed: what it must be like is asked where one is chosen. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: 4 * PASSWORD_CHARACTERS, unscanned: 'a secret' });
export const Code = Type.String({
  minLength: 6,
  maxLength: 20,
  unscanned: 'a secret',
  description: 'Six digits that the app shows now, or a recovery code',
});

export const SignInBody = Type.Object({ email: Email, password: TypedPassword, code: Type.Optional(Code) });
export const SignOutBody = Type.Object({
  everywhere: Type.Optional(Type.Boolean({ description: 'In all browsers, not in this one alone' })),
});
export const ReauthenticateBody = Type.Object({ password: TypedPassword, code: Type.Optional(Code) });

export const Role = Type.Enum([...ROLES]);

export const Session = Type.Object(
  {
    userId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Role,
    payee: Type.Object({
      payeeId: Type.String({ description: 'Zeros for an operator' }),
      name: Type.String(),
      timeZone: Type.String({ description: "Where the payee's days begin, as in Europe/Oslo" }),
    }),
    mode: Type.Enum(['sandbox', 'production']),
    csrfToken: Type.String({ description: 'To be sent with each change, in the header Csrf-Token' }),
    secondFactor: Type.Enum(['none', 'missing', 'on'], {
      description: '`missing`: it must be set up before anything else can be done',
    }),
    recoveryCodesLeft: Type.Integer(),
    signedInAt: Instant,
    expiresAt: Instant,
    idleSeconds: Type.Integer({ description: 'Without a request for so long, the session is over' }),
    reauthenticatedUntil: Type.String({
      format: 'date-time',
      description: 'Until then no operation asks for the password again',
    }),
    wrongCodes: Type.Integer({
      description: 'Wrong codes that came with the right password since the session before, from anywhere',
    }),
    wrongCodesSince: InstantOrNull,
    operations: Type.Array(Type.String(), { description: 'Names of the operations that the user may use' }),
    apiOperations: Type.Array(Type.String(), {
      description: 'Names of the operations of the API that the page may call with its credentials',
    }),
  },
  { $id: 'Session' },
);

export const SignedIn = Type.Object({
  next: Type.Enum(['none', 'second-factor'], {
    description: '`second-factor`: the password is right; send it again with a code',
  }),
  session: Type.Optional(Session),
});

export const SessionCredentials = Type.Object({
  accessToken: Type.String(),
  expiresAt: Instant,
  scopes: Scopes,
  hmac: Type.Object({ user: Type.String(), secret: Type.String() }),
});
