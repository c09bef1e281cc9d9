import {
  type Asking,
  askIssuer,
  dispatchAfter,
  type Following,
  KEPT_SECONDS,
  sentWith,
} from '../engine/ask-issuer.flow.ts';
import { remainingOf, standingAfter } from '../engine/leg.rules.ts';
import type { Answer } from '../engine/leg.types.ts';
import { originalOf } from '../issuers/exchanges.rules.ts';
import { offers } from '../issuers/issuers.rules.ts';
import type { DueAttempt, ForwardedAnswer, StoredExchange } from '../issuers/issuers.types.ts';
import { assert } from '../kit/assert.ts';
import { SERVICE } from '../kit/caller.ts';
import { forbidden, notFound, Refusal } from '../kit/errors.ts';
import { amountMinor } from '../kit/money.ts';
import type { AccountIdentity } from '../ledger/accounts/ledger-reads.types.ts';
import type { PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type {
  AccountsContext,
  FollowUp,
  FollowUpCommand,
  TransactionEcho,
  TransactionResult,
  TransactionView,
} from './accounts.types.ts';
import { FOLLOW_UP, SETTLE_ATTEMPT } from './command-kinds.ts';
import { findPaymentId, paymentOfCapture } from './get-payment.ts';
import { accountOfPath } from './identifying/find-account.ts';
import { type AboutAttempt, settleAttempt } from './settle-attempt.ts';

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
  // Read before anything is stored: where it fails, nothing waits for an answer that was never asked for.
  const earlier = await earlierOf(context, account, paymentId);
  const { words } = request;
  const following = await followingOf(context, request, { account, earlier });
  const command = commandOf(context, request, {
    account,
    paymentId,
    earlier,
    following,
    releasesByItself: releasesByItself(context, earlier),
  });
  return askIssuer<TransactionResult>(context, {
    prepare: () => context.submit(FOLLOW_UP, command),
    isCalling: async ({ transaction }) => (await context.lookUps.transaction(transaction))?.state === 'CALLING',
    questionOf: (called) => askingOf(command, called, { earlier, following }),
    settle: async (called, answer) =>
      settle(
        context,
        { ...command, release: await releaseOf(context, { account, words, earlier, called, answer }) },
        answer,
      ),
  });
}

async function settle(
  context: AccountsContext,
  command: FollowUpCommand & Pick<AboutAttempt, 'release'>,
  answer: Answer,
): Promise<TransactionResult> {
  const { attempt, payeeId, actor, accountId, paymentId, transactionId, release } = command;
  assert(attempt !== undefined, 'what an issuer was asked for has an attempt');
  const { attemptId, issuerId } = attempt;
  const about = { payeeId, actor, attemptId, issuerId, accountId, paymentId, transactionId, holdSeconds: 0, release };
  const { payment, transaction } = await settleAttempt(context, about, answer);
  assert(transaction !== undefined, 'an attempt at a capture, cancel or reversal has its row');
  if (transaction.state === 'CALLING') throw kept();
  return { payment, transaction, kind: 'Done' };
}

/** No answer shows what waits for its issuer. */
function kept(): Refusal {
  return new Refusal(
    'conflict',
    'The acquirer is not reached. The capture is kept and forwarded as soon as it is. Repeat with the same reference.',
    { retryAfterSeconds: KEPT_SECONDS },
  );
}

/** Stores what became of a capture that was forwarded, with the advice on what it has released of the hold. */
export async function settleForwarded(
  context: AccountsContext,
  { payeeId, attemptId, issuerId, paymentId, transactionId, accountId }: DueAttempt,
  answer: ForwardedAnswer,
): Promise<void> {
  assert(transactionId !== null && accountId !== null, 'a capture has its row, and its payment an account');
  const account = await accountOfPath(context, payeeId, accountId);
  const [transaction, payment] = await Promise.all([
    context.lookUps.transaction({ payeeId, transactionId }),
    context.lookUps.payment({ payeeId, paymentId }),
  ]);
  assert(transaction !== undefined && payment !== undefined, 'an attempt at a capture has its row and payment');
  const earlier = await earlierOf(context, account, paymentId);
  const { words } = transaction.echo as TransactionEcho;
  const release = await releaseOf(context, { account, words, earlier, called: { transaction, payment }, answer });
  await context.submit(SETTLE_ATTEMPT, {
    payeeId,
    commandId: context.newId(),
    actor: SERVICE,
    attemptId,
    issuerId,
    accountId: account.accountId,
    paymentId,
    transactionId,
    answer,
    from: 'FORWARDING',
    holdSeconds: 0,
    release,
  });
}

interface Answered extends Pick<FollowUp, 'words'> {
  readonly account: AccountIdentity;
  readonly earlier: Earlier | undefined;
  readonly called: TransactionView;
  readonly answer: Answer;
}

