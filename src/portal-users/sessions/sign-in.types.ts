import type { Secret } from '../../kit/secret.ts';
import type { AttemptSubject } from '../../merchants/merchants.types.ts';
import type { PortalUserKey } from '../portal-users.types.ts';

/** A person on the way in: known by address at most, and to be asked for the password. */
export interface SignInAttempt {
  /** Whose address it is; undefined where no user has it. */
  readonly user: PortalUserKey | undefined;
  /** What the password is compared with; undefined where there is nothing to compare with. */
  readonly passwordHash: string | undefined;
  readonly subjects: SignInSubjects;
}

/** What failures are counted for. */
export interface SignInSubjects {
  /** One user from one network. */
  readonly userAndNetwork: AttemptSubject;
  /** One network, for all users together; undefined where that is not counted. */
  readonly network: AttemptSubject | undefined;
}

/**
 * What became of it. A value and not an exception: counting a failure must be committed.
 * `second-factor`: the password is right, and a code is needed too.
 */
export type SignInOutcome =
  | { readonly state: 'refused' }
  | { readonly state: 'second-factor' }
  | { readonly state: 'done'; readonly cookie: Secret };
