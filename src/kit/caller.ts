import type { PayeeId } from './ids.ts';
import type { Role } from './portal-user.ts';
import type { Trace } from './work/trace.ts';

/** What a credential may be allowed to do. Each endpoint needs one of these. */
export const SCOPES = [
  'tokens:read',
  'tokens:write',
  'tokens:act-as-operator',
  'tokens:act-as-issuer',
  'payers:read',
  'payers:erase',
  'payments',
  'payments:direct',
  'accounts',
  'gift-cards',
  'events',
  'webhooks',
  'deliveries',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The sender of a request, once their access token has been found valid. */
export interface Caller {
  /** The tenant that the credential belongs to; `OPERATOR` for an operator's credential. */
  readonly payeeId: PayeeId;
  /** Names the credential in logs, limits and the audit trail, as in `access-token:<id>`, `portal-user:<id>`. Not a secret. */
  readonly credential: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The OAuth client that fetched the access token: what fails counts against it, however many tokens it fetches. */
  readonly client?: string;
  /** The person behind a page of the portal; absent for programs. */
  readonly person?: Person;
  /** Of the payee, where it is stopped; absent where it is not, and for operators, who may look after one that is. */
  readonly stopped?: StoppedState;
}

/**
 * Whether a payee takes payments. `FollowUpsOnly`: what was begun can be brought to its end, and nothing new begins.
 * `Suspended`: nothing is done for it. `Closed`: for good.
 */
export const PAYEE_STATES = ['Active', 'FollowUpsOnly', 'Suspended', 'Closed'] as const;

export type PayeeState = (typeof PAYEE_STATES)[number];
export type StoppedState = Exclude<PayeeState, 'Active'>;

/** A user of the portal, whose page uses the API. */
export interface Person {
  readonly role: Role;
  /** Whether the password was given a moment ago. */
  readonly isReauthenticated: boolean;
}

/** Who does something, for the audit trail. */
export interface Actor {
  /** `access-token:<id>`, `portal-user:<id>`, `operator:cli:<person>`, `service`. */
  readonly name: string;
  /** The request that it happened in; undefined outside of one. */
  readonly sessionId: string | undefined;
  /** What counts what fails, where that is not the name: an OAuth client. */
  readonly client?: string;
  /** Where a person's request came from: IPv4 or IPv6. Programs have none in the audit trail. */
  readonly address?: string;
  /** The trace that the request is part of: not for the audit trail, but for what is called on the way. */
  readonly trace?: Trace;
}

/** Whom a failed attempt counts against. */
export function countedAs({ name, client }: Pick<Actor, 'name' | 'client'>): string {
  return client ?? name;
}

/** Who runs this process: one person for all of its life. */
let operator = '';

/** Says who runs the command of this process. */
export function nameOperator(person: string): void {
  operator = `:${person}`;
}

/** The operator who runs a command on the machine of the service: `operator:cli:<person>`, once the command line has named them. */
export const COMMAND_LINE: Actor = {
  get name() {
    return `operator:cli${operator}`;
  },
  sessionId: undefined,
};

/** What the service does by itself: at a start, in a background job. */
export const SERVICE: Actor = { name: 'service', sessionId: undefined };
