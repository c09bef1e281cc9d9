import { Type } from 'typebox';
import { NAME_CHARACTERS, PASSWORD_CHARACTERS } from '../kit/limits.ts';
import { Instant, InstantOrNull, PayeeParams } from '../kit/portal.wire.ts';
import { freeText } from '../kit/schemas.wire.ts';
import { Email, Role, SignedIn } from './sessions/sessions.wire.ts';

const Name = freeText(NAME_CHARACTERS, 'For people');

export const UserParams = Type.Object({ ...PayeeParams.properties, userId: Type.String() });

export const User = Type.Object(
  {
    userId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Role,
    state: Type.Enum(['Invited', 'Active', 'Closed', 'Disabled'], {
      description: '`Closed`: too many wrong codes came with the right password; a new invitation lets them in again',
    }),
    hasSecondFactor: Type.Boolean(),
    createdAt: Instant,
    createdBy: Type.String(),
    lastSignInAt: InstantOrNull,
    invitationExpiresAt: InstantOrNull,
  },
  { $id: 'User' },
);
export const UserList = Type.Object({ users: Type.Array(User) });
export const InviteBody = Type.Object({ email: Email, name: Name, role: Role });
export const ChangeUserBody = Type.Object({ name: Type.Optional(Name), role: Type.Optional(Role) });
export const Invited = Type.Object({
  user: User,
  invitation: Type.Object({
    link: Type.String({ description: 'Shown this once, to be given to the user' }),
    expiresAt: Instant,
  }),
});

const Invitation = Type.String({
  maxLength: 100,
  unscanned: 'a secret',
  description: 'What stands behind # in the link',
});
export const ReadInvitationBody = Type.Object({ invitation: Invitation });
export const InvitationAnswer = Type.Object({
  email: Type.String(),
  name: Type.String(),
  role: Role,
  payeeName: Type.String(),
  expiresAt: Instant,
});
const NewPassword = Type.String({
  maxLength: 4 * PASSWORD_CHARACTERS,
  unscanned: 'a secret',
  description: '12 to 128 characters, with letters and digits or at least 20',
});
export const AcceptInvitationBody = Type.Object({ invitation: Invitation, password: NewPassword });

export const ChangePasswordBody = Type.Object({ newPassword: NewPassword });
export const NewSecondFactorAnswer = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed into an app; shown this once' }),
  uri: Type.String({ description: 'otpauth://…, to be shown as a QR code' }),
});
export const ConfirmSecondFactorBody = Type.Object({
  code: Type.String({ pattern: '^[0-9]{6}$', description: 'six digits' }),
});
const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown this once; each works once' });
export const ConfirmedAnswer = Type.Object({ recoveryCodes: RecoveryCodes, ...SignedIn.properties });
export const RecoveryCodesAnswer = Type.Object({ recoveryCodes: RecoveryCodes });
