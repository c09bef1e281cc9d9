import { Refusal } from '../kit/errors.ts';
import { IN_FLIGHT_POLL_MS, IN_FLIGHT_WAIT_MS } from '../kit/limits.ts';
import type { AccountsWorld, ResultKind } from './accounts.types.ts';

/** A command, and how to see whether what its reference stands for still waits for an issuer. */
export interface Settling<Result> {
  submit(): Promise<Result>;
  isCalling(result: Result): Promise<boolean>;
}

/**
 * Submits a command; where an earlier request with its reference still waits for an issuer, waits with it for a while.
 *
 * @throws Refusal `conflict` where the issuer takes longer; and as the submission
 */
export async function whenSettled<Result extends { readonly kind: ResultKind }>(
  { pause }: Pick<AccountsWorld, 'pause'>,
  { submit, isCalling }: Settling<Result>,
): Promise<Result> {
  let result = await submit();
  for (let waitedMs = 0; result.kind === 'Calling'; waitedMs += IN_FLIGHT_POLL_MS) {
    if (waitedMs >= IN_FLIGHT_WAIT_MS) throw inFlight();
    await pause(IN_FLIGHT_POLL_MS);
    if (!(await isCalling(result))) result = await submit();
  }
  return result;
}

function inFlight(): Refusal {
  return new Refusal('conflict', 'A request with this reference waits for its issuer.', {
    retryAfterSeconds: 1,
  });
}
