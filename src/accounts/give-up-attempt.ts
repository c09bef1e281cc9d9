import type { DueAttempt } from '../issuers/issuers.types.ts';
import { SERVICE } from '../kit/caller.ts';
import type { AccountId } from '../ledger/ledger.types.ts';
import type { AccountsWorld } from './accounts.types.ts';
import { SETTLE_ATTEMPT } from './command-kinds.ts';

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
