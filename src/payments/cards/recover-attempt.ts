import { answerOfSilence } from '../../engine/leg.rules.ts';
import type { DueAttempt } from '../../issuers/issuers.types.ts';
import { assert } from '../../kit/assert.ts';
import { SERVICE } from '../../kit/caller.ts';
import { NOTE_TAKEN_BACK, SETTLE } from '../command-kinds.ts';
import type { CardPaymentsContext } from '../payments.types.ts';

/**
 * Gives up an attempt without a stored answer: its transaction has failed, and the payment is pending. A cancellation
 * counts as done, and its issuer is told again.
 */
export async function giveUpCardAttempt(context: CardPaymentsContext, attempt: DueAttempt): Promise<void> {
  await context.submit(SETTLE, {
    ...about(context, attempt),
    attemptId: attempt.attemptId,
    answer: answerOfSilence(attempt.operation),
    tokens: [],
    schemeTransactionId: undefined,
    captureId: undefined,
    sealed: undefined,
  });
}

/** Notes that the issuer has taken an attempt back: then the outcome is known. Twice is as once. */
export async function noteCardAttemptTakenBack(context: CardPaymentsContext, attempt: DueAttempt): Promise<void> {
  await context.submit(NOTE_TAKEN_BACK, { ...about(context, attempt), attemptId: attempt.attemptId });
}

function about({ newId }: CardPaymentsContext, { payeeId, paymentId, transactionId }: DueAttempt) {
  assert(transactionId !== null, 'an attempt at a card payment is about a transaction');
  return { payeeId, commandId: newId(), actor: SERVICE, paymentId, transactionId };
}
