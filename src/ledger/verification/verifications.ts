import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { Finding, LastVerification, VerificationRun, Verified } from './health.types.ts';
import { insertRun, selectInstant, selectRuns, selectVerification } from './verification.store.ts';
import { INVARIANTS, searchBadRow } from './verify.store.ts';

/** What must hold of the ledger's own tables. */
export { INVARIANTS };

/** The instant as of which a verification begins. */
export const beginVerification = selectInstant;

/** Looks whether an invariant holds, as of the instant that the transaction sees. */
export async function lookAt(transaction: Transaction, invariant: Invariant): Promise<Finding> {
  return { holds: invariant.holds, badRow: await searchBadRow(transaction, invariant) };
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
