import type { Read } from '../../db/transaction.types.ts';
import { type RowsAdded, restMs } from './rest.rules.ts';
import { selectRowsAdded } from './verification.store.ts';

/** The server counts once a second what a session has done. */
const LOOK_MS = 2_000;

/**
 * Lets payments go on beside a look at the books, which takes a core while it works.
 *
 * @returns rests after work that took so many milliseconds, where payments are made at that time
 */
export function restBeside(read: Read, pause: (ms: number) => Promise<unknown>): (tookMs: number) => Promise<void> {
  let before: RowsAdded | undefined;
  let latest: RowsAdded | undefined;
  return async (tookMs) => {
    const atMs = performance.now();
    if (latest === undefined || atMs - latest.atMs >= LOOK_MS) {
      [before, latest] = [latest, { rows: await selectRowsAdded(read), atMs }];
    }
    const ms = restMs(tookMs, before, latest);
    if (ms > 0) await pause(ms);
  };
}
