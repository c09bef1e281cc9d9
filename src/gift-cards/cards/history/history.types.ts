import type { LifeStep } from '../life.types.ts';

/**
 * What happened to a card beside money. `Replacement`: it came in the place of another one. `Receive`: another one was emptied
 * onto it. `Sell`: the first money came to one that was issued to be sold later.
 */
export type HistoryStep = LifeStep | 'Issue' | 'Import' | 'Sell' | 'Replacement' | 'Receive';

/** A line of a card's history, as the audit trail and the card's steps have it. */
export interface HistoryEntry {
  readonly at: string;
  readonly step: HistoryStep;
  /** As the audit trail names it; null: not known. */
  readonly actor: string | null;
  /** What the actor is called: a person, or an access token; null where it has no name. */
  readonly actorName: string | null;
  /** As they were given with a step that was asked for. */
  readonly reason: string | null;
  readonly reference: string | null;
  /** The other card of a merge or a replacement. */
  readonly otherAccountId: string | null;
  readonly otherMasked: string | null;
  /** What it began with or what moved, in minor units. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** The file that it was done by: its name, and its SHA-256 in hexadecimal digits. */
  readonly file: string | null;
  readonly digest: string | null;
  /** `YYYY-MM-DD`, the last day that it was given. */
  readonly until: string | null;
}
