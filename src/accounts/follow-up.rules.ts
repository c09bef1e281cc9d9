import { newAttempt, reserve, stepOn } from '../engine/leg.rules.ts';
import type { LegStep } from '../engine/leg.types.ts';
import type { AuditAction, EventType } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import { forbidden, notFound } from '../kit/errors.ts';
import type { AmountMinor } from '../kit/money.ts';
import type {
  Account,
  AccountChange,
  Decision,
  LedgerState,
  TakenReference,
  TransactionOperation,
} from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment, type PaymentTransaction, TRANSACTIONS } from './account-payments.types.ts';
import type { FollowUpCommand, PaymentEcho, TransactionEcho, TransactionResult } from './accounts.types.ts';
import { hasRoomFor, referenceReused } from './new-payment.rules.ts';
import { changePayment } from './payment-change.rules.ts';
import { sameTransaction } from './same-content.rules.ts';
import { afterStep, legOf, movementsOf } from './steps.rules.ts';

type FollowingUp = Decision<TransactionResult>;

/** What a step starts from. */
interface Loaded {
  readonly payment: Payment;
  readonly account: Account;
}

/** What others are told when an issuer has answered about a step, or has not. */
export const STEP_EVENTS = {
  Capture: {
    done: 'payment.captured',
    declined: 'payment.capture-declined',
    takenBack: 'payment.capture-taken-back',
  },
  Cancel: {
    done: 'payment.cancelled',
    declined: 'payment.cancel-declined',
    takenBack: 'payment.cancel-taken-back',
  },
  Reversal: {
    done: 'payment.reversed',
    declined: 'payment.reversal-declined',
    takenBack: 'payment.reversal-taken-back',
  },
} as const satisfies Readonly<Record<TransactionOperation, Readonly<Record<string, EventType>>>>;

/** Verbs of steps for the audit trail. */
const ACTIONS: Readonly<Record<TransactionOperation, AuditAction>> = {
  Capture: 'capture-payment',
  Cancel: 'cancel-payment',
  Reversal: 'reversal-payment',
};

/**
 * Decides on a capture, cancel or reversal. What the payment's state forbids has no effect and leaves the reference free.
 * On a card of an external issuer what is allowed is reserved, until the issuer has been asked.
 *
 * @throws Refusal `notfound` where the payment is not one of the account's
 * @throws Refusal `referencereused` where the reference is known with other content, or the order is another one
 * @throws Refusal `forbidden` whose problem is named `Capture`, `Cancel` or `Reversal`, or `PaymentOrder` where the payment is
 *   a leg of an order
 */
export function decideFollowUp(state: LedgerState, command: FollowUpCommand): FollowingUp {
  if (state.taken !== undefined) return known(state, state.taken, command);
  const payment = state.row(PAYMENTS, command.paymentId);
  const account = state.account(command.accountId);
  if (payment === undefined || account === undefined || payment.accountId !== account.accountId) throw notFound();
  if (payment.orderId !== null) throw forbidden('PaymentOrder', 'The payment belongs to a payment order: change that.');
  if (payment.paymentOrderRef !== command.paymentOrderRef && !hasNoOrder(payment)) throw referenceReused();
  const loaded = { payment, account };
  // What is to wait may have another answer after that.
  if (command.refusal?.code === 'conflict') throw command.refusal;
  const transaction = transactionOf(command, payment, {
    step: stepOf(command, loaded),
    now: state.now,
  });
  if (account.kind !== 'External') return carriedOut(command, loaded, transaction);
  if (command.refusal !== undefined) throw command.refusal;
  return calling(command, loaded, transaction);
}

function known(state: LedgerState, taken: TakenReference, command: FollowUpCommand): FollowingUp {
  const transaction = state.row(TRANSACTIONS, taken.transactionId);
  const payment = state.row(PAYMENTS, taken.objectId);
  if (transaction === undefined || payment === undefined) throw referenceReused();
  const isOwn = taken.commandId === command.commandId;
  const answer = (kind: TransactionResult['kind']) => ({ answer: () => ({ payment, transaction, kind }) });
  if (transaction.state === 'CALLING') return answer(isOwn ? 'Call' : 'Calling');
  if (isOwn) return answer('Done');
  if (!sameTransaction(command, transaction)) throw referenceReused();
  return answer(command.repeat ? 'Done' : 'Duplicate');
}

