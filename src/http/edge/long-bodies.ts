import { Refusal } from '../../kit/errors.ts';
import { createFairTurns } from '../../kit/work/fair-turns.ts';
import type { EdgeState } from './edge.types.ts';

/** Bytes from which a body takes its turn; most requests have a tenth of it. The longest one keeps a processor busy for some 30 ms. */
const LONG_BODY_BYTES = 8 * 1024;
/** Milliseconds between two of them for all others. */
const OTHERS_MS = 2;
/** Long bodies that wait for their turn: more than are read in the time that one waits. */
const WAITING = 256;
/** Milliseconds that one waits at most: as many as for the database. */
const PATIENCE_MS = 2_500;

/** Whether what is done with the body of a request keeps others waiting. */
export function hasLongBody({ request }: EdgeState): boolean {
  const body = request.body as Buffer | undefined;
  return body !== undefined && body.length >= LONG_BODY_BYTES;
}

/**
 * Makes what lets long bodies take turns: one is read and checked, then all who have sent a request meanwhile are answered,
 * then the next one follows. Networks take turns too, so that those of one do not hold up those of another.
 *
 * @throws Refusal `unavailable` where too many wait, or one has waited too long
 */
export function turnsOfLongBodies(): (edge: EdgeState, read: () => void) => Promise<void> {
  const turns = createFairTurns({ atOnce: 1, waiting: WAITING, patienceMs: PATIENCE_MS, refusal: tooMany });
  return (edge, read) =>
    turns(edge.client.address, () => {
      read();
      return othersFirst();
    });
}

/** Counted from when the sockets have been read: a connection that waited to be accepted has its request read and answered, too. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setTimeout(resolve, OTHERS_MS)));
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'Too many long bodies wait to be read.', { retryAfterSeconds: 1 });
}
