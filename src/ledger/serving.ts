import type { JobContext } from '../db/job-context.types.ts';
import type { composeLedger } from './compose.ts';
import { startExpiringHolds } from './expiry/expire-overdue.job.ts';

/** Releases holds whose time is over. */
export function startJobs({ ledger, newId }: ReturnType<typeof composeLedger>, jobs: JobContext) {
  return { stop: startExpiringHolds({ ...jobs, ledger, newId }) };
}