/** What tells the issuer of the hold that a capture has released, where the capture itself does not. */
async function releaseOf(
  context: AccountsContext,
  { account, words, earlier, called, answer }: Answered,
): Promise<AboutAttempt['release']> {
  const isReleasing = called.transaction.released > 0 && standingAfter(answer) === 'Done';
  if (!isReleasing || releasesByItself(context, earlier)) return undefined;
  const following = await followingOf(context, { operation: 'Cancel', words }, { account, earlier });
  return attemptOf(context, { earlier, following });
}

/** What a capture is to release, its issuer must be able to. */
function releaseRefused(
  { issuers }: AccountsContext,
  { operation, cancelRemainingAuth }: FollowUp,
  { earlier, releasesByItself }: Pick<Located, 'earlier' | 'releasesByItself'>,
): Refusal | undefined {
  if (operation !== 'Capture' || !cancelRemainingAuth || releasesByItself || earlier === undefined) return undefined;
  if (offers(issuers.named(earlier.original.acquirerId), 'Cancel')) return undefined;
  return forbidden('Cancel', 'The acquirer of the payment does not offer it.');
}

/** Whether a capture releases the rest of its hold at the issuer, whatever is asked for. */
function releasesByItself({ issuers }: AccountsContext, earlier: Earlier | undefined): boolean {
  return earlier !== undefined && issuers.named(earlier.original.acquirerId).captures === 'one';
}

/** What an issuer elsewhere has been asked about the payment; undefined where our own ledger decides. */
interface Earlier {
  readonly original: StoredExchange;
  readonly captures: number;
}

async function earlierOf(
  context: AccountsContext,
  { payeeId, issuer }: AccountIdentity,
  paymentId: PaymentId,
): Promise<Earlier | undefined> {
  if (context.issuers.named(issuer).host === undefined) return undefined;
  const key = { payeeId, paymentId };
  const [original, transactions] = await Promise.all([
    context.originalExchange(key),
    context.lookUps.transactionsOf(key),
  ]);
  // No issuer was asked for it: it is not there, or nothing is left of it, as the rule says.
  if (original === undefined) return undefined;
  return { original, captures: transactions.filter(({ operation }) => operation === 'Capture').length };
}

function followingOf(
  context: AccountsContext,
  { operation, words }: Pick<FollowUp, 'operation' | 'words'>,
  { account: { payeeId }, earlier }: Pick<Located, 'account' | 'earlier'>,
): Promise<Following> | undefined {
  if (earlier === undefined) return undefined;
  const { original } = earlier;
  const descriptor = words.merchant?.merchantName ?? original.descriptor ?? undefined;
  return dispatchAfter(context, { payeeId, original, operation, name: operation, descriptor });
}

function attemptOf(
  context: AccountsContext,
  { earlier, following }: Pick<Located, 'earlier' | 'following'>,
): FollowUpCommand['attempt'] {
  if (earlier === undefined || following === undefined) return undefined;
  const { attemptId: originalAttemptId, acquirerId: issuerId } = earlier.original;
  return { attemptId: context.newId(), issuerId, dispatch: following.dispatch, originalAttemptId };
}

interface Located {
  readonly account: AccountIdentity;
  readonly paymentId: PaymentId;
  readonly earlier: Earlier | undefined;
  readonly following: Following | undefined;
  readonly releasesByItself: boolean;
}

function commandOf(
  context: AccountsContext,
  request: FollowUp,
  { account, paymentId, earlier, following, releasesByItself }: Located,
): FollowUpCommand {
  const { amount } = request;
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
    releasesRest: request.cancelRemainingAuth || releasesByItself,
    block: request.block,
    words: request.words,
    circumstances: request.circumstances,
    attempt: attemptOf(context, { earlier, following }),
    refusal: following?.refusal ?? releaseRefused(context, request, { earlier, releasesByItself }),
  };
}

/** Asks for what was reserved; the issuer knows the payment by the attempt that made it. */
function askingOf(
  { attempt, payeeId, actor }: FollowUpCommand,
  { payment, transaction }: TransactionView,
  { earlier, following }: Pick<Located, 'earlier' | 'following'>,
): Asking {
  assert(attempt !== undefined && earlier !== undefined, 'an external issuer was asked for the payment');
  const { attemptId, issuerId, dispatch } = attempt;
  const { operation, amount, released } = transaction;
  return {
    issuerId,
    question: {
      payeeId,
      attemptId,
      operation,
      amount,
      releasedAmount: released,
      currency: payment.currency,
      original: originalOf(earlier.original),
      sequence: {
        number: earlier.captures + (operation === 'Capture' ? 1 : 0),
        isLast: remainingOf(payment).capture === 0,
      },
      ...(following?.card !== undefined && { card: following.card }),
      ...sentWith(dispatch, actor),
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
