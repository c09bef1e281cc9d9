import type { AlongStatement, Standing } from '../../db/reading/walk.types.ts';
import type { OnOneConnection, Transact } from '../../db/transaction.types.ts';
import type { Invariant, Search } from '../../journal/invariants.types.ts';
import { nextPortion } from '../../kit/work/next-portion.ts';
import type { BadRow, Finding, Looked, Pace, Verified } from './health.types.ts';
import { PACE, placeToLookFrom } from './portions.rules.ts';
import { beginVerification, INVARIANTS, lookAtAll, lookAtPortion } from './verifications.ts';

/**
 * Looks whether every invariant of the ledger holds, beside the service. What is large is walked in portions, each as of an instant of its
 * own: a snapshot that is held keeps PostgreSQL from cleaning up what payments leave behind, and slows them.
 *
 * @param reports gives transactions that see one instant each
 * @param more what must hold of the tables of slices above this one
 */
export function verifyLedger(
  reports: OnOneConnection,
  more: readonly Invariant[],
  pace: Partial<Pace> = {},
): Promise<Verified> {
  return reports(async (report) => {
    const verifiedAt = await report(beginVerification);
    const findings: Finding[] = [];
    for (const { holds, searches } of [...INVARIANTS, ...more]) {
      let badRow: BadRow | undefined;
      for (const search of searches) badRow ??= await searchAll(report, search, { ...PACE, ...pace, verifiedAt });
      findings.push({ holds, badRow });
    }
    const broken = findings.filter(({ badRow }) => badRow !== undefined).length;
    return { verifiedAt, invariants: findings.length, broken, findings };
  });
}

/** The first row that a search finds. */
async function searchAll(
  report: Transact,
  search: Search,
  { verifiedAt, ...pace }: Pace & Pick<Verified, 'verifiedAt'>,
): Promise<BadRow | undefined> {
  if (!isAlong(search)) return report((transaction) => lookAtAll(transaction, search));
  let rows = Math.min(pace.first, search.along.first ?? pace.first);
  let standing: Standing = { from: undefined, groupEnd: undefined };
  do {
    const portion = { ...standing, rows };
    const startedAt = performance.now();
    const { badRow, next, groupEnd }: Looked = await report((transaction) =>
      lookAtPortion(transaction, search, portion),
    );
    if (badRow !== undefined) return badRow;
    const tookMs = performance.now() - startedAt;
    if (next !== undefined) await pace.rest?.(tookMs);
    rows = nextPortion(rows, tookMs, pace);
    standing = { from: next && placeToLookFrom(next, Date.parse(verifiedAt)), groupEnd };
  } while (standing.from !== undefined);
  return undefined;
}

function isAlong(search: Search): search is AlongStatement {
  return search.along !== undefined;
}
