import type { Read, Transact, Transaction } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { LastVerification, Verification, VerificationRun } from './health.types.ts';
import { insertRun, selectInstant, selectRuns, selectVerification } from './verification.store.ts';
import { type BadRow, INVARIANTS, searchBadRow } from './verify.store.ts';

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

/**
 * Looks whether every invariant of the ledger holds, beside the service. Each is looked at as of one instant of its own: one snapshot that is
 * held for all of them would keep payments slow as long as it takes.
 *
 * @param report gives a transaction that sees one instant
 * @param more what must hold of the tables of slices above this one
 */
export async function verifyLedger(report: Transact, more: readonly Invariant[]): Promise<Verified> {
  const verifiedAt = await report(selectInstant);
  const findings: Finding[] = [];
  for (const invariant of [...INVARIANTS, ...more]) {
    const badRow = await report((transaction) => searchBadRow(transaction, invariant));
    findings.push({ holds: invariant.holds, badRow });
  }
  const broken = findings.filter(({ badRow }) => badRow !== undefined).length;
  return { verifiedAt, invariants: findings.length, broken, findings };
}

/** Keeps a verification and who made it. The last result is shown by all instances; an earlier one that comes late does not replace it. */
export async function noteVerification(
  transaction: Transaction,
  { verifiedAt, invariants, broken, findings }: Verified,
  { newId, actor }: { readonly newId: () => string; readonly actor: Actor },
): Promise<void> {
  const badRow = findings.find((finding) => finding.badRow !== undefined)?.badRow?.row ?? null;
  await insertRun(transaction, OPERATOR, { runId: newId(), verifiedAt, actor: actor.name, invariants, broken, badRow });
}

/** Runs that are listed. */
const LISTED_RUNS = 1000;

/** The runs that were kept, the latest first. */
export function listVerifications(transaction: Transaction): Promise<readonly VerificationRun[]> {
  return selectRuns(transaction, OPERATOR, LISTED_RUNS);
}

/** The result of the last verification; undefined where there was none. */
export async function lastVerification(read: Read): Promise<LastVerification | undefined> {
  const { rows } = await selectVerification(read, OPERATOR);
  return rows[0];
}
