import { type Asking, askIssuer } from '../../engine/ask-issuer.flow.ts';
import type { Answer, ResultKind } from '../../engine/leg.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import type { MadeToken } from '../../tokens/stored/make-tokens.types.ts';
import { FAIL_OVER, SETTLE } from '../command-kinds.ts';
import { findCardPayment } from '../find-payment.ts';
import type { ChangeCommand, FailOverCommand, Outcome, SealedTry, SettleCommand } from '../payment-commands.types.ts';
import { isKept } from '../payment-state.rules.ts';
import type { AskedTransaction, CardPayment, CardPaymentView, CardTransaction } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';

import { submitChange } from './submit-change.ts';

/** Where a change stands: with the transaction that it made, or that its reference has made before. */
export interface Standing {
  readonly kind: ResultKind;
  readonly transaction: CardTransaction | undefined;
  readonly isReplay: boolean;
}

/** A change of a payment that its issuer is asked about. */
export interface ChangePayment {
  readonly command: Pick<ChangeCommand, 'payeeId' | 'actor' | 'paymentId'> & { readonly transactionId: TransactionId };
  /** As it was found. */
  readonly payment: Pick<CardPayment, 'orderId'>;
  submit(): Promise<Outcome>;
  askingOf(transaction: CardTransaction): Asking;
  /** The tokens that a yes makes. */
  readonly tokens: readonly MadeToken[];
  /** Another acquirer for the same transaction, where the answer says that this one was not asked. */
  failOver?(transaction: CardTransaction, answer: Answer): Promise<FailOverCommand | undefined>;
  /**
   * Seals the card, so that its payer can authenticate as the issuer wants, or for another acquirer; undefined where that cannot
   * be.
   */
  seal?(transaction: CardTransaction, answer: Answer): Promise<SealedTry | undefined>;
}

/**
 * Changes a payment, and asks its issuer where it has the word. Where another change waits for the issuer that this one
 * has to wait for, it waits with it for a while. Where no answer comes, the transaction has failed, and what the issuer
 * made of it is taken back later: the payment is pending until then.
 *
 * @throws Refusal `conflict` where the issuer takes longer; and as the submission
 */
export function changePayment(
  context: CardPaymentsContext,
  { command, payment, submit, askingOf, tokens, failOver, seal }: ChangePayment,
): Promise<Standing> {
  const { payeeId, paymentId } = command;
  return askIssuer<Standing>(context, {
    prepare: async () => standingOf(context, payeeId, await submit()),
    isCalling: async () => (await findCardPayment(context, { payeeId, paymentId })).payment.unsettled > 0,
    questionOf: ({ transaction }) => askingOf(called(transaction)),
    failOver: async ({ transaction }, answer) => {
      const next = await failOver?.(called(transaction), answer);
      return next && standingOf(context, payeeId, await submitChange(context, FAIL_OVER, { command: next, payment }));
    },
    settle: async (standing, answer) => {
      const { actor, transactionId } = command;
      const transaction = called(standing.transaction);
      const { issuerId, question } = askingOf(transaction);
      const isCaptured = question.operation === 'Purchase' && answer.outcome === 'Approved';
      const sealed = await seal?.(transaction, answer);
      const settling: SettleCommand = {
        payeeId,
        commandId: context.newId(),
        actor,
        paymentId,
        transactionId,
        attemptId: question.attemptId,
        answer,
        tokens,
        schemeTransactionId: 'initiator' in question ? question.schemeTransactionId : undefined,
        holdSeconds: context.issuers.named(issuerId).holdSeconds,
        captureId: isCaptured ? (context.newId() as TransactionId) : undefined,
        sealed,
      };
      await submitChange(context, SETTLE, { command: settling, payment });
      return { ...standing, kind: 'Done' };
    },
  });
}

function called(transaction: CardTransaction | undefined): CardTransaction {
  assert(transaction !== undefined, 'an issuer is asked about a transaction');
  return transaction;
}

async function standingOf(context: CardPaymentsContext, payeeId: PayeeId, outcome: Outcome): Promise<Standing> {
  switch (outcome.kind) {
    case 'Calling':
      return { kind: 'Calling', transaction: undefined, isReplay: false };
    case 'Known':
      return knownStanding(context, payeeId, outcome);
    default:
      return { kind: outcome.kind, transaction: outcome.transaction, isReplay: false };
  }
}

async function knownStanding(
  context: CardPaymentsContext,
  payeeId: PayeeId,
  { paymentId, transactionId, isOwn }: Extract<Outcome, { kind: 'Known' }>,
): Promise<Standing> {
  const { transactions } = await findCardPayment(context, { payeeId, paymentId });
  const transaction = transactions.find((one) => one.transactionId === transactionId);
  assert(transaction !== undefined, 'the reference of a change stands for its transaction');
  if (transaction.state !== 'Initialized' || isKept(transaction)) {
    return { kind: 'Done', transaction, isReplay: !isOwn };
  }
  return { kind: isOwn ? 'Call' : 'Calling', transaction, isReplay: !isOwn };
}

/** The payment as it is now, with the transaction that was about to be made. */
export async function viewWith(
  context: CardPaymentsContext,
  { payeeId, paymentId }: Pick<ChangeCommand, 'payeeId' | 'paymentId'>,
  transactionId: TransactionId,
): Promise<CardPaymentView & { readonly transaction: AskedTransaction }> {
  const view = await findCardPayment(context, { payeeId, paymentId });
  const transaction = view.transactions.find((one) => one.transactionId === transactionId);
  assert(transaction !== undefined, 'what was stored is there');
  return { ...view, transaction };
}
