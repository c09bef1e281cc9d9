import { assert } from '../kit/assert.ts';
import { forbidden, notFound } from '../kit/errors.ts';
import { type AmountMinor, amountMinor } from '../kit/money.ts';
import type {
  Account,
  Decision,
  LedgerState,
  MovementDraft,
  Payment,
  PaymentTransaction,
  TakenReference,
} from '../ledger/ledger.types.ts';
import { releaseHold, remainingOf, settledState } from '../ledger/payments.rules.ts';
import { post } from '../ledger/postings.rules.ts';
import type { FollowUpCommand, PaymentEcho, TransactionEcho, TransactionResult } from './accounts.types.ts';
import { hasRoomFor, referenceReused } from './opening.rules.ts';
import { sameTransaction } from './same-content.rules.ts';

type FollowingUp = Decision<TransactionResult>;

/** A payment after a step, and the money that the step moves. */
interface Step {
  readonly payment: Payment;
  readonly movements: readonly MovementDraft[];
  readonly amount: AmountMinor;
  readonly event: string;
}

/** What a step starts from. */
interface Ground {
  readonly payment: Payment;
  readonly account: Account;
}

/**
 * Decides on a capture, cancel or reversal. What the payment's state forbids has no effect and leaves the reference free.
 *
 * @throws Refusal `notfound` where the payment is not one of the account's
 * @throws Refusal `referencereused` where the reference is known with other content, or the order is another one
 * @throws Refusal `forbidden` whose problem is named `Capture`, `Cancel` or `Reversal`
 */
export function decideFollowUp(state: LedgerState, command: FollowUpCommand): FollowingUp {
  if (state.taken !== undefined) return known(state, state.taken, command);
  const payment = state.payment(command.paymentId);
  const account = state.account(command.accountId);
  if (payment === undefined || account === undefined || payment.accountId !== account.accountId) throw notFound();
  if (payment.paymentOrderRef !== command.paymentOrderRef) throw referenceReused();
  const step = STEPS[command.operation](command, { payment, account });
  const transaction = transactionOf(command, { payment, amount: step.amount, now: state.now });
  return {
    answer: (applied) => {
      assert(applied.payment !== undefined && applied.transaction !== undefined, 'the effect has both rows');
      return { payment: applied.payment, transaction: applied.transaction, isDuplicate: false };
    },
    effect: {
      payment: step.payment,
      transaction,
      movements: step.movements,
      event: step.event,
      action: `${command.operation.toLowerCase()}-payment`,
    },
  };
}

function known(state: LedgerState, taken: TakenReference, command: FollowUpCommand): FollowingUp {
  const transaction = taken.transactionId === null ? undefined : state.transaction(taken.transactionId);
  const payment = state.payment(taken.paymentId);
  if (transaction === undefined || payment === undefined) throw referenceReused();
  const isOwn = taken.commandId === command.commandId;
  if (!isOwn && !sameTransaction(command, transaction)) throw referenceReused();
  return { answer: () => ({ payment, transaction, isDuplicate: !isOwn && !command.repeat }) };
}

const STEPS: Readonly<Record<FollowUpCommand['operation'], (command: FollowUpCommand, ground: Ground) => Step>> = {
  Capture: capture,
  Cancel: cancel,
  Reversal: reverse,
};

function capture(command: FollowUpCommand, { payment, account }: Ground): Step {
  const amount = askedAmount(command);
  if (amount > remainingOf(payment).capture) {
    throw forbidden('Capture', 'The amount is above what is left to capture.');
  }
  const { transactionId } = command;
  const captured = { ...payment, captured: amountMinor(payment.captured + amount) };
  const movements = post({ kind: 'Capture', account, payment, amount, transactionId });
  const rest = remainingOf(captured).cancel;
  if (rest === 0)
    return { payment: { ...captured, holdExpiresAt: null }, movements, amount, event: 'payment.captured' };
  if (!command.cancelRemainingAuth) return { payment: captured, movements, amount, event: 'payment.captured' };
  const released = post({ kind: 'Cancel', account, payment, amount: rest, transactionId });
  return { payment: releaseHold(captured), movements: [...movements, ...released], amount, event: 'payment.captured' };
}

function cancel({ transactionId }: FollowUpCommand, { payment, account }: Ground): Step {
  const amount = remainingOf(payment).cancel;
  if (amount === 0) throw forbidden('Cancel', 'Nothing is left to cancel.');
  return {
    payment: releaseHold(payment),
    movements: post({ kind: 'Cancel', account, payment, amount, transactionId }),
    amount,
    event: 'payment.cancelled',
  };
}

function reverse(command: FollowUpCommand, { payment, account }: Ground): Step {
  const amount = askedAmount(command);
  if (amount > remainingOf(payment).reversal) {
    throw forbidden('Reversal', 'The amount is above what is left to give back.');
  }
  if (account.kind === 'StoredValue') refuseImpossibleReversal({ payment, account }, amount);
  const reversed = { ...payment, reversed: amountMinor(payment.reversed + amount) };
  return {
    payment: { ...reversed, state: settledState(reversed) },
    movements: post({ kind: 'Reversal', account, payment, amount, transactionId: command.transactionId }),
    amount,
    event: 'payment.reversed',
  };
}

/** Money that came in can be taken back as far as it is still there; money that went out must find room. */
function refuseImpossibleReversal({ payment, account }: Ground, amount: AmountMinor): void {
  const takesBack = payment.operation === 'Deposit' || payment.operation === 'Credit';
  if (takesBack && amount > account.available) {
    throw forbidden('Reversal', 'Less than that is available on the account.');
  }
  if (!takesBack && !hasRoomFor(account, amount)) throw forbidden('Reversal', 'The account may not hold so much.');
}

function askedAmount({ amount }: FollowUpCommand): AmountMinor {
  assert(amount !== undefined, 'captures and reversals have an amount');
  return amount;
}

function transactionOf(
  command: FollowUpCommand,
  { payment, amount, now }: { readonly payment: Payment; readonly amount: AmountMinor; readonly now: string },
): PaymentTransaction {
  const { payeeId, transactionId, paymentId, operation, paymentOrderRef, paymentTransactionRef } = command;
  const original = payment.echo as PaymentEcho;
  const echo: TransactionEcho = {
    words: command.words,
    circumstances: command.circumstances,
    currency: payment.currency,
    issuer: original.issuer,
    cancelRemainingAuth: command.cancelRemainingAuth,
  };
  return {
    payeeId,
    transactionId,
    paymentId,
    operation,
    state: 'OK',
    amount,
    paymentOrderRef,
    paymentTransactionRef,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
  };
}
