import type { JobContext } from '../../db/job-context.types.ts';
import type { NoteRefused } from '../../kit/refused-caller.ts';
import type { Kontor } from '../../kontor.types.ts';
import { gatherRefused } from './refused-callers.flow.ts';

/** How often refused callers are written down: the first of them is in the audit trail within so many milliseconds. */
const REFUSALS_INTERVAL_MS = 1_000;

/** Tells the audit trail who was refused, beside the requests. */
export interface RefusedCallersJob {
  readonly note: NoteRefused;
  /** Writes what is left, and ends. */
  stop(): Promise<void>;
}

/** Starts the job. What was noted and not written yet is lost where the process is killed, and only there. */
export function startNotingRefused(
  { background, transact }: JobContext,
  { config: { mode } }: Kontor,
  now: () => number,
): RefusedCallersJob {
  const refused = gatherRefused({ transact, mode, now });
  const stop = background.repeat('note-refused-callers', REFUSALS_INTERVAL_MS, () => refused.write());
  return {
    note: refused.note,
    async stop() {
      await stop();
      await background.attempt('note-refused-callers', () => refused.write(true));
    },
  };
}
