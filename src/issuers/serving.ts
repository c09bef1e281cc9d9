import { stopAll } from '../kit/work/background.ts';
import type { composeIssuers } from './compose.ts';
import { type RecoveryContext, startRecoveringAttempts } from './recover-attempts.job.ts';
import { startRecordingTrace } from './trace/record-trace.job.ts';

/** Looks after attempts that no process finished, and keeps the trace. */
export function startJobs(
  { asker, settlers, days, buffer }: ReturnType<typeof composeIssuers>,
  given: Omit<RecoveryContext, 'asker' | 'settlers'>,
) {
  return {
    stop: stopAll([
      startRecoveringAttempts({ ...given, asker, settlers: settlers(given.transact) }),
      startRecordingTrace({ ...given, days, buffer }),
    ]),
  };
}
