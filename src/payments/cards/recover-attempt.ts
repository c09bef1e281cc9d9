import { answerOfSilence } from '../../engine/leg.rules.ts';
import type { DueAttempt, ForwardedAnswer } from '../../issuers/issuers.types.ts';
import { assert } from '../../kit/assert.ts';
import { SERVICE } from '../../kit/caller.ts';
import { submitChange } from '../changes/submit-change.ts';
import { NOTE_TAKEN_BACK, SETTLE } from '../command-kinds.ts';
import type { SettleCommand, TakenBackCommand } from '../payment-commands.types.ts';
import { selectPayment } from '../payments.store.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';

/**
 * Gives up an attempt without a stored answer: its transaction has failed, and the payment is pending. A cancellation
 * counts as done, and its issuer is told again.
 */
export function giveUpCardAttempt(context: CardPaymentsContext, attempt: DueAttempt): Promise<void> {
  return settle(context, attempt, { answer: answerOfSilence(attempt.operation) });
}

/** Stores what became of a capture that was forwarded. */
export function settleForwardedCapture(
  context: CardPaymentsContext,
  attempt: DueAttempt,
  answer: ForwardedAnswer,
): Promise<void> {
  return settle(context, attempt, { answer, from: 'FORWARDING' });
}

async function settle(
  context: CardPaymentsContext,
  attempt: DueAttempt,
  said: Pick<SettleCommand, 'answer' | 'from'>,
): Promise<void> {
  const { payment, ...about } = await find(context, attempt);
  const command: SettleCommand = {
    ...about,
    ...said,
    attemptId: attempt.attemptId,
    tokens: [],
    schemeTransactionId: undefined,
    // No recovered answer authorizes anything.
    holdSeconds: 0,
    captureId: undefined,
    sealed: undefined,
  };
  await submitChange(context, SETTLE, { command, payment });
}

/** Notes that the issuer has taken an attempt back: then the outcome is known. Twice is as once. */
export async function noteCardAttemptTakenBack(context: CardPaymentsContext, attempt: DueAttempt): Promise<void> {
  const { payment, ...about } = await find(context, attempt);
  const command: TakenBackCommand = { ...about, attemptId: attempt.attemptId };
  await submitChange(context, NOTE_TAKEN_BACK, { command, payment });
}

/** What an attempt is about: it does not say whether its payment belongs to an order. */
async function find({ newId, read }: CardPaymentsContext, { payeeId, paymentId, transactionId }: DueAttempt) {
  assert(transactionId !== null, 'an attempt at a card payment is about a transaction');
  const payment = await selectPayment(read, { payeeId, paymentId });
  assert(payment !== undefined, 'an attempt has its payment');
  return { payment, payeeId, commandId: newId(), actor: SERVICE, paymentId, transactionId };
}
