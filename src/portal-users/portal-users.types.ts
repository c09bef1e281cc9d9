import type { PayeeId } from '../kit/ids.ts';
import type { Role, SessionEnd } from '../kit/portal-user.ts';
import type { Secret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';

/** Names one portal user. */
export interface PortalUserKey {
  readonly payeeId: PayeeId;
  readonly userId: string;
}

/** Names one portal session. */
export interface PortalSessionKey {
  readonly payeeId: PayeeId;
  readonly portalSessionId: string;
}

/**
 * `Invited` until the first password is chosen. `Closed`: too many wrong codes came with the right password, so no code is
 * looked at until a new password is set.
 */
export type PortalUserState = 'Invited' | 'Active' | 'Closed' | 'Disabled';

/** A portal user, as lists show them. Times are ISO 8601 in UTC. */
export interface PortalUser extends PortalUserKey {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly state: PortalUserState;
  readonly hasSecondFactor: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly lastSignInAt: string | null;
  /** Of the invitation that is open; null where there is none. */
  readonly invitationExpiresAt: string | null;
}

/** What something secret of a portal user is found by: the payee stands in it, so that each row is found by its payee. */
export interface PortalSecret {
  readonly payeeId: PayeeId;
  /** SHA-256 of the whole text: what is stored of it. */
  readonly hash: Buffer;
}

/** What ends a session before its time. */
export type SessionEnding = Exclude<SessionEnd, 'idle' | 'expired'>;

/** Hashes passwords, slowly on purpose and few at a time. */
export interface Passwords {
  hash(password: Secret): Promise<string>;
  /**
   * Lets a user sign in while not too many others do: what it needs beside, such as connections, is not for a flood. Places
   * are shared between networks.
   *
   * @param address of the user: IPv4 or IPv6
   * @throws Refusal `toomanyrequests`
   */
  admit<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Whether the password is the one of the hash. Without a hash the same work is done, for nothing.
   *
   * @throws Refusal `toomanyrequests` where too many wait
   */
  isRight(password: Secret, hash: string | undefined): Promise<boolean>;
}

/** What this slice works with. */
export interface PortalUsersContext extends Kontor {
  readonly passwords: Passwords;
  /** Hears how sign-ins end. */
  readonly signIns: SignInListener;
}

/** Hears how sign-ins end. */
export interface SignInListener {
  ended(outcome: 'done' | 'wrong-password' | 'wrong-code' | 'closed' | 'locked'): void;
  /** Too many wrong codes came with a user's password. */
  closed(user: PortalUserKey): void;
}
