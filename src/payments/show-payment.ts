import { remainingOf } from '../engine/leg.rules.ts';
import type { Remaining } from '../engine/leg.types.ts';
import { isPaidByToken, possibleWith, shownState } from './payment-state.rules.ts';
import type { CardPaymentView, Possible, ShownState } from './payments.types.ts';

/** What a payment's answer says beside its columns. */
export interface ShownPayment {
  readonly state: ShownState;
  readonly remaining: Remaining;
  readonly possible: readonly Possible[];
  /** Whether it is paid with a token and has not been tried yet. */
  readonly isToBeTried: boolean;
}

/** What is left of a payment, and what can be done with it now. */
export function shownPayment({ payment, transactions, now }: CardPaymentView): ShownPayment {
  const state = shownState(payment, now);
  return {
    state,
    remaining: remainingOf(payment),
    possible: possibleWith(payment, now),
    isToBeTried: isPaidByToken(payment) && state === 'Ready' && transactions.length === 0,
  };
}
