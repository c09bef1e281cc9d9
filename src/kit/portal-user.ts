import type { PayeeId } from './ids.ts';

/** What a user is to the portal; `operator` are those of the installation, the others belong to a payee. */
export const ROLES = ['administrator', 'finance', 'support', 'integrator', 'operator'] as const;

export type Role = (typeof ROLES)[number];

/** A user who is signed in to the portal, once their cookie has been found valid. */
export interface SignedInUser {
  /** The payee that the user belongs to; `OPERATOR` for an operator. */
  readonly payeeId: PayeeId;
  readonly userId: string;
  readonly role: Role;
  /** Names the time between signing in and out, in the tables. Not a secret. */
  readonly portalSessionId: string;
  /** Whether the user still has to set up a second factor, and may do nothing else before. */
  readonly lacksSecondFactor: boolean;
  /** Whether the password was given a moment ago. */
  readonly isReauthenticated: boolean;
}

/**
 * Why a portal session is over. `idle`, `expired`: by time. `signed-out`: its user ended it from elsewhere. `password`,
 * `second-factor`, `role`: these have changed. `disabled`: its user may not sign in any more. `suspended`: the operator has
 * stopped its payee.
 */
export type SessionEnd =
  | 'idle'
  | 'expired'
  | 'signed-out'
  | 'password'
  | 'second-factor'
  | 'role'
  | 'disabled'
  | 'suspended';

/** Why a user may not send a request. */
export type AccessFault = 'role' | 'second-factor' | 'reauthentication';

/** What a user is known by: they, and the pages that they use. */
export function credentialOf({ userId }: Pick<SignedInUser, 'userId'>) {
  return { kind: 'portal-user', id: userId } as const;
}
