import type { Place } from '../../db/reading/walk.types.ts';

/** What a look at all invariants of the ledger found. */
export interface Verification {
  /** The instant as of which the books were read, ISO 8601. */
  readonly verifiedAt: string;
  /** How many were looked at. */
  readonly invariants: number;
  readonly broken: number;
}

/** A look that is kept, and who made it. */
export interface VerificationRun extends Verification {
  readonly runId: string;
  /** As the audit trail names who did it. */
  readonly actor: string;
  /** The first row that breaks an invariant, as in `account 0190…`; null where all is well. */
  readonly badRow: string | null;
}

/** The last of them. */
export interface LastVerification extends Pick<Verification, 'broken'> {
  readonly ageSeconds: number;
}

/** How long the oldest of each has waited, in seconds; 0 where none waits. */
export interface LedgerAges {
  /** A hold since its time was over. */
  readonly overdueHoldSeconds: number;
}

/** A row that breaks an invariant. */
export interface BadRow {
  readonly payeeId: string;
  /** Table and id, as in `account 0190…`. */
  readonly row: string;
}

/** What a look at a portion of a walk came to. */
export interface Looked {
  readonly badRow: BadRow | undefined;
  /** Where the walk goes on; undefined where it has come to its end. */
  readonly next: Place | undefined;
  /** See `Standing`. */
  readonly groupEnd: Place | undefined;
}

/** How a verification goes on. */
export interface Pace {
  /** Rows of a portion: of the first one, and of any at most. */
  readonly first: number;
  readonly most: number;
  /** Lets others work after a portion that took so long. */
  readonly rest?: (tookMs: number) => Promise<void>;
}

/** What became of one invariant. */
export interface Finding {
  /** The invariant, as a sentence. */
  readonly holds: string;
  /** The first row that breaks it; undefined where it holds. */
  readonly badRow: BadRow | undefined;
}

/** What became of all of them. */
export interface Verified extends Verification {
  readonly findings: readonly Finding[];
}
