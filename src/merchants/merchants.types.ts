import type { Config } from '../config.ts';
import type { Transact } from '../db/transaction.types.ts';
import type { PayeeState, Scope } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Role } from '../kit/portal-user.ts';
import type { Kontor } from '../kontor.types.ts';

/** A merchant, as lists show it. Times are ISO 8601 in UTC, here and below. */
export interface Payee {
  readonly payeeId: PayeeId;
  readonly name: string;
  readonly createdAt: string;
  /** Where its days begin, as in `Europe/Oslo`. */
  readonly timeZone: string;
  readonly state: PayeeState;
  /** Why the operator changed its state last; null where it never did. */
  readonly stateReason: string | null;
  /** Who did, as the audit trail names them. */
  readonly stateBy: string | null;
}

/** Whose credentials a verb is about, and under which name they are kept. */
export interface NewCredential {
  readonly payeeId: PayeeId;
  /** 1 to 100 characters after trimming; for people, to tell one credential from another. */
  readonly name: string;
  /** As they were written; the verb refuses those that do not exist. */
  readonly scopes: readonly string[];
  /** What its maker has, who cannot give away more. Absent: the command line and the service, which have everything. */
  readonly grantable?: readonly Scope[];
}

/** How long a credential lives, in the calendar's units; one of them is above 0. */
export interface Lifetime {
  readonly months: number;
  readonly days: number;
  readonly hours: number;
  readonly seconds: number;
}

/** An access token without its secret: what lists and introspection show. */
export interface AccessToken {
  readonly payeeId: PayeeId;
  readonly accessTokenId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  /** A date, `YYYY-MM-DD`. */
  readonly lastUsedOn: string | null;
  /** The client that got it from the token endpoint; null where a person made it. */
  readonly oauthClientId: string | null;
  readonly state: 'Active' | 'Expired' | 'Revoked';
}

/** What the look-up of an access token finds: a token that is valid at this moment. */
export interface ValidToken {
  readonly accessTokenId: string;
  /** The client that fetched it; null where it was made by hand. */
  readonly oauthClientId: string | null;
  readonly scopes: readonly string[];
  /** Names the user of the portal that it acts for; null where it acts for itself. */
  readonly actsAs: string | null;
  /** Of that user. */
  readonly role: Role | null;
  readonly isReauthenticated: boolean;
  readonly usedToday: boolean;
  /** Of its payee. */
  readonly payeeState: PayeeState;
}

/** What an access token is looked up by. */
export interface TokenDigest {
  readonly payeeId: PayeeId;
  /** SHA-256 of the whole token as PostgreSQL writes it: `\x` and 64 hexadecimal digits. */
  readonly hash: string;
}

/** What a look-up of credentials is made with, for as long as the process lives. */
export interface LookUpGiven<Key> {
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  /** Takes note of a first use today, for HMAC keys by a caller with a valid access token; returns at once. */
  readonly noteUse: (key: Key) => void;
}

/** Names one access token. */
export interface AccessTokenKey {
  readonly payeeId: PayeeId;
  readonly accessTokenId: string;
}

/** `Expiring`: it ends within 30 days, or has a successor. */
export type CredentialState = 'Active' | 'Expiring' | 'Expired' | 'Revoked';

/** An OAuth client without its secret. */
export interface OAuthClient {
  readonly payeeId: PayeeId;
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Words that mean all of these where a token is asked for. */
  readonly scopeAliases: readonly string[];
  readonly createdAt: string;
  /** Null for one that was revoked before clients had an end. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** A date, `YYYY-MM-DD`: of the last token that it fetched. */
  readonly lastUsedOn: string | null;
  readonly state: CredentialState;
}

/** Names one OAuth client. */
export interface OAuthClientKey {
  readonly payeeId: PayeeId;
  readonly clientId: string;
}

/** An HMAC key without its secret. */
export interface HmacKey {
  readonly payeeId: PayeeId;
  /** The `user` of the `Hmac` header. */
  readonly keyId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** A date, `YYYY-MM-DD`. */
  readonly lastUsedOn: string | null;
  readonly state: CredentialState;
}

/** Names one HMAC key. */
export interface HmacKeyName {
  readonly payeeId: PayeeId;
  readonly keyId: string;
}

/** How many attempts of a kind one subject has in one window. */
export interface AttemptLimit {
  /** Lower-case words with dashes, as in `oauth-client-authentication`. */
  readonly kind: string;
  readonly attempts: number;
  readonly windowSeconds: number;
  /** What a subject that has none left is told. */
  readonly refusal: string;
}

/** Who or what is limited: a network, later a log-in name or a card, as a digest of 32 bytes. */
export interface AttemptSubject {
  /** Whose counter it is; the operator's where the payee is not known yet. */
  readonly payeeId: PayeeId;
  readonly digest: Buffer;
}

/** A counter: whose, and of what. */
export interface AttemptCounter {
  readonly subject: AttemptSubject;
  readonly limit: AttemptLimit;
}

/** Attempts that are noted, and never refused. */
export type NotedAttempts = Pick<AttemptLimit, 'kind' | 'windowSeconds'>;

/** What the gathering of refused callers needs. */
export interface RefusedCallersContext {
  readonly transact: Transact;
  readonly mode: Config['mode'];
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
}

/** A credential as a caller sent it who was refused: it may be one of ours. */
export interface TriedCredential {
  readonly kind: 'access-token' | 'oauth-client';
  /** The payee that it says to be of. */
  readonly payeeId: PayeeId;
  /** The digest of an access token, as PostgreSQL writes it; the id of a client. */
  readonly name: string;
}

/** What the database knows of a credential that was tried. */
export interface FoundCredential {
  readonly id: string;
  readonly state: 'Active' | 'Expired' | 'Revoked';
}

/** What the commands of this slice need: see `CommandRuntime`. */
export interface MerchantsService {
  readonly transact: Transact;
  readonly merchants: Kontor;
}

/** What a person may give to a credential. */
export interface Granting {
  /** The scopes that a user of this role can give to a credential: those that the role has. */
  readonly grantableBy: (role: Role) => readonly Scope[];
}

/** Changes settings of a payee that other slices have, and answers how they are then: names and values as people write them. */
export type SetForPayee = (
  payee: string | undefined,
  changes: readonly (readonly [name: string, value: string])[],
) => Promise<{ readonly settings: unknown; readonly described: string }>;

/** What the commands of this slice get of the machine. */
export type MerchantsRuntime = CommandRuntime<MerchantsService>;

/** `payees set` changes settings of other slices too. */
export type PayeesRuntime = MerchantsRuntime & { readonly setForPayee: SetForPayee };
