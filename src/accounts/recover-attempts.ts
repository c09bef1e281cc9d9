import type { Transaction } from '../db/transaction.types.ts';
import type { DueAttempt } from '../issuers/issuers.types.ts';
import { noteReversed, takeDue } from '../issuers/take-due-attempts.ts';
import { assert } from '../kit/assert.ts';
import { SERVICE } from '../kit/caller.ts';
import { ISSUER_ANSWER_MS } from '../kit/limits.ts';
import type { AccountId } from '../ledger/ledger.types.ts';
import type { AccountsWorld } from './accounts.types.ts';
import { SETTLE_ATTEMPT } from './command-kinds.ts';

/** Attempts whose deadline has passed, or whose reversal has to be tried again; nobody else takes them for a while. */
export function takeDueAttempts(transaction: Transaction): Promise<readonly DueAttempt[]> {
  return takeDue(transaction);
}

/**
 * Gives up an attempt that nobody has stored an answer of: whoever asked has died between the call and its answer. The
 * payment, capture, cancel or reversal counts as reversed from now on, and the issuer is told so in one of the next
 * rounds.
 */
export async function giveUpAttempt(world: AccountsWorld, attempt: DueAttempt): Promise<void> {
  const { payeeId, attemptId, paymentId, transactionId, accountId } = attempt;
  await world.submit(SETTLE_ATTEMPT, {
    payeeId,
    commandId: world.newId(),
    actor: SERVICE,
    attemptId,
    accountId: accountId as AccountId,
    paymentId,
    transactionId,
    answer: { outcome: 'NoAnswer' },
    holdSeconds: 0,
  });
}

/** Tells the issuer to take an attempt back. Resolves once it has confirmed. */
export async function reverseAtIssuer(world: AccountsWorld, attempt: DueAttempt): Promise<void> {
  const { host } = world.issuers.named(attempt.issuerId);
  assert(host !== undefined, 'an attempt was made at an external issuer');
  await world.withDeadline(ISSUER_ANSWER_MS, (signal) => host.reverse(attempt, signal));
}

/** Notes that an issuer has taken an attempt back. */
export function noteReversal(transaction: Transaction, attempt: DueAttempt): Promise<void> {
  return noteReversed(transaction, attempt);
}
