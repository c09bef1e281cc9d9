import type { Background, WorkOn } from '../kit/work/background.ts';
import type { Quiet } from '../kit/work/traffic.ts';
import type { Read, Transact } from './transaction.types.ts';

/** What all background work is started with: made once, in `wiring/jobs.ts`. */
export interface JobContext {
  /** On the connections of background work, where the planner is free. */
  readonly read: Read;
  readonly transact: Transact;
  readonly background: Background;
  readonly workOn: WorkOn;
  /** Waits for a moment without requests. */
  readonly quiet: Quiet;
}
