import type { ExpiryContext } from './accounts/ledger-reads.types.ts';
import type { composeLedger } from './compose.ts';
import { startExpiringHolds } from './expiry/expire-overdue.job.ts';

/** Releases holds whose time is over. */
export function startJobs(
  { ledger, newId }: ReturnType<typeof composeLedger>,
  given: Omit<ExpiryContext, 'ledger' | 'newId'>,
) {
  return { stop: startExpiringHolds({ ...given, ledger, newId }) };
}
