import type { ResultKind } from '../accounts/accounts.types.ts';
import { whenSettled } from '../accounts/when-settled.ts';
import { askHost } from '../issuers/ask-host.ts';
import type { IssuerQuestion } from '../issuers/issuers.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { TransactionId } from '../ledger/ledger.types.ts';
import type { MadeToken } from '../tokens/make-tokens.types.ts';
import { SETTLE } from './command-kinds.ts';
import { findCardPayment } from './find-payment.ts';
import type { CardPaymentsWorld, CardPaymentView, CardTransaction, ChangeCommand, Outcome } from './payments.types.ts';

/** Where a change stands: with the transaction that it made, or that its reference has made before. */
export interface Standing {
  readonly kind: ResultKind;
  readonly transaction: CardTransaction | undefined;
  readonly isReplay: boolean;
}

/**
 * Submits a change of a payment; where another one waits for the issuer that this one has to wait for, waits with it for a
 * while.
 *
 * @throws Refusal `conflict` where the issuer takes longer; and as the submission
 */
export function standingOf(
  world: CardPaymentsWorld,
  { payeeId, paymentId }: Pick<ChangeCommand, 'payeeId' | 'paymentId'>,
  submit: () => Promise<Outcome>,
): Promise<Standing> {
  return whenSettled<Standing>(world, {
    submit: async () => {
      const outcome = await submit();
      switch (outcome.kind) {
        case 'Calling':
          return { kind: 'Calling', transaction: undefined, isReplay: false };
        case 'Known':
          return knownStanding(world, payeeId, outcome);
        default:
          return { kind: outcome.kind, transaction: outcome.transaction, isReplay: false };
      }
    },
    isCalling: async () => (await findCardPayment(world, { payeeId, paymentId })).payment.unsettled > 0,
  });
}

async function knownStanding(
  world: CardPaymentsWorld,
  payeeId: PayeeId,
  { paymentId, transactionId, isOwn }: Extract<Outcome, { kind: 'Known' }>,
): Promise<Standing> {
  const { transactions } = await findCardPayment(world, { payeeId, paymentId });
  const transaction = transactions.find((one) => one.transactionId === transactionId);
  assert(transaction !== undefined, 'the reference of a change stands for its transaction');
  if (transaction.state !== 'Initialized') return { kind: 'Done', transaction, isReplay: !isOwn };
  return { kind: isOwn ? 'Call' : 'Calling', transaction, isReplay: !isOwn };
}

/** A question that is stored as being put, and the tokens that a yes makes. */
export interface Putting {
  readonly command: ChangeCommand & { readonly transactionId: TransactionId };
  readonly issuerId: string;
  readonly question: IssuerQuestion;
  readonly tokens: readonly MadeToken[];
}

/**
 * Puts a question to its issuer, once, and stores the answer. Where none comes, the transaction has failed, and what the
 * issuer made of it is taken back later: the payment is pending until then.
 */
export async function putToIssuer(
  world: CardPaymentsWorld,
  { command, issuerId, question, tokens }: Putting,
): Promise<void> {
  const answer = await askHost(world, issuerId, question);
  const { payeeId, actor, paymentId, transactionId } = command;
  await world.submit(SETTLE, {
    payeeId,
    commandId: world.newId(),
    actor,
    paymentId,
    transactionId,
    answer,
    tokens,
    captureId:
      question.operation === 'Purchase' && answer.outcome === 'Approved' ? (world.newId() as TransactionId) : undefined,
  });
}

/** The payment as it is now, with the transaction that was about to be made. */
export async function viewWith(
  world: CardPaymentsWorld,
  { payeeId, paymentId }: Pick<ChangeCommand, 'payeeId' | 'paymentId'>,
  transactionId: TransactionId,
): Promise<CardPaymentView & { readonly transaction: CardTransaction }> {
  const view = await findCardPayment(world, { payeeId, paymentId });
  const transaction = view.transactions.find((one) => one.transactionId === transactionId);
  assert(transaction !== undefined, 'what was stored is there');
  return { ...view, transaction };
}
