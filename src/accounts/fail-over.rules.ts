import { newAttempt, settledAttempt } from '../engine/leg.rules.ts';
import { assert } from '../kit/assert.ts';
import type { Decision, LedgerState } from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment } from './account-payments.types.ts';
import type { FailOverCommand, PaymentEcho, PaymentResult } from './accounts.types.ts';
import { changePayment } from './payment-change.rules.ts';

/**
 * Decides on asking another acquirer for a payment, because the one before was not asked or has asked no issuer: the attempt
 * before is over with what is known of it, and the next one is stored before its acquirer is asked. Where the payment waits
 * no longer, or for another attempt, it changes nothing.
 */
export function decideFailOver(state: LedgerState, command: FailOverCommand): Decision<PaymentResult> {
  const { payeeId, paymentId, accountId, from, answer, attempt } = command;
  const before = state.row(PAYMENTS, paymentId);
  const account = state.account(accountId);
  assert(before !== undefined && account !== undefined, 'a payment that waits has its row and account');
  const { operation, amount, currency } = before;
  const echo = before.echo as PaymentEcho;
  assert(operation !== 'Deposit', 'an external issuer takes no deposits');
  // It was stored by the same command before: the answer to its commit was lost.
  if (before.state === 'CALLING' && echo.issuer === attempt.issuerId) {
    return { answer: () => ({ payment: before, kind: 'Call' }) };
  }
  if (before.state !== 'CALLING' || echo.issuer !== from.issuerId) {
    return { answer: () => ({ payment: before, kind: 'Done' }) };
  }
  const waiting: Payment = { ...before, echo: { ...echo, issuer: attempt.issuerId } };
  const { payment, effect, object } = changePayment(state.now, { before, payment: waiting, account });
  const asked = { payeeId, paymentId, transactionId: null, accountId, operation, amount, currency };
  return {
    answer: () => ({ payment, kind: 'Call' }),
    effect: {
      ...effect,
      object,
      action: 'fail-over-payment',
      writes: [
        settledAttempt({ payeeId, attemptId: from.attemptId }, answer),
        newAttempt({ ...attempt, ...asked }, state.now),
      ],
    },
  };
}
