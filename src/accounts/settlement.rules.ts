import { settle, settledAttempt } from '../engine/leg.rules.ts';
import type { AttemptChange } from '../issuers/issuers.types.ts';
import { assert } from '../kit/assert.ts';
import { addSeconds } from '../kit/instants.ts';
import type { Account, Decision, Effect, LedgerState, Payment, PaymentTransaction } from '../ledger/ledger.types.ts';
import type { SettleAttemptCommand, SettledAttempt } from './accounts.types.ts';
import { bothRows, STEP_EVENTS } from './follow-up.rules.ts';
import { carriedOut, stored } from './opening.rules.ts';
import { movementsOf, withState } from './steps.rules.ts';

type Settlement = Decision<SettledAttempt, AttemptChange>;

/** What an attempt is about. */
interface Ground {
  readonly payment: Payment;
  readonly account: Account;
  readonly now: string;
}

/**
 * Applies what an issuer answered, or that it did not: then what was asked for counts as reversed, and the issuer is told
 * so until it confirms. Only what waits for an answer is changed; a late one finds another state and changes nothing,
 * because whoever changed the state has the attempt reversed.
 */
export function decideSettlement(state: LedgerState, command: SettleAttemptCommand): Settlement {
  const payment = state.payment(command.paymentId);
  const account = state.account(command.accountId);
  assert(payment !== undefined && account !== undefined, 'an attempt has its payment and account');
  const ground = { payment, account, now: state.now };
  if (command.transactionId === null) return settleOpening(command, ground);
  const transaction = state.transaction(command.transactionId);
  assert(transaction !== undefined, 'an attempt at a capture, cancel or reversal has its row');
  return settleFollowUp(command, ground, transaction);
}

function settleOpening(command: SettleAttemptCommand, ground: Ground): Settlement {
  const { payment } = ground;
  if (payment.state !== 'CALLING') return { answer: () => ({ payment, transaction: undefined }) };
  return {
    answer: (applied) => ({ payment: stored(applied.payment), transaction: undefined }),
    effect: { ...openingAfter(command, ground), ...attemptAfter(command) },
  };
}

function openingAfter(
  { answer, holdSeconds }: SettleAttemptCommand,
  { payment, account, now }: Ground,
): Omit<Effect, 'action'> {
  switch (answer.outcome) {
    case 'Approved':
      return carriedOut(payment, account, addSeconds(now, holdSeconds));
    case 'Declined': {
      const failed: Payment = { ...payment, state: 'FAILED', problem: answer.problem };
      return { payment: failed, event: 'payment.declined' };
    }
    default: {
      const reversed: Payment = { ...payment, state: 'REVERSED', cancelled: payment.amount };
      return { payment: reversed, event: 'payment.reversed' };
    }
  }
}

/** Declined, or without an answer, what a capture, cancel or reversal had reserved is left again. */
function settleFollowUp(command: SettleAttemptCommand, ground: Ground, transaction: PaymentTransaction): Settlement {
  const { payment } = ground;
  if (transaction.state !== 'CALLING') return { answer: () => ({ payment, transaction }) };
  return { answer: bothRows, effect: { ...followUpAfter(command, ground, transaction), ...attemptAfter(command) } };
}

function followUpAfter(
  { answer }: SettleAttemptCommand,
  { payment, account }: Ground,
  transaction: PaymentTransaction,
) {
  const { transactionId, operation, state } = transaction;
  const told = STEP_EVENTS[operation];
  const settled = withState(settle(payment, { ...transaction, isWaiting: state === 'CALLING' }, answer));
  switch (answer.outcome) {
    case 'Approved':
      return {
        payment: settled,
        transaction: { ...transaction, state: 'OK' as const },
        movements: movementsOf(transaction, { account, payment, transactionId }),
        event: told.done,
      };
    case 'Declined':
      return {
        payment: settled,
        transaction: { ...transaction, state: 'FAILED' as const, problem: answer.problem },
        event: told.declined,
      };
    default:
      return {
        payment: settled,
        transaction: { ...transaction, state: 'REVERSED' as const },
        event: told.takenBack,
      };
  }
}

/** What becomes of the attempt itself. */
function attemptAfter({ payeeId, attemptId, answer }: SettleAttemptCommand) {
  return { action: 'settle-attempt' as const, extras: [settledAttempt({ payeeId, attemptId }, answer)] };
}
