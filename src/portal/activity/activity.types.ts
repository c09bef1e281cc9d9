import type { ActorColumns } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Period } from '../newest-first.types.ts';

/** One thing that an actor did, as the audit trail has it. */
export interface Activity {
  readonly activityId: string;
  /** ISO 8601 in UTC. */
  readonly happenedAt: string;
  readonly actor: string;
  /** The name of the portal user or the access token; null where the actor has none. */
  readonly actorName: string | null;
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  /** Of the request; null where there was none. */
  readonly sessionId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The same as its row. */
export type ActivityRow = Omit<Activity, 'actor'> & ActorColumns;

/** Whose activity is looked at, and which. */
export interface ActivityFilter {
  readonly payeeId: PayeeId;
  /** What people did, or one object's history; neither is everything. */
  readonly only: 'people' | ActivityObject | undefined;
  /** When it happened. */
  readonly period: Period;
}

/** One object of the audit trail. */
export interface ActivityObject {
  readonly objectKind: string;
  readonly objectId: string;
}

/** Some of it, the newest first. */
export interface ActivityPage {
  readonly entries: readonly Activity[];
  /** What the next page begins below; null where there is none. */
  readonly next: string | null;
}
