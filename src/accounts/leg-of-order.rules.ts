import { carryOut, giveBack, NO_LEG, remainingOf, reserve } from '../engine/leg.rules.ts';
import type { LegStep } from '../engine/leg.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type AmountMinor, type Currency, ZERO_MINOR } from '../kit/money.ts';
import type { Account, Effect, MovementDraft, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import { post, postReversalToBreakage } from '../ledger/postings.rules.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { PaymentEcho, TransactionEcho } from './accounts.types.ts';
import { STEP_EVENTS } from './follow-up.rules.ts';
import { carriedOut } from './new-payment.rules.ts';
import { changePayment } from './payment-change.rules.ts';
import { afterStep, legOf, movementsOf, type StepGround, withState } from './steps.rules.ts';

// An account payment that is a leg of a payment order. Its order decides when something is done; here stands what that does
// to the payment, as for one that stands for itself.

/** A payment after a change, and the change. */
export interface ChangedLeg {
  readonly payment: Payment;
  readonly effect: Effect;
}

/** Where and when a leg is changed. */
export interface LegGround {
  readonly account: Account;
  readonly now: string;
}

/** A hold that is to be taken for an order. */
export interface HoldOfOrder {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly orderId: string;
  /** Of the order. */
  readonly number: number;
  readonly until: string;
}

/** Takes a hold: who calls has seen that so much is available. */
export function holdForOrder(hold: HoldOfOrder, { account, now }: LegGround): ChangedLeg {
  const { payeeId, paymentId, amount, currency, orderId, number, until } = hold;
  const echo: PaymentEcho = {
    accountIdentifier: { accountKey: account.numberMasked },
    words: {},
    circumstances: {},
    allowedProductIds: account.allowedProductIds,
    issuer: account.issuer,
    card: { matches: true, numberMasked: account.numberMasked, expiryMonth: null },
  };
  const fresh: Payment = {
    payeeId,
    paymentId,
    accountId: account.accountId,
    operation: 'Authorize',
    state: 'OK',
    ...NO_LEG,
    amount,
    currency,
    holdExpiresAt: null,
    paymentOrderRef: String(number),
    paymentTransactionRef: paymentId,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
    eventSequence: 0,
    orderId,
  };
  const { movements, event, payment: held } = carriedOut(fresh, account, until);
  const { payment, effect, object } = changePayment(now, { before: undefined, payment: held, event, account });
  return { payment, effect: { object, movements, action: 'authorize-payment', ...effect } };
}

/** Gives all that is left of a hold back. */
export function releaseForOrder(before: Payment, { account, now }: LegGround): ChangedLeg {
  const amount = remainingOf(legOf(before)).cancel;
  const step: LegStep = { operation: 'Cancel', amount, released: ZERO_MINOR };
  const { payment, effect, object } = changePayment(now, {
    before,
    payment: afterStep(before, step),
    event: 'payment.cancelled',
    account,
  });
  const movements = post({ kind: 'Cancel', account, payment: before, amount });
  return { payment, effect: { object, movements, action: 'cancel-payment', ...effect } };
}

/** Lets a hold stand until another instant. */
export function prolongForOrder(before: Payment, until: string, { account, now }: LegGround): ChangedLeg {
  const { payment, effect, object } = changePayment(now, {
    before,
    payment: { ...before, holdExpiresAt: before.holdExpiresAt === null ? null : until },
    account,
  });
  return { payment, effect: { object, action: 'authorize-payment', ...effect } };
}

/** A part of a transaction of an order that falls on this leg. */
export interface StepOfOrder extends LegStep {
  readonly transactionId: TransactionId;
  /** Whether it is only kept apart, until the issuer of another leg has answered. */
  readonly isWaiting: boolean;
}

const ACTIONS = { Capture: 'capture-payment', Cancel: 'cancel-payment', Reversal: 'reversal-payment' } as const;

/** Takes a part, or keeps it apart. */
export function stepForOrder(before: Payment, wanted: StepOfOrder, { account, now }: LegGround): ChangedLeg {
  const { transactionId, isWaiting, ...step } = wanted;
  const transaction = transactionOf(before, wanted, now);
  const { payment, effect, object } = changePayment(now, {
    before,
    payment: isWaiting ? reserve(before, step) : afterStep(before, step),
    transaction,
    ...(!isWaiting && { event: STEP_EVENTS[step.operation].done }),
    account,
  });
  const movements = isWaiting ? [] : movementsOf(step, { account, payment: before, transactionId });
  return { payment, effect: { object, movements, action: ACTIONS[step.operation], ...effect } };
}

/**
 * Takes a part that was kept apart, or gives it up. A gift card that has ended meanwhile takes nothing back: the acquirer has
 * done its part, so this one is done too, and what would wait on the card for the next sweep is the payee's at once.
 */
export function settleForOrder(
  before: Payment,
  { waiting, isDone }: { readonly waiting: PaymentTransaction; readonly isDone: boolean },
  { account, now }: LegGround,
): ChangedLeg {
  const { operation, amount, released, transactionId } = waiting;
  const step: LegStep = { operation, amount, released };
  const free = giveBack(before, step);
  const { payment, effect, object } = changePayment(now, {
    before,
    payment: isDone ? withState(carryOut(free, step)) : free,
    transaction: { ...waiting, ...(isDone ? { state: 'OK' } : { state: 'FAILED', problem: 'carddeclined' }) },
    event: STEP_EVENTS[operation][isDone ? 'done' : 'declined'],
    account,
  });
  const movements = isDone ? bookedOf(step, { account, payment: before, transactionId }) : [];
  return { payment, effect: { object, movements, action: 'settle-attempt', ...effect } };
}

function bookedOf(step: LegStep, ground: StepGround): readonly MovementDraft[] {
  if (ground.account.closedAt === null) return movementsOf(step, ground);
  assert(step.operation === 'Reversal', 'a card that holds something does not end');
  return [postReversalToBreakage({ ...ground, amount: step.amount })];
}

function transactionOf(payment: Payment, wanted: StepOfOrder, now: string): PaymentTransaction {
  const { payeeId, paymentId, paymentOrderRef, currency } = payment;
  const { transactionId, operation, amount, released, isWaiting } = wanted;
  const echo: TransactionEcho = {
    words: {},
    circumstances: {},
    currency,
    issuer: (payment.echo as PaymentEcho).issuer,
    cancelRemainingAuth: false,
  };
  return {
    payeeId,
    transactionId,
    paymentId,
    operation,
    amount,
    released,
    state: isWaiting ? 'CALLING' : 'OK',
    paymentOrderRef,
    paymentTransactionRef: transactionId,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
  };
}
