import type { OnOneConnection } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import type { Finding, Verified } from './health.types.ts';
import { beginVerification, INVARIANTS, lookAt } from './verifications.ts';

/**
 * Looks whether every invariant of the ledger holds, beside the service. Each is looked at as of one instant of its own: one snapshot that is
 * held for all of them would keep payments slow as long as it takes.
 *
 * @param reports gives transactions that see one instant each
 * @param more what must hold of the tables of slices above this one
 */
export function verifyLedger(reports: OnOneConnection, more: readonly Invariant[]): Promise<Verified> {
  return reports(async (report) => {
    const verifiedAt = await report(beginVerification);
    const findings: Finding[] = [];
    for (const invariant of [...INVARIANTS, ...more]) {
      findings.push(await report((transaction) => lookAt(transaction, invariant)));
    }
    const broken = findings.filter(({ badRow }) => badRow !== undefined).length;
    return { verifiedAt, invariants: findings.length, broken, findings };
  });
}
