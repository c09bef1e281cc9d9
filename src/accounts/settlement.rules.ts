import { CARD_VERDICT, type CardHistory } from '../engine/card-history/card-history.types.ts';
import { verdictOf } from '../engine/card-history/retry-limits.rules.ts';
import { newAdvice, problemAfter, settle, settledAttempt, standingAfter } from '../engine/leg.rules.ts';
import type { Answer } from '../engine/leg.types.ts';
import { assert } from '../kit/assert.ts';
import { addSeconds } from '../kit/instants.ts';
import { type RowWrite, write } from '../kit/row-writes.ts';
import type { Account, Decision, Effect, LedgerState } from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment, type PaymentTransaction, TRANSACTIONS } from './account-payments.types.ts';
import type { PaymentEcho, SettleAttemptCommand, SettledAttempt } from './accounts.types.ts';
import { STEP_EVENTS } from './follow-up.rules.ts';
import { carriedOut } from './new-payment.rules.ts';
import { changePayment, type PaymentChange } from './payment-change.rules.ts';
import { movementsOf, withState } from './steps.rules.ts';

type Settlement = Decision<SettledAttempt>;

/** What an attempt is about. */
interface Loaded {
  readonly payment: Payment;
  readonly account: Account;
  readonly now: string;
}

/**
 * Applies what an issuer answered, or that it did not: then what was asked for counts as reversed, and the issuer is told
 * so until it confirms. Only what waits for an answer is changed; a late one finds another state and changes nothing,
 * because the change of the state has the attempt taken back.
 */
export function decideSettlement(state: LedgerState<CardHistory>, command: SettleAttemptCommand): Settlement {
  const payment = state.row(PAYMENTS, command.paymentId);
  const account = state.account(command.accountId);
  assert(payment !== undefined && account !== undefined, 'an attempt has its payment and account');
  const loaded = { payment, account, now: state.now };
  if (command.transactionId === null) return settleNewPayment(command, loaded);
  const transaction = state.row(TRANSACTIONS, command.transactionId);
  assert(transaction !== undefined, 'an attempt at a capture, cancel or reversal has its row');
  return settleFollowUp(command, loaded, transaction);
}

/** The same of the charge of a card, with what the answer says of it for later ones. */
export function decideCharge(state: LedgerState<CardHistory>, command: SettleAttemptCommand): Settlement {
  const { answer, effect } = decideSettlement(state, command);
  const [history] = state.rows;
  const { charged, payeeId } = command;
  // Without an effect it was settled before.
  if (effect === undefined || charged === undefined || history === undefined)
    return { answer, ...(effect && { effect }) };
  const verdict = verdictOf({ payeeId, ...charged }, command.answer, { history, now: state.now });
  const notes = verdict === undefined ? [] : [write(CARD_VERDICT, verdict)];
  return { answer, effect: { ...effect, writes: [...(effect.writes ?? []), ...notes] } };
}

function settleNewPayment(command: SettleAttemptCommand, loaded: Loaded): Settlement {
  const { payment: before, account, now } = loaded;
  // An attempt before the one that the payment waits for has its outcome.
  const isWaiting = before.state === 'CALLING' && (before.echo as PaymentEcho).issuer === command.issuerId;
  if (!isWaiting) return { answer: () => ({ payment: before, transaction: undefined }) };
  const after = newPaymentAfter(command, loaded);
  const { movements } = after;
  const { payment, effect, object } = changePayment(now, { ...after, before, account });
  return {
    answer: () => ({ payment, transaction: undefined }),
    effect: { object, movements, ...attemptAfter(command), ...effect },
  };
}

type After = Pick<PaymentChange, 'payment' | 'event'> & Required<Pick<Effect, 'movements'>>;

function newPaymentAfter({ answer, holdSeconds }: SettleAttemptCommand, { payment, account, now }: Loaded): After {
  switch (standingAfter(answer)) {
    case 'Done':
      return carriedOut(payment, account, addSeconds(now, holdSeconds));
    case 'Declined': {
      const failed: Payment = { ...payment, state: 'FAILED', problem: problemAfter(answer) };
      return { payment: failed, event: 'payment.declined', movements: [] };
    }
    default: {
      const reversed: Payment = { ...payment, state: 'REVERSED', cancelled: payment.amount };
      return { payment: reversed, event: 'payment.reversed', movements: [] };
    }
  }
}

/** Declined, or without an answer, what a capture, cancel or reversal had reserved is left again. */
function settleFollowUp(command: SettleAttemptCommand, loaded: Loaded, waiting: PaymentTransaction): Settlement {
  const { payment: before, account, now } = loaded;
  const { transactionId, operation, state } = waiting;
  if (state !== 'CALLING') return { answer: () => ({ payment: before, transaction: waiting }) };
  const { answer } = command;
  const standing = standingAfter(answer);
  const told = STEP_EVENTS[operation];
  const { effect, object, ...rows } = changePayment(now, {
    before,
    payment: withState(settle(before, { ...waiting, isWaiting: true }, answer)),
    transaction: standing === 'Waiting' ? waiting : { ...waiting, ...outcomeOf(answer) },
    // Of what waits for its acquirer nothing is told yet.
    ...(standing !== 'Waiting' && {
      event: { Done: told.done, Declined: told.declined, TakingBack: told.takenBack }[standing],
    }),
    account,
  });
  const isDone = standing === 'Done';
  const movements = isDone ? movementsOf(waiting, { account, payment: before, transactionId }) : [];
  const { action, writes } = attemptAfter(command);
  const released = isDone ? releaseAfter(command, { payment: before, waiting, now }) : [];
  return { answer: () => rows, effect: { object, movements, action, writes: [...writes, ...released], ...effect } };
}

/** A capture tells an issuer only what it takes: what it releases of the hold is an advice of its own. */
function releaseAfter(
  { release, payeeId, accountId, paymentId, transactionId }: SettleAttemptCommand,
  { payment, waiting, now }: { readonly payment: Payment; readonly waiting: PaymentTransaction; readonly now: string },
): RowWrite[] {
  if (release === undefined) return [];
  const asked = { operation: 'Cancel', amount: waiting.released, currency: payment.currency } as const;
  return [newAdvice({ ...release, payeeId, accountId, paymentId, transactionId, ...asked }, now)];
}

function outcomeOf(answer: Answer): Pick<PaymentTransaction, 'state' | 'problem'> {
  const standing = standingAfter(answer);
  if (standing === 'Declined') return { state: 'FAILED', problem: problemAfter(answer) };
  return { state: standing === 'Done' ? 'OK' : 'REVERSED', problem: null };
}

/** What becomes of the attempt itself. */
function attemptAfter({ payeeId, attemptId, answer, from }: SettleAttemptCommand) {
  return { action: 'settle-attempt' as const, writes: [settledAttempt({ payeeId, attemptId }, answer, from)] };
}
