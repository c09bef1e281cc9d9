import type { CardHistory } from '../engine/card-history/card-history.types.ts';
import { mustWait } from '../engine/card-history/retry-limits.rules.ts';
import { NO_LEG, newAttempt } from '../engine/leg.rules.ts';
import type { AuditAction, EventType } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import { countedAs } from '../kit/caller.ts';
import { forbidden, notFound, Refusal } from '../kit/errors.ts';
import { addSeconds } from '../kit/instants.ts';
import { LARGEST_AMOUNT_MINOR, ZERO_MINOR } from '../kit/money.ts';
import type { Account, Decision, LedgerState, PaymentOperation, TakenReference } from '../ledger/ledger.types.ts';
import { post } from '../ledger/postings.rules.ts';
import { PAYMENTS, type Payment } from './account-payments.types.ts';
import type { NewPaymentCommand, PaymentResult } from './accounts.types.ts';
import { type Decline, declineOf, isMoneyIn } from './identifying/decline.rules.ts';
import { strike } from './identifying/strikes.rules.ts';
import { changePayment } from './payment-change.rules.ts';
import { samePayment } from './same-content.rules.ts';
import { counted, flowOf, limitPassed, turnoversIn } from './turnover/turnover.rules.ts';
import type { LimitReached } from './turnover/turnover.types.ts';

type NewPaymentDecision = Decision<PaymentResult | LimitReached>;

/** Past tense of what a payment does, for events. */
const DONE: Readonly<Record<PaymentOperation, EventType>> = {
  Authorize: 'payment.authorized',
  Purchase: 'payment.purchased',
  Deposit: 'payment.deposited',
  Credit: 'payment.credited',
};

/** Verbs for the audit trail. */
const ACTIONS: Readonly<Record<PaymentOperation, AuditAction>> = {
  Authorize: 'authorize-payment',
  Purchase: 'purchase-payment',
  Deposit: 'deposit-payment',
  Credit: 'credit-payment',
};

/**
 * Decides on an authorize, purchase, deposit or credit. A known reference has no effect; a decline is an outcome that is
 * stored; what is impossible leaves the reference free.
 *
 * @throws Refusal `referencereused` where the reference is known with other content
 * @throws Refusal `forbidden` where the account may not hold so much, or cannot take money at all
 */
export function decideNewPayment(state: LedgerState<CardHistory>, command: NewPaymentCommand): NewPaymentDecision {
  if (state.taken !== undefined) return known(state, state.taken, command);
  const account = state.account(command.accountId);
  if (account === undefined) throw notFound();
  const decline = declineOf(command, account, state.now);
  if (decline !== undefined) return declined(command, account, { decline, now: state.now });
  if (isMoneyIn(command)) refuseTooMuch(command, account);
  if (account.kind !== 'External') return doneWithin(state, command, account);
  const limited = limitOn(state, command);
  if (limited !== undefined) return declined(command, account, { decline: limited, now: state.now });
  if (command.attempt !== undefined) return calling(command, account, state.now);
  return declined(command, account, { decline: NO_ACQUIRER, now: state.now });
}

/** No agreement of the payee is for the card in this currency. */
const NO_ACQUIRER: Decline = { problem: 'acquirererror', isStrike: false };

/**
 * Why a card is not charged: its issuer has said never to try it again, or its payee has to wait. The payee's program has the
 * card here, as with a stored one.
 */
function limitOn({ rows: [history] }: LedgerState<CardHistory>, { charged }: NewPaymentCommand): Decline | undefined {
  if (charged === undefined || history === undefined) return undefined;
  if (history.isBlocked) return { problem: 'carddeclined', isStrike: false };
  return mustWait(history, charged.brand) ? { problem: 'velocitycheck', isStrike: false } : undefined;
}

function known(state: LedgerState<CardHistory>, taken: TakenReference, command: NewPaymentCommand): NewPaymentDecision {
  const payment = taken.transactionId === null ? state.row(PAYMENTS, taken.objectId) : undefined;
  if (payment === undefined) throw referenceReused();
  const isOwn = taken.commandId === command.commandId;
  if (payment.state === 'CALLING') return { answer: () => ({ payment, kind: isOwn ? 'Call' : 'Calling' }) };
  if (isOwn) return { answer: () => ({ payment, kind: 'Done' }) };
  if (!samePayment(command, payment)) throw referenceReused();
  return { answer: () => ({ payment, kind: command.repeat ? 'Done' : 'Duplicate' }) };
}

/** 422: the reference stands for something else. */
export function referenceReused(): Refusal {
  return new Refusal('referencereused', 'paymentTransactionRef or paymentOrderRef stands for something else.', {
    problems: [{ name: 'paymentTransactionRef', description: 'must be new, or come with the content that it had' }],
  });
}

