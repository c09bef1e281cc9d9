import type { Transact } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { originalOf } from './exchanges.rules.ts';
import {
  endAdvice,
  findExchange,
  nameTakeBack,
  noteForwarded,
  noteTakeBackAnswer,
  noteUnknownOriginal,
} from './exchanges.ts';
import { cardFor } from './held-cards.flow.ts';
import type { Asker, DueAttempt, Issuer, StoredExchange } from './issuers.types.ts';
import type { FollowUpQuestion, IssuerHost } from './questions.types.ts';

/** Milliseconds between two answers of an acquirer that it does not know what it is to take back: it may come late. */
const UNKNOWN_ORIGINAL_MS = 60_000;

// What no request waits for any more is told to acquirers from what is stored alone: any instance can. A take-back needs no card.

/** What that needs. */
export interface Recovery {
  readonly transact: Transact;
  readonly asker: Asker;
}

/**
 * Tells the issuer to take an attempt back.
 *
 * @returns whether it has, or has said twice, at times far enough apart, that it does not know it
 * @throws whatever the issuer's host does where no answer came
 */
export async function takeBack({ transact, asker }: Recovery, attempt: DueAttempt): Promise<boolean> {
  const { payeeId, attemptId } = attempt;
  const asked = await transact((transaction) => findExchange(transaction, attempt));
  // From before exchanges were stored, when the sandbox was the only issuer elsewhere, which held nothing.
  if (asked === undefined) return true;
  const { host, limits, agreement } = lineOf(asker, attempt, asked);
  const made = await asker.newExchange(agreement, asked.retrievalReference);
  const exchange = await transact((transaction) => nameTakeBack(transaction, attempt, made));
  assert(exchange !== undefined, 'what is taken back was asked');
  const { outcome, responseCode } = await asker.withDeadline(limits.sendMs + limits.answerMs, (signal) =>
    host.reverse(
      {
        payeeId,
        attemptId,
        currency: asked.currency,
        agreement,
        descriptor: asked.descriptor ?? undefined,
        original: originalOf(asked),
        exchange: originalOf(exchange).exchange,
        reason: asked.state === 'Answered' ? 'NotUsable' : 'Silence',
        isRepeat: exchange.stan !== made.stan || exchange.sentAt !== made.sentAt,
      },
      signal,
    ),
  );
  await transact((transaction) => noteTakeBackAnswer(transaction, attempt, responseCode ?? null));
  if (outcome === 'TakenBack') return true;
  return saidSoBefore(exchange, asker.now());
}

/** Sends a cancel until it is acknowledged: the same message each time. One that is refused is noted as given up. */
export async function forwardAdvice({ transact, asker }: Recovery, attempt: DueAttempt): Promise<void> {
  const asked = await transact((transaction) => findExchange(transaction, attempt));
  assert(asked !== undefined && asked.originalAttemptId !== null, 'an advice is about a payment that was asked for');
  const named = { payeeId: attempt.payeeId, attemptId: asked.originalAttemptId, issuerId: attempt.issuerId };
  const original = await transact((transaction) => findExchange(transaction, named));
  assert(original !== undefined, 'the issuer was asked for the payment');
  const { host, limits, agreement } = lineOf(asker, attempt, asked);
  // One that is held no more must not keep the advice back: the acquirer knows the payment by its first message too.
  const card = await cardFor(asker, 'Cancel', named);
  const question: FollowUpQuestion = {
    payeeId: attempt.payeeId,
    attemptId: attempt.attemptId,
    operation: 'Cancel',
    amount: asked.amount,
    currency: asked.currency,
    releasedAmount: ZERO_MINOR,
    agreement,
    exchange: originalOf(asked).exchange,
    original: originalOf(original),
    sequence: { number: 0, isLast: true },
    isRepeat: asked.state !== 'Stored',
    ...(card !== undefined && { card }),
    descriptor: asked.descriptor ?? undefined,
    traceparent: undefined,
  };
  // Before it is sent: should this process end now, the next one repeats it.
  if (!question.isRepeat) await transact((transaction) => noteForwarded(transaction, attempt));
  const answer = await asker.withDeadline(limits.sendMs + limits.answerMs, (signal) => host.ask(question, signal));
  const end = (state: 'Answered' | 'Abandoned', actionCode: string) =>
    transact((transaction) => endAdvice(transaction, attempt, { state, actionCode }));
  if (answer.outcome === 'Approved') return end('Answered', answer.responseCode);
  if (answer.outcome === 'Declined') return end('Abandoned', answer.responseCode);
  const unknown = answer.outcome === 'Forwarded' ? answer.unknownOriginal : undefined;
  if (unknown === undefined) throw new Error('the advice was not acknowledged');
  // What the acquirer holds no more is released.
  if (saidSoBefore(asked, asker.now())) return end('Answered', unknown);
  await transact((transaction) => noteUnknownOriginal(transaction, attempt, unknown));
  throw new Error('the acquirer does not know what the advice is about');
}

/** Whether the acquirer has said before, so long ago that the payment would have come, that it does not know it. */
function saidSoBefore({ answeredAt }: StoredExchange, now: string): boolean {
  return answeredAt !== null && Date.parse(now) - Date.parse(answeredAt) >= UNKNOWN_ORIGINAL_MS;
}

function lineOf({ issuers }: Asker, { issuerId, payeeId }: DueAttempt, { agreementId }: StoredExchange): Line {
  const { host, limits, agreementsOf } = issuers.named(issuerId);
  const agreement = agreementsOf(payeeId).find(({ id }) => id === agreementId);
  assert(host !== undefined && agreement !== undefined, 'an attempt was made under an agreement');
  return { host, limits, agreement };
}

interface Line extends Pick<Issuer, 'limits'> {
  readonly host: IssuerHost;
  readonly agreement: ReturnType<Issuer['agreementsOf']>[number];
}
