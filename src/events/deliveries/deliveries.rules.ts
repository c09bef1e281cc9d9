import type { DeliveryFailure, PostOutcome } from '../events.types.ts';

/** Seconds after the first try of a delivery at which it is tried again; after the last one it is given up. */
const DELIVERY_RETRY_SECONDS: readonly number[] = [30, 60, 360, 432, 864, 1265];

/** What the answer of a receiver means. `Gone`: it wants no more events. */
export type Verdict = 'Delivered' | 'Failed' | 'Gone';

/** Only 2xx is success. A redirect is not followed: the payee changes the address of the webhook. */
export function judge({ status, failure }: Pick<PostOutcome, 'status' | 'failure'>): Verdict {
  if (status === null || failure !== null) return 'Failed';
  if (status >= 200 && status < 300) return 'Delivered';
  return status === 410 ? 'Gone' : 'Failed';
}

/** Why a try did not work, in a word; null where it did. */
export function failureOf(outcome: Pick<PostOutcome, 'status' | 'failure'>): DeliveryFailure | null {
  if (outcome.failure !== null || judge(outcome) === 'Delivered') return outcome.failure;
  return outcome.status !== null && outcome.status >= 300 && outcome.status < 400 ? 'redirect' : 'status';
}

/** When a delivery is tried again. */
export interface NextTry {
  /** Seconds after the first try; null: never. */
  readonly nextAfterSeconds: number | null;
  /** Seconds from now where that is over already, because no process looked for a while: so no tries are wasted. */
  readonly nextGapSeconds: number;
}

/** @param tries of the present series, the one that failed included */
export function nextTry(tries: number): NextTry {
  const nextAfterSeconds = DELIVERY_RETRY_SECONDS[tries - 1] ?? null;
  const before = DELIVERY_RETRY_SECONDS[tries - 2] ?? 0;
  return { nextAfterSeconds, nextGapSeconds: (nextAfterSeconds ?? 0) - before };
}
