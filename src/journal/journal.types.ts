import type { Actor, ActorColumns } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AuditAction, AuditObject } from './actions.rules.ts';
import type { AuditDetail } from './audit-details.rules.ts';
import type { EventResource, EventType } from './events.rules.ts';

export type { AuditAction, AuditObject, EventResource, EventType };

/** One thing that an actor did: who, what, to which object. The database adds when. */
export interface AuditEntry {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** The catalogue says what kind of object it is done to. */
  readonly action: AuditAction;
  readonly objectId: string;
  /** What a reader needs beside that. Never a secret, never card data; free text was scanned before. */
  readonly details?: AuditDetails;
}

/** The same as its row. */
export interface AuditRow extends Pick<AuditEntry, 'payeeId' | 'action' | 'objectId'>, ActorColumns {
  readonly auditId: string;
  readonly objectKind: AuditObject;
  readonly sessionId: string | null;
  readonly details: NonNullable<AuditEntry['details']>;
}

/** Values by their names, each of which has words in the portal's languages. */
export type AuditDetails = { readonly [Name in AuditDetail]?: string | number | boolean };

/**
 * Something that happened to a resource, for programs that want to be told. It is thin: a receiver reads the resource.
 */
export interface EventDraft {
  readonly payeeId: PayeeId;
  /** The catalogue says what kind of resource it happens to. */
  readonly type: EventType;
  readonly resourceId: string;
  /** Counts up by one for each resource, under its lock. */
  readonly resourceSequence: number;
  /** ISO 8601 in UTC. */
  readonly happenedAt: string;
  /** Ids, states and amounts. Never a secret, a card number or a payer's data. */
  readonly payload: Readonly<Record<string, string | number | boolean | null>>;
  readonly callback?: Callback;
}

/** The same as its row. */
export interface EventRow extends Omit<EventDraft, 'callback'> {
  readonly eventId: string;
  readonly resourceKind: EventResource;
  readonly callbackUrl: string | null;
  readonly callbackBody: Callback['body'] | null;
}

/** An event as a rule makes it: whose it is and when it happened is not for a rule to say. */
export interface OwnEvent extends Omit<EventDraft, 'payeeId' | 'happenedAt'> {
  readonly payeeId?: never;
  readonly happenedAt?: never;
}

/** A POST that an event asks for beside the feed and the webhooks: where to, and what. */
export interface Callback {
  readonly url: string;
  /** Ids and numbers. */
  readonly body: Readonly<Record<string, unknown>>;
}
