import type { Transaction } from '../../db/transaction.types.ts';
import { type Actor, countedAs } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/secret.ts';
import { checkAllAttempts, countAttempt } from '../../merchants/attempts/count-attempt.ts';
import type { AttemptCounter, AttemptLimit } from '../../merchants/merchants.types.ts';

/** Look-ups that find nothing, for one caller and for all of a payee, in a window before they are 429; and its seconds. */
export const UNKNOWN_NUMBERS = 20;
export const UNKNOWN_NUMBERS_OF_PAYEE = 200;
const UNKNOWN_NUMBER_WINDOW_SECONDS = 600;

/** Who looks a card up by its number. */
export interface LookingUp {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** Whether look-ups that find nothing count against a limit. */
  readonly isLimited: boolean;
}

const OF_CALLER: AttemptLimit = {
  kind: 'unknown-account-number',
  attempts: UNKNOWN_NUMBERS,
  windowSeconds: UNKNOWN_NUMBER_WINDOW_SECONDS,
  refusal: 'Too many unknown numbers or wrong codes were sent with this credential.',
};

/** A user with the right to make clients could make one for every twenty numbers. */
const OF_PAYEE: AttemptLimit = {
  ...OF_CALLER,
  kind: 'unknown-account-number-payee',
  attempts: UNKNOWN_NUMBERS_OF_PAYEE,
  refusal: 'Too many unknown numbers or wrong codes were sent with credentials of this payee.',
};

function countersOf({ payeeId, actor }: LookingUp): AttemptCounter[] {
  return [
    { subject: { payeeId, digest: sha256(countedAs(actor)) }, limit: OF_CALLER },
    { subject: { payeeId, digest: sha256(payeeId) }, limit: OF_PAYEE },
  ];
}

/**
 * Refuses a caller that has no look-ups left.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkLookUps(transaction: Transaction, looking: LookingUp): Promise<void> {
  if (looking.isLimited) await checkAllAttempts(transaction, countersOf(looking));
}

/**
 * Counts one that found nothing: an unknown number, or a card whose code, expiry or id was not as sent. They count alike, so
 * that neither the limit nor the time that it takes tells them apart.
 *
 * @throws Refusal `toomanyrequests` where others have used up what was left meanwhile
 */
export async function countLookUp(transaction: Transaction, looking: LookingUp): Promise<void> {
  if (!looking.isLimited) return;
  for (const { subject, limit } of countersOf(looking)) await countAttempt(transaction, subject, limit);
}
