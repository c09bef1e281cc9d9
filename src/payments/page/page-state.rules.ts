import { stateBy } from '../../engine/leg.rules.ts';
import { LEG_STATES, type Leg } from '../../engine/leg.types.ts';
import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import { EXPIRED, isPaidByToken, shownState } from '../payment-state.rules.ts';
import type { CardPaymentView, CardTransaction } from '../payments.types.ts';
import type { PageState, Undone } from './page.types.ts';

/** What a payer finds on the page of a payment; undefined where it has none, because it is paid without its payer. */
export function pageStateOf({ payment, transactions, now }: CardPaymentView): PageState | undefined {
  if (isPaidByToken(payment)) return undefined;
  if (payment.paidBy !== null) return 'paid';
  const state = shownState(payment, now);
  if (state === 'Pending') return 'pending';
  if (state === 'Failed') return 'failed';
  if (state === 'Aborted') {
    return payment.state === 'Aborted' && payment.abortReason !== EXPIRED ? 'aborted' : 'expired';
  }
  const last = transactions.at(-1);
  if (last?.state === 'AwaitingActivity') return 'authentication';
  return last?.state === 'Failed' ? 'declined' : 'ready';
}

/** Whether a payer can pay now. */
export function canBePaid(state: PageState): boolean {
  return state === 'ready' || state === 'declined' || state === 'authentication';
}

/**
 * What became of all that was paid, where none of it is the payee's any more: given back after it was charged, at least in
 * part, or cancelled before. Undefined where something is left, or nothing was to be paid.
 */
export function undoneAs(leg: Leg): Undone | undefined {
  const state = stateBy(LEG_STATES, leg);
  return state === 'Reversed' || state === 'Cancelled' ? state : undefined;
}

/** The reason of an abort that a payee makes for its payer, or its payer by leaving the page again and again. */
export const CANCELLED_BY_CONSUMER = 'CancelledByConsumer';

/** Whether a payment, or its last try, came to nothing because its payer wanted so. */
export function isEndedByPayer({ payment, transactions }: Pick<CardPaymentView, 'payment' | 'transactions'>): boolean {
  if (payment.state === 'Aborted') return payment.abortReason === CANCELLED_BY_CONSUMER;
  return transactions.at(-1)?.problem === '3dsecureusercancelled';
}

/** Problems of tries that say nothing about the card: its issuer has not looked at it. */
const UNDECIDED: readonly CardProblemCode[] = ['acquirererror', 'acquirergatewayerror', 'acquirergatewaytimeout'];

/** Whether a try has told its payer that a card is not good, or good for 3-D Secure only. */
export function isDeclined({ state, problem }: Pick<CardTransaction, 'state' | 'problem'>): boolean {
  return state === 'Failed' && problem !== null && !UNDECIDED.includes(problem);
}
