import { answerOfSilence } from '../engine/leg.rules.ts';
import type { Answer } from '../engine/leg.types.ts';
import type { DueAttempt } from '../issuers/issuers.types.ts';
import { SERVICE } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import type { AccountId } from '../ledger/ledger.types.ts';
import type { AccountsContext, SettleAttemptCommand, SettledAttempt } from './accounts.types.ts';
import { SETTLE_ATTEMPT, SETTLE_CHARGE } from './command-kinds.ts';

/** What an attempt is about, as it is known before the answer is there. */
export type AboutAttempt = Omit<SettleAttemptCommand, 'commandId' | 'answer'>;

/**
 * Stores an issuer's answer.
 *
 * @throws Refusal `gatewaytimeout` where no answer came in time, or it could not be stored: what was asked for is or will
 * be reversed, and a repeat tells so
 */
export async function settleAttempt(
  context: AccountsContext,
  about: AboutAttempt,
  answer: Answer,
): Promise<SettledAttempt> {
  const command = { ...about, commandId: context.newId(), answer };
  const submitted = about.charged ? context.submit(SETTLE_CHARGE, command) : context.submit(SETTLE_ATTEMPT, command);
  const settled = await submitted.catch((error: unknown) => {
    throw noAnswer(error);
  });
  if ((settled.transaction ?? settled.payment).state === 'REVERSED') throw noAnswer(undefined);
  return settled;
}

function noAnswer(cause: unknown): Refusal {
  return new Refusal('gatewaytimeout', 'The issuer did not answer in time. Repeat with the same reference.', { cause });
}

/**
 * Gives up an attempt without a stored answer: the process that asked has died between the call and its answer. The
 * payment, capture or reversal counts as reversed from now on, and a cancel as done; the issuer is told so in one of the
 * next rounds.
 */
export async function giveUpAttempt(context: AccountsContext, attempt: DueAttempt): Promise<void> {
  const { payeeId, attemptId, issuerId, paymentId, transactionId, accountId } = attempt;
  await context.submit(SETTLE_ATTEMPT, {
    payeeId,
    commandId: context.newId(),
    actor: SERVICE,
    attemptId,
    issuerId,
    accountId: accountId as AccountId,
    paymentId,
    transactionId,
    answer: answerOfSilence(attempt.operation),
    holdSeconds: 0,
    release: undefined,
  });
}
