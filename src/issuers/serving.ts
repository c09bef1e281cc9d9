import type { JobContext } from '../db/job-context.types.ts';
import { stopAll } from '../kit/work/background.ts';
import type { composeIssuers } from './compose.ts';
import { startRecoveringAttempts } from './recover-attempts.job.ts';
import { startRecordingTrace } from './trace/record-trace.job.ts';

/** Looks after attempts that no process finished, and keeps the trace. */
export function startJobs({ asker, settlers, days, buffer }: ReturnType<typeof composeIssuers>, jobs: JobContext) {
  return {
    stop: stopAll([
      startRecoveringAttempts({ ...jobs, asker, settlers: settlers(jobs.transact) }),
      startRecordingTrace({ ...jobs, days, buffer }),
    ]),
  };
}
