import { dispatchAfter, type Following, sentWith } from '../../engine/ask-issuer.flow.ts';
import { remainingOf } from '../../engine/leg.rules.ts';
import { originalOf } from '../../issuers/exchanges.rules.ts';
import type { FollowUpQuestion } from '../../issuers/questions.types.ts';
import { assert } from '../../kit/assert.ts';
import { forbidden, inputError, Refusal } from '../../kit/errors.ts';
import { amountMinor, ZERO_MINOR } from '../../kit/money.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import { FOLLOW_UP } from '../command-kinds.ts';
import { findCardPayment } from '../find-payment.ts';
import type { FollowUpCommand } from '../payment-commands.types.ts';
import { approvedOf } from '../payment-state.rules.ts';
import type {
  AskedTransaction,
  CardPayment,
  CardPaymentView,
  CardTransaction,
  Changed,
  FollowUpRequest,
} from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import { changePayment, viewWith } from './change-payment.flow.ts';
import { STEPS } from './effects.rules.ts';
import { requireAlone } from './submit-change.ts';

/**
 * Captures, cancels or reverses, by asking the issuer of the authorization. A decline is an outcome, and no refusal.
 *
 * @throws Refusal `notfound`
 * @throws Refusal `forbidden` where less is left than it asks for
 * @throws Refusal `referencereused`, `conflict`, and as `Submit`
 */
export async function followUpCardPayment(context: CardPaymentsContext, request: FollowUpRequest): Promise<Changed> {
  const found = await findCardPayment(context, request);
  requireAlone(found.payment);
  const { command, ...change } = await prepareFollowUp(context, request, found);
  const { transaction, isReplay } = await changePayment(context, {
    ...change,
    command,
    submit: () => context.submit(FOLLOW_UP, command),
  });
  assert(transaction !== undefined, 'a capture, cancellation or reversal has its transaction');
  if (isReplay && !isSame(command, transaction)) {
    throw new Refusal('referencereused', 'The reference is known with other content.');
  }
  const view = await viewWith(context, command, transaction.transactionId);
  return { ...view, isReplay, leftOver: [], tried: undefined };
}

/**
 * A capture, cancellation or reversal that is ready to be submitted, and what its issuer is asked then.
 *
 * @throws Refusal `forbidden` where the payment is not paid, or its agreement is there no more
 */
export async function prepareFollowUp(
  context: CardPaymentsContext,
  request: FollowUpRequest,
  { payment, transactions }: CardPaymentView,
) {
  const original = approvedOf({ payment, transactions });
  if (original === undefined) throw forbidden(request.type, 'The payment is not paid.');
  const captures = transactions.filter(({ type }) => type === 'Capture').length;
  const { exchange } = original;
  assert(exchange !== null, 'an issuer has approved what is paid');
  const { type, payeeId } = request;
  const following = await dispatchAfter(context, {
    payeeId,
    original: exchange,
    operation: STEPS[type],
    name: type,
    descriptor: payment.terms.payeeInfo.payeeName,
  });
  const command = commandOf(context, request, {
    payment,
    original,
    captures,
    following,
  });
  return {
    command,
    payment,
    tokens: [],
    askingOf: (asked: CardTransaction) => ({
      issuerId: command.issuerId,
      question: questionOf(command, { payment, original, captures, following, transaction: asked }),
    }),
  };
}

interface Loaded {
  readonly payment: CardPayment;
  /** The authorization. */
  readonly original: AskedTransaction;
  /** That have been asked for before. */
  readonly captures: number;
  readonly following: Following;
}

function commandOf(
  context: CardPaymentsContext,
  request: FollowUpRequest,
  { payment, original, following }: Loaded,
): FollowUpCommand {
  const { payeeId, actor, type, amount, vatAmount, description, payeeReference, idempotencyKey } = request;
  const { issuerId, exchange } = original;
  assert(issuerId !== null && exchange !== null, 'an issuer has approved what is paid');
  if (amount !== undefined && (vatAmount ?? 0) > amount) {
    throw inputError('transaction.vatAmount', 'must not be above the amount');
  }
  return {
    payeeId,
    commandId: context.newId(),
    actor,
    paymentId: payment.paymentId,
    transactionId: context.newId() as TransactionId,
    attemptId: context.newId(),
    issuerId,
    dispatch: following.dispatch,
    refusal: following.refusal,
    originalAttemptId: exchange.attemptId,
    type,
    amount: amount === undefined ? undefined : amountMinor(amount),
    vatAmount: vatAmount === undefined ? undefined : amountMinor(vatAmount),
    vatAuthorized: payment.orderId === null ? original.vatAmount : ZERO_MINOR,
    description: description ?? null,
    reference: payeeReference ?? null,
    releasesRest: context.issuers.named(issuerId).captures === 'one',
    payeeReference: payeeReference && `${type}:${payeeReference}`,
    idempotencyKey: idempotencyKey && `${type.toLowerCase()}:${idempotencyKey}`,
  };
}

function isSame(command: FollowUpCommand, known: CardTransaction): boolean {
  return (
    command.paymentId === known.paymentId &&
    command.type === known.type &&
    (command.amount === undefined || command.amount === known.amount) &&
    (command.type === 'Cancellation' || (command.vatAmount ?? ZERO_MINOR) === known.vatAmount) &&
    command.description === known.description &&
    command.reference === known.payeeReference
  );
}

function questionOf(
  { payeeId, actor, attemptId, type, dispatch }: FollowUpCommand,
  { payment, original, captures, following: { card }, transaction }: Loaded & { readonly transaction: CardTransaction },
): FollowUpQuestion {
  const { exchange } = original;
  assert(exchange !== null, 'an issuer was asked for what is paid');
  return {
    payeeId,
    attemptId: transaction.attemptId ?? attemptId,
    operation: STEPS[type],
    amount: transaction.amount,
    releasedAmount: transaction.released,
    currency: payment.currency,
    original: originalOf(exchange),
    sequence: {
      number: captures + (type === 'Capture' ? 1 : 0),
      isLast: transaction.amount + transaction.released === remainingOf(payment).capture,
    },
    ...(card !== undefined && { card }),
    ...sentWith(dispatch, actor),
  };
}
