import { assert } from '../../kit/assert.ts';
import { SERVICE } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import { FOLLOW_UP, RELEASE } from '../command-kinds.ts';
import { findCardPayment } from '../find-payment.ts';
import type { FollowUpCommand } from '../payment-commands.types.ts';
import { approvedOf, isAuthorizationOver, remainingAt } from '../payment-state.rules.ts';
import type { CardPaymentKey, CardPaymentView, FollowUpRequest } from '../payments.types.ts';
import type { PaymentFlows } from '../payments-context.types.ts';
import { changePayment } from './change-payment.flow.ts';
import { prepareFollowUp } from './follow-up.flow.ts';

/** Times that an acquirer declines the end of an authorization until it is not asked any more: hourly, for a day. */
export const ENDS_DECLINED = 24;

/** Why what is left of an authorization was cancelled: its time is over. */
const AUTHORIZATION_EXPIRED = 'AuthorizationExpired';

/**
 * A cancellation that its acquirer is asked for; undefined where it cannot be: it takes none, or its agreement has ended.
 *
 * @throws what `prepare` does but for `forbidden`
 */
export async function unlessForbidden<Prepared extends { readonly command: Pick<FollowUpCommand, 'refusal'> }>(
  prepare: () => Promise<Prepared>,
): Promise<Prepared | undefined> {
  const prepared = await prepare().catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'forbidden') return undefined;
    throw error;
  });
  return prepared?.command.refusal === undefined ? prepared : undefined;
}

/**
 * Cancels all that is left of a card payment whose authorization is over. One whose acquirer cannot be asked, or has declined for a
 * day, gives it up: the issuer lets go of it by itself.
 */
export async function endCardAuthorization(flows: PaymentFlows, key: CardPaymentKey): Promise<void> {
  try {
    await endOnce(flows, key);
  } catch (error) {
    // Another change may have taken the rest since it was looked at.
    const isForbidden = error instanceof Refusal && error.code === 'forbidden';
    if (!isForbidden || isToEnd(await findCardPayment(flows.context, key))) throw error;
  }
}

function isToEnd({ payment, now }: Pick<CardPaymentView, 'payment' | 'now'>): boolean {
  return isAuthorizationOver(payment, now) && payment.unsettled === 0 && remainingAt(payment, now).cancel > 0;
}

async function endOnce({ context }: PaymentFlows, { payeeId, paymentId }: CardPaymentKey): Promise<void> {
  const view = await findCardPayment(context, { payeeId, paymentId });
  const { authorizedUntil } = view.payment;
  if (authorizedUntil === null || !isToEnd(view)) return;
  const { transactions } = view;
  const request: FollowUpRequest = {
    payeeId,
    actor: SERVICE,
    paymentId,
    type: 'Cancellation',
    amount: undefined,
    vatAmount: undefined,
    description: AUTHORIZATION_EXPIRED,
    payeeReference: undefined,
    idempotencyKey: undefined,
  };
  const declined = transactions.filter(
    ({ type, state, createdAt }) => type === 'Cancellation' && state === 'Failed' && createdAt >= authorizedUntil,
  );
  const asked =
    declined.length < ENDS_DECLINED ? await unlessForbidden(() => prepareFollowUp(context, request, view)) : undefined;
  if (asked !== undefined) {
    const { command } = asked;
    await changePayment(context, { ...asked, submit: () => context.submit(FOLLOW_UP, command) });
    return;
  }
  const issuerId = approvedOf(view)?.issuerId;
  assert(issuerId != null, 'an issuer has approved what is paid');
  await context.submit(RELEASE, {
    payeeId,
    commandId: context.newId(),
    actor: SERVICE,
    paymentId,
    transactionId: context.newId() as TransactionId,
    issuerId,
    description: AUTHORIZATION_EXPIRED,
  });
}
