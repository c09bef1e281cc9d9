import { nameOfActor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { createFairTurns, type Party, strangerAt } from '../../kit/work/fair-turns.ts';
import type { EdgeState } from './edge.types.ts';
import { callerGone } from './expect.ts';

/** Bytes that are read at once in one turn of the event loop. The longest body keeps a processor busy for some 30 ms. */
const BYTES_AT_ONCE = 8 * 1024;
/** Bodies below that are never long: most have a third of it. */
const SHORT_BODY_BYTES = 2 * 1024;
/** Milliseconds between two of them for all others. */
const OTHERS_MS = 2;
/** Long bodies that wait for their turn: more than are read in the time that one waits. */
const WAITING = 256;
/** Milliseconds that one waits at most: as many as for the database. */
const PATIENCE_MS = 2_500;

/**
 * Makes what tells whether a body keeps others waiting: one of 8 KiB, or one that comes with others and makes that much with
 * them: two hundred that are each a little shorter take as long.
 */
export function tellingLongBodies(): (edge: EdgeState) => boolean {
  let bytes = 0;
  return ({ request }) => {
    const { length } = (request.body as Buffer | undefined) ?? NO_BODY;
    if (length < SHORT_BODY_BYTES) return false;
    if (bytes === 0) setImmediate(() => (bytes = 0));
    bytes += length;
    return bytes >= BYTES_AT_ONCE;
  };
}

const NO_BODY = { length: 0 };

/**
 * Makes what lets long bodies take turns: one is read and checked, then all who have sent a request meanwhile are answered,
 * then the next one follows. Payees take turns too, and strangers by their networks, so that the bodies of one do not hold up those
 * of another. Nothing is begun for a caller who has gone away while they waited.
 *
 * @throws Refusal `unavailable` where too many wait, or one has waited too long; `requesttimeout` where its caller has gone away
 */
export function turnsOfLongBodies(): (edge: EdgeState, read: () => void) => Promise<void> {
  const turns = createFairTurns({ atOnce: 1, waiting: WAITING, patienceMs: PATIENCE_MS, refusal: tooMany });
  return (edge, read) =>
    turns(partyOf(edge), () => {
      if (edge.reply.raw.destroyed) return Promise.reject(callerGone());
      read();
      return othersFirst();
    });
}

/** A known caller is their payee, wherever they send from: behind a proxy that is not named, all have one address. */
function partyOf({ caller, client }: EdgeState): Party {
  return caller === undefined ? strangerAt(client.address) : [caller.payeeId, nameOfActor(caller.credential)];
}

/** Counted from when the sockets have been read: a connection that waited to be accepted has its request read and answered, too. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setTimeout(resolve, OTHERS_MS)));
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'Too many long bodies wait to be read.', { retryAfterSeconds: 1 });
}
