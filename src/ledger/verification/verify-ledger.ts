import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { LastVerification, Verification } from './health.types.ts';
import { selectInstant, selectVerification, upsertVerification } from './verification.store.ts';
import { type BadRow, findBadRow, INVARIANTS } from './verify.store.ts';

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
 * Looks whether every invariant of the ledger holds. In a transaction that sees one instant it may run beside the service.
 *
 * @param more what must hold of the tables of slices above this one
 */
export async function verifyLedger(transaction: Transaction, more: readonly Invariant[]): Promise<Verified> {
  const findings: Finding[] = [];
  for (const invariant of [...INVARIANTS, ...more]) {
    findings.push({ holds: invariant.holds, badRow: await findBadRow(transaction, invariant) });
  }
  const broken = findings.filter(({ badRow }) => badRow !== undefined).length;
  return { verifiedAt: await selectInstant(transaction), invariants: findings.length, broken, findings };
}

/** Keeps the result of a verification for the instances to show. One of an earlier instant that comes late changes nothing. */
export function noteVerification(transaction: Transaction, verification: Verification): Promise<void> {
  return upsertVerification(transaction, OPERATOR, verification);
}

/** The result of the last verification; undefined where there was none. */
export async function lastVerification(read: Read): Promise<LastVerification | undefined> {
  const { rows } = await selectVerification(read, OPERATOR);
  return rows[0];
}
