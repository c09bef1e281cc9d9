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
  readonly credential: Credential;
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

interface OneOf<Kind extends string> {
  readonly kind: Kind;
  readonly id: string;
}

/** Who does something: each kind by its id, where there is more than one of it. */
export type Who =
  | OneOf<'access-token' | 'oauth-client' | 'portal-user' | 'operator'>
  | { readonly kind: 'payer' | 'service' | 'stranger'; readonly id?: undefined };

/** What a caller is known by: an access token, or the person behind a page of the portal. Not a secret. */
export type Credential = OneOf<'access-token' | 'portal-user'>;

/** A user of the portal, or who runs a command. */
export type KnownPerson = OneOf<'portal-user' | 'operator'>;

/** Who does something, for the audit trail. */
export type Actor = Who & Acting;

/** The circumstances of what an actor does. */
interface Acting {
  /** The request that it happened in; undefined outside of one. */
  readonly sessionId: string | undefined;
  /** What counts what fails, where that is not who does it: an OAuth client, as `nameOfActor` names it. */
  readonly client?: string;
  /** Where a person's request came from: IPv4 or IPv6. Programs have none in the audit trail. */
  readonly address?: string;
  /** The trace that the request is part of: not for the audit trail, but for what is called on the way. */
  readonly trace?: Trace;
}

/** As logs, limits and answers name who did something: `access-token:<id>`, `operator:cli:<person>`, `service`. */
export function nameOfActor({
  kind,
  id,
}: {
  readonly kind: Who['kind'];
  readonly id?: string | null | undefined;
}): string {
  return id == null ? kind : `${kind}:${id}`;
}

/** Who is named so: the other way round of `nameOfActor`. */
export function whoIs(name: string): Who {
  const [kind = '', ...id] = name.split(':');
  return (id.length === 0 ? { kind } : { kind, id: id.join(':') }) as Who;
}

/** Who did what a row of a table tells, in its columns. */
export interface ActorColumns {
  readonly actorKind: Who['kind'];
  readonly actorId: string | null;
}

/** A row with its actor's name in place of the columns. */
export function namingActor<Row extends ActorColumns>({ actorKind: kind, actorId: id, ...row }: Row) {
  return { ...row, actor: nameOfActor({ kind, id }) };
}

/** Whom a failed attempt counts against. */
export function countedAs(actor: Who & Pick<Actor, 'client'>): string {
  return actor.client ?? nameOfActor(actor);
}

/** Who runs this process: one person for all of its life. */
let operator = '';

/** Says who runs the command of this process. */
export function nameOperator(person: string): void {
  operator = `:${person}`;
}

/** The operator who runs a command on the machine of the service: `cli:<person>`, once the command line has named them. */
export const COMMAND_LINE: Actor = {
  kind: 'operator',
  get id() {
    return `cli${operator}`;
  },
  sessionId: undefined,
};

/** What the service does by itself: at a start, in a background job. */
export const SERVICE: Actor = { kind: 'service', sessionId: undefined };
