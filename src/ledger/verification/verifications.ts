import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { LastVerification, VerificationRun, Verified } from './health.types.ts';
import { insertRun, selectInstant, selectRuns, selectVerification } from './verification.store.ts';
import { INVARIANTS, searchPortion, searchWhole } from './verify.store.ts';

/** What must hold of the ledger's own tables. */
export { INVARIANTS };

/** The instant as of which a verification begins. */
export const beginVerification = selectInstant;

/** Searches whole tables, as of the instant that the transaction sees. */
export const lookAtAll = searchWhole;

/** Searches the next rows of a walk, as of the instant that the transaction sees. */
export const lookAtPortion = searchPortion;

/** Keeps a verification and who made it. The last result is shown by all instances; an earlier one that comes late does not replace it. */
export async function noteVerification(
  transaction: Transaction,
  { verifiedAt, invariants, broken, findings }: Verified,
  { newId, actor }: { readonly newId: () => string; readonly actor: Actor },
): Promise<void> {
  const badRow = findings.find((finding) => finding.badRow !== undefined)?.badRow?.row ?? null;
  await insertRun(transaction, OPERATOR, { runId: newId(), verifiedAt, invariants, broken, badRow }, actor);
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
