import { networkOf, ONE_SUBSCRIBER } from '../../kit/addresses/network.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Client } from './client-address.ts';

/** How many requests may be under way at once; 0 is no limit. */
export interface UnderWayLimits {
  /** From one network, of callers that are not known (yet). */
  readonly ofNetwork: number;
  /** With one credential. */
  readonly ofCredential: number;
}

/** A request, as far as it is counted. */
export interface Counted {
  readonly client: Pick<Client, 'address'>;
  /** The network or credential that it counts for; undefined before and after. */
  countedFor: string | undefined;
}

/** Bounds the requests under way of each caller, so that one caller cannot take all places of a queue that others share. */
export interface UnderWay {
  /**
   * Counts a request for its network.
   *
   * @throws Refusal `unavailable` if the network has as many as it may
   */
  enter(request: Counted): void;
  /**
   * Counts a request for its credential instead, once that is known.
   *
   * @throws Refusal `unavailable` if the credential has as many as it may
   */
  identify(request: Counted, credential: string): void;
  /** A request is over, however. Safe to call twice. */
  leave(request: Counted): void;
}

/** What a request counts for that no limit holds for. */
const NOTHING = '';

/** Makes the counters of one server. */
export function createUnderWay({ ofNetwork, ofCredential }: UnderWayLimits): UnderWay {
  const counts = new Map<string, number>();
  const leave = (request: Counted): void => {
    const { countedFor } = request;
    request.countedFor = undefined;
    if (countedFor === undefined || countedFor === NOTHING) return;
    const left = (counts.get(countedFor) ?? 1) - 1;
    if (left === 0) counts.delete(countedFor);
    else counts.set(countedFor, left);
  };
  const count = (request: Counted, key: string, most: number): void => {
    leave(request);
    const before = counts.get(key) ?? 0;
    if (most > 0 && before >= most) throw tooManyUnderWay();
    if (most > 0) counts.set(key, before + 1);
    request.countedFor = most > 0 ? key : NOTHING;
  };
  return {
    enter: (request) => count(request, networkOf(request.client.address, ONE_SUBSCRIBER), ofNetwork),
    identify: (request, credential) => {
      // A look-up of the caller may end after the request was given up.
      if (request.countedFor !== undefined) count(request, credential, ofCredential);
    },
    leave,
  };
}

/** What a request is refused with while too many others of its caller have not been answered. */
export function tooManyUnderWay(): Refusal {
  return new Refusal(
    'unavailable',
    'Too many of your requests are under way. Wait for answers, then repeat this one.',
    {
      retryAfterSeconds: 1,
    },
  );
}
