import type { Remaining } from '../engine/leg.types.ts';
import { offers } from '../issuers/issuers.rules.ts';
import type { Issuers } from '../issuers/issuers.types.ts';
import type { TransactionOperation } from '../ledger/ledger.types.ts';
import { operationOfTry } from './changes/effects.rules.ts';
import { approvedOf, isPaidByToken, possibleWith, remainingAt, shownState } from './payment-state.rules.ts';
import type { CardPayment, CardPaymentView, Possible, ShownState } from './payments.types.ts';
import { brandsTaken, channelWanted } from './terms.rules.ts';

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
    remaining: remainingAt(payment, now),
    possible: possibleWith(payment, now),
    isToBeTried: isPaidByToken(payment) && state === 'Ready' && transactions.length === 0,
  };
}

/** What can be done with a payment now, but for what its acquirer does not offer. */
export function offered(view: CardPaymentView, issuers: Pick<Issuers, 'named'>): readonly Possible[] {
  return shownPayment(view).possible.filter((what) => {
    const step = ASKED_FOR[what];
    return step === undefined || isOffered(view, issuers, step);
  });
}

/** Whether the acquirer that has approved a payment can be asked for a step. */
export function isOffered(
  view: Pick<CardPaymentView, 'payment' | 'transactions'>,
  issuers: Pick<Issuers, 'named'>,
  step: TransactionOperation,
): boolean {
  const issuerId = approvedOf(view)?.issuerId;
  return issuerId == null || offers(issuers.named(issuerId), step);
}

/** Brands whose cards a payment takes: those that its payee wants, and has an agreement for. */
export function brandsOffered(
  {
    payeeId,
    terms,
    currency,
    ...payment
  }: Pick<CardPayment, 'payeeId' | 'terms' | 'currency' | 'operation' | 'intent'>,
  issuers: Pick<Issuers, 'hasRoute'>,
): readonly string[] {
  const operation = operationOfTry({ ...payment, currency });
  const wanted = { operation, currency, channel: channelWanted(terms.cards) };
  return brandsTaken(terms).filter((brand) => issuers.hasRoute(payeeId, { ...wanted, brand }));
}

/** What an acquirer is asked for. */
const ASKED_FOR: Readonly<Partial<Record<Possible, TransactionOperation>>> = {
  capture: 'Capture',
  cancel: 'Cancel',
  reverse: 'Reversal',
};
