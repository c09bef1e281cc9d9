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
  /** One user from all networks that are not known. */
  readonly userElsewhere: AttemptSubject;
  /** The networks, for all users together; none where they are not counted. */
  readonly networks: readonly AttemptSubject[];
  /** What a known network of the user is found by. */
  readonly known: KnownNetworkDigests;
}

/**
 * What became of it. A value and not an exception: counting a failure must be committed.
 * `second-factor`: the password is right, and a code is needed too. `closed`: it is right, and too many wrong codes came
 * with it before; no code is looked at. `hasClosed`: this code was the last one that was allowed.
 */
export type SignInOutcome =
  | { readonly state: 'wrong-password' }
  | { readonly state: 'wrong-code'; readonly hasClosed: boolean }
  | { readonly state: 'closed' }
  | { readonly state: 'second-factor' }
  | { readonly state: 'done'; readonly cookie: Secret };

/** By what a user's network is looked up: digests under each live key. */
export interface KnownNetworkDigests {
  readonly emails: readonly Buffer[];
  readonly networks: readonly Buffer[];
}
