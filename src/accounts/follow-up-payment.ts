import { notFound } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { amountMinor } from '../kit/money.ts';
import type { PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { AccountsWorld, FollowUp, TransactionResult } from './accounts.types.ts';
import { FOLLOW_UP } from './command-kinds.ts';
import { accountOfPath } from './find-account.ts';
import { paymentOfCapture } from './get-payment.ts';

/**
 * Carries out a capture, cancel or reversal of a payment.
 *
 * @throws Refusal `notfound` for an unknown account or payment
 * @throws Refusal `referencereused`, `forbidden`, and as `Submit`
 */
export async function followUpPayment(world: AccountsWorld, request: FollowUp): Promise<TransactionResult> {
  const { payeeId, actor, operation, amount } = request;
  const { accountId } = await accountOfPath(world, payeeId, request.paymentAccountId);
  const paymentId = await paymentOfPath(world, request);
  return world.submit(FOLLOW_UP, {
    payeeId,
    commandId: world.newId(),
    actor,
    operation,
    accountId,
    paymentId,
    transactionId: world.newId() as TransactionId,
    amount: amount === undefined ? undefined : amountMinor(amount),
    paymentOrderRef: request.paymentOrderRef,
    paymentTransactionRef: request.paymentTransactionRef,
    repeat: request.repeat,
    cancelRemainingAuth: request.cancelRemainingAuth,
    words: request.words,
    circumstances: request.circumstances,
  });
}

/** A reversal may name the capture that it takes back instead of the payment. */
async function paymentOfPath(world: AccountsWorld, { payeeId, paymentId, operation }: FollowUp): Promise<PaymentId> {
  if (!isUuid(paymentId)) throw notFound();
  const capture = operation === 'Reversal' ? await paymentOfCapture(world, { payeeId, paymentId }) : undefined;
  return capture ?? (paymentId.toLowerCase() as PaymentId);
}