function carriedOut(
  command: FollowUpCommand,
  { payment, account }: Loaded,
  transaction: PaymentTransaction,
): FollowingUp {
  const { transactionId, createdAt } = transaction;
  const { effect, object, ...rows } = changePayment(createdAt, {
    before: payment,
    payment: afterStep(payment, transaction),
    transaction,
    event: STEP_EVENTS[command.operation].done,
    account,
  });
  return {
    answer: () => ({ ...rows, kind: 'Done' }),
    effect: {
      object,
      movements: movementsOf(transaction, { account, payment, transactionId }),
      action: ACTIONS[command.operation],
      ...effect,
      ...(blocks(command, payment) && { accountChanges: [blocked(account, createdAt)] }),
    },
  };
}

function hasNoOrder({ echo }: Payment): boolean {
  return (echo as PaymentEcho).hasNoOrder === true;
}

/** A card whose deposit is reversed is blocked where that is asked for; a card that gets money back is not. */
function blocks({ operation, block }: FollowUpCommand, payment: Payment): boolean {
  return block && operation === 'Reversal' && payment.operation === 'Deposit';
}

function blocked({ accountId }: Account, now: string): AccountChange {
  return { accountId, blockedAt: now, blockedUntil: null };
}

/** An external issuer has the word: what the step takes is reserved, and the attempt is written before the call. */
function calling(command: FollowUpCommand, { payment, account }: Loaded, transaction: PaymentTransaction): FollowingUp {
  const { attempt, payeeId, paymentId, transactionId, accountId } = command;
  assert(attempt !== undefined, 'a follow-up on an external card names its attempt');
  const now = transaction.createdAt;
  const asked = { operation: command.operation, amount: transaction.amount, currency: payment.currency };
  const { effect, object, ...rows } = changePayment(now, {
    before: payment,
    payment: reserve(payment, transaction),
    transaction: { ...transaction, state: 'CALLING' as const },
    account,
  });
  return {
    answer: () => ({ ...rows, kind: 'Call' }),
    effect: {
      object,
      action: ACTIONS[command.operation],
      writes: [newAttempt({ ...attempt, payeeId, paymentId, transactionId, accountId, ...asked }, now)],
      ...effect,
    },
  };
}

/** Why nothing can be done, where less is left than is asked for. */
const LESS_IS_LEFT: Readonly<Record<TransactionOperation, string>> = {
  Capture: 'The amount is above what is left to capture.',
  Cancel: 'Nothing is left to cancel.',
  Reversal: 'The amount is above what is left to give back.',
};

function stepOf(command: FollowUpCommand, { payment, account }: Loaded): LegStep {
  const { operation, amount, releasesRest } = command;
  assert(operation === 'Cancel' || amount !== undefined, 'captures and reversals have an amount');
  const step = stepOn(legOf(payment), { operation, amount, releasesRest });
  if (typeof step === 'string') throw forbidden(operation, LESS_IS_LEFT[operation]);
  if (operation === 'Reversal' && account.kind === 'StoredValue') {
    refuseImpossibleReversal({ payment, account }, step.amount);
  }
  return step;
}

/** Money that came in can be reversed as far as it is still there; money that went out must find room. */
function refuseImpossibleReversal({ payment, account }: Loaded, amount: AmountMinor): void {
  if (account.closedAt !== null) {
    throw forbidden('Reversal', 'The card has ended and takes no money back: give it back in another way.');
  }
  const isMoneyIn = payment.operation === 'Deposit' || payment.operation === 'Credit';
  if (isMoneyIn && amount > account.available) {
    throw forbidden('Reversal', 'Less than that is available on the account.');
  }
  if (!isMoneyIn && !hasRoomFor(account, amount)) throw forbidden('Reversal', 'The account may not hold so much.');
}

function transactionOf(
  command: FollowUpCommand,
  payment: Payment,
  { step, now }: { readonly step: LegStep; readonly now: string },
): PaymentTransaction {
  const { payeeId, transactionId, paymentId, paymentOrderRef, paymentTransactionRef } = command;
  const original = payment.echo as PaymentEcho;
  const echo: TransactionEcho = {
    words: command.words,
    circumstances: command.circumstances,
    currency: payment.currency,
    issuer: original.issuer,
    cancelRemainingAuth: command.cancelRemainingAuth,
    ...(command.block && { block: true }),
  };
  return {
    payeeId,
    transactionId,
    paymentId,
    ...step,
    state: 'OK',
    paymentOrderRef,
    paymentTransactionRef,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
  };
}
