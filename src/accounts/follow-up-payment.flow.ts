import { type Asking, askerOf, askIssuer } from '../engine/ask-issuer.flow.ts';
import type { Answer } from '../engine/leg.types.ts';
import type { Attempt } from '../issuers/issuers.types.ts';
import { assert } from '../kit/assert.ts';
import { notFound } from '../kit/errors.ts';
import { amountMinor } from '../kit/money.ts';
import type { KnownAccount, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type {
  AccountsContext,
  FollowUp,
  FollowUpCommand,
  PaymentEcho,
  TransactionEcho,
  TransactionResult,
  TransactionView,
} from './accounts.types.ts';
import { FOLLOW_UP } from './command-kinds.ts';
import { findPaymentId, paymentOfCapture } from './get-payment.ts';
import { accountOfPath } from './identifying/find-account.ts';
import { settleAttempt } from './settle-attempt.ts';

/**
 * Carries out a capture, cancel or reversal of a payment; where an external issuer has the word, asks it between two
 * batches.
 *
 * @throws Refusal `notfound` for an unknown account or payment
 * @throws Refusal `referencereused`, `forbidden`, `conflict`, `gatewaytimeout`, and as `Submit`
 */
export async function followUpPayment(context: AccountsContext, request: FollowUp): Promise<TransactionResult> {
  const account = await accountOfPath(context, request.payeeId, request.paymentAccountId);
  const paymentId = await paymentOfPath(context, request);
  const command = commandOf(context, request, { account, paymentId });
  // Read before anything is stored: where it fails, nothing waits for an answer that was never asked for.
  const original = command.attempt && (await context.originalAttempt(command));
  return askIssuer<TransactionResult>(context, {
    prepare: () => context.submit(FOLLOW_UP, command),
    isCalling: async ({ transaction }) => (await context.lookUps.transaction(transaction))?.state === 'CALLING',
    questionOf: (called) => askingOf(command, called, original),
    settle: (_, answer) => settle(context, command, answer),
  });
}

async function settle(context: AccountsContext, command: FollowUpCommand, answer: Answer): Promise<TransactionResult> {
  const { attempt, payeeId, actor, accountId, paymentId, transactionId } = command;
  assert(attempt !== undefined, 'what an issuer was asked for has an attempt');
  const { attemptId } = attempt;
  const about = { payeeId, actor, attemptId, accountId, paymentId, transactionId, holdSeconds: 0 };
  const { payment, transaction } = await settleAttempt(context, about, answer);
  assert(transaction !== undefined, 'an attempt at a capture, cancel or reversal has its row');
  return { payment, transaction, kind: 'Done' };
}

function commandOf(
  context: AccountsContext,
  request: FollowUp,
  { account, paymentId }: { readonly account: KnownAccount; readonly paymentId: PaymentId },
): FollowUpCommand {
  const { amount } = request;
  const { issuerId, host } = context.issuers.named(account.issuer);
  return {
    payeeId: request.payeeId,
    commandId: context.newId(),
    actor: request.actor,
    operation: request.operation,
    accountId: account.accountId,
    paymentId,
    transactionId: context.newId() as TransactionId,
    amount: amount === undefined ? undefined : amountMinor(amount),
    paymentOrderRef: request.paymentOrderRef,
    paymentTransactionRef: request.paymentTransactionRef,
    repeat: request.repeat,
    cancelRemainingAuth: request.cancelRemainingAuth,
    block: request.block,
    words: request.words,
    circumstances: request.circumstances,
    attempt: host && { attemptId: context.newId(), issuerId },
  };
}

/** Asks for what was reserved; the issuer knows the payment by the attempt that made it. */
function askingOf(
  { attempt, payeeId, actor }: FollowUpCommand,
  { payment, transaction }: TransactionView,
  original: Pick<Attempt, 'attemptId'> | undefined,
): Asking {
  assert(attempt !== undefined && original !== undefined, 'an external issuer was asked for the payment');
  assert(payment.operation !== 'Deposit', 'an external issuer takes no deposits');
  const { attemptId, issuerId } = attempt;
  const { operation, amount, released } = transaction;
  const merchant = (transaction.echo as TransactionEcho).words.merchant ?? (payment.echo as PaymentEcho).words.merchant;
  return {
    issuerId,
    question: {
      payeeId,
      attemptId,
      operation,
      amount,
      releasedAmount: released,
      currency: payment.currency,
      original: { attemptId: original.attemptId, operation: payment.operation, amount: payment.amount },
      sequence: { number: 1, isLast: released > 0 },
      ...askerOf(actor, merchant?.merchantName),
    },
  };
}

/** A reversal may name the capture that it reverses instead of the payment. */
async function paymentOfPath(
  context: AccountsContext,
  { payeeId, paymentId, operation }: FollowUp,
): Promise<PaymentId> {
  const named = await findPaymentId(context, { payeeId, paymentId });
  if (named === undefined) throw notFound();
  const capture = operation === 'Reversal' ? await paymentOfCapture(context, { payeeId, paymentId }) : undefined;
  return capture ?? named;
}