function refuseTooMuch({ operation, amount }: NewPaymentCommand, account: Account): void {
  if (account.kind === 'External' && operation === 'Deposit') {
    throw forbidden(operation, 'Money cannot be deposited on a card of another issuer.');
  }
  if (account.kind === 'StoredValue' && !hasRoomFor(account, amount)) {
    throw forbidden(operation, 'The account may not hold so much.');
  }
}

/** Whether the account may hold so much more. */
export function hasRoomFor({ available, held, largestBalance }: Account, amount: number): boolean {
  return available + held + amount <= (largestBalance ?? LARGEST_AMOUNT_MINOR);
}

function declined(
  command: NewPaymentCommand,
  account: Account,
  { decline, now }: { readonly decline: Decline; readonly now: string },
): NewPaymentDecision {
  const failed: Payment = { ...freshPayment(command, now), state: 'FAILED', problem: decline.problem };
  const { payment, effect, object } = changePayment(now, {
    before: undefined,
    payment: failed,
    event: 'payment.declined',
    account,
  });
  return {
    answer: () => ({ payment, kind: 'Done' }),
    effect: {
      object,
      action: ACTIONS[command.operation],
      ...effect,
      ...(decline.isStrike && { accountChanges: [strike(account, countedAs(command.actor), now)] }),
    },
  };
}

/** An external issuer has the word: the payment waits for its answer, and the attempt is written before the call. */
function calling(command: NewPaymentCommand, account: Account, now: string): NewPaymentDecision {
  const { attempt, payeeId, paymentId, accountId, operation, amount, currency } = command;
  assert(attempt !== undefined && operation !== 'Deposit', 'a payment on an external card names its attempt');
  const asked = { operation, amount, currency };
  const waiting: Payment = { ...freshPayment(command, now), state: 'CALLING' };
  const { payment, effect, object } = changePayment(now, { before: undefined, payment: waiting, account });
  return {
    answer: () => ({ payment, kind: 'Call' }),
    effect: {
      object,
      action: ACTIONS[command.operation],
      writes: [newAttempt({ ...attempt, payeeId, paymentId, transactionId: null, accountId, ...asked }, now)],
      ...effect,
    },
  };
}

/** Counts to the limits of the card's product; does nothing where it would pass one. */
function doneWithin(state: LedgerState<CardHistory>, command: NewPaymentCommand, account: Account): NewPaymentDecision {
  const { operation, amount } = command;
  const turnovers = turnoversIn(state, command.turnovers);
  const limit = limitPassed(turnovers, flowOf(operation), amount);
  if (limit !== undefined) return { answer: () => ({ kind: 'Limited', limit }) };
  const { answer, effect } = done(command, account, state.now);
  if (turnovers.length === 0 || effect === undefined) return { answer, ...(effect && { effect }) };
  return {
    answer,
    effect: { ...effect, rows: [...(effect.rows ?? []), ...counted(turnovers, flowOf(operation), amount)] },
  };
}

function done(command: NewPaymentCommand, account: Account, now: string): NewPaymentDecision {
  const holdExpiresAt = addSeconds(now, command.holdSeconds);
  const good = carriedOut(freshPayment(command, now), account, holdExpiresAt);
  const { movements, event } = good;
  const { payment, effect, object } = changePayment(now, { before: undefined, payment: good.payment, event, account });
  return {
    answer: () => ({ payment, kind: 'Done' }),
    effect: { object, movements, action: ACTIONS[command.operation], ...effect },
  };
}

/** A payment that is good, and the money that it moves. */
export function carriedOut(payment: Payment, account: Account, holdExpiresAt: string) {
  const { operation, amount } = payment;
  const isHold = operation === 'Authorize';
  const good: Payment = {
    ...payment,
    state: 'OK',
    captured: isHold ? ZERO_MINOR : amount,
    holdExpiresAt: isHold && amount > 0 ? holdExpiresAt : null,
  };
  return {
    payment: good,
    movements: post({ kind: operation, account, payment: good, amount }),
    event: DONE[operation],
  };
}

function freshPayment(command: NewPaymentCommand, now: string): Payment {
  const { payeeId, paymentId, accountId, operation, amount, currency, echo } = command;
  return {
    payeeId,
    paymentId,
    accountId,
    operation,
    state: 'OK',
    currency,
    holdExpiresAt: null,
    paymentOrderRef: command.paymentOrderRef,
    paymentTransactionRef: command.paymentTransactionRef,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
    eventSequence: 0,
    orderId: null,
    ...NO_LEG,
    amount,
  };
}
