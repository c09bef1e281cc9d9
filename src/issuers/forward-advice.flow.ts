import { assert } from '../kit/assert.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { originalOf, sentBefore } from './exchanges.rules.ts';
import { endAdvice, findExchange, noteSent, noteUnknownOriginal } from './exchanges.ts';
import { cardFor } from './held-cards.flow.ts';
import type { DueAttempt, ForwardedAnswer, StoredExchange } from './issuers.types.ts';
import type { FollowUpQuestion, IssuerAnswer, Sent } from './questions.types.ts';
import { lineOf, paymentOf, type Recovery, saidSoBefore, sending } from './recover-attempt.flow.ts';

const SECONDS_PER_HOUR = 3_600;

/**
 * Forwards a capture that no line took. It is the same message each time.
 *
 * @returns what the acquirer said; or that it is forwarded no more, because its time is over
 * @throws whatever the issuer's host does where no answer came, and an error where it was not sent again
 */
export async function forwardCapture(recovery: Recovery, attempt: DueAttempt): Promise<ForwardedAnswer> {
  const { transact, asker } = recovery;
  const asked = await askedBefore(recovery, attempt);
  const isOver = attempt.ageSeconds >= lineOf(asker, attempt, asked).forwardHours * SECONDS_PER_HOUR;
  // What was sent may have been taken.
  if (isOver) return sentBefore(asked) === 'No' ? { outcome: 'NotSent', cause: 'TimeOver' } : { outcome: 'NoAnswer' };
  const answer = await forward(recovery, attempt, asked);
  if (answer.outcome !== 'Kept') return answer;
  const before = sentBefore(asked);
  const sent = answer.isUnknown ? 'Unknown' : before;
  if (sent !== 'Yes') await transact((transaction) => noteSent(transaction, attempt, { kind: 'Ask', sent }));
  throw new Error(answer.isUnknown ? 'the acquirer does not know the capture' : 'the capture was not sent');
}

/** Sends a cancel until it is acknowledged: the same message each time. One that is refused is noted as given up. */
export async function forwardCancel(recovery: Recovery, attempt: DueAttempt): Promise<void> {
  const { transact, asker } = recovery;
  const asked = await askedBefore(recovery, attempt);
  const before = sentBefore(asked);
  const note = (sent: Sent) => transact((transaction) => noteSent(transaction, attempt, { kind: 'Ask', sent }));
  const answer = await forward(recovery, attempt, asked);
  const end = (state: 'Answered' | 'Abandoned', actionCode: string) =>
    transact((transaction) => endAdvice(transaction, attempt, { state, actionCode }));
  if (answer.outcome === 'Approved') return end('Answered', answer.responseCode);
  if (answer.outcome === 'Declined') return end('Abandoned', answer.responseCode);
  if (answer.outcome === 'Forwarded' && answer.sent === 'No') await note('No');
  const unknown = answer.outcome === 'Forwarded' ? answer.unknownOriginal : undefined;
  if (unknown === undefined) throw new Error('the advice was not acknowledged');
  // What the acquirer holds no more is released.
  if (saidSoBefore(asked, asker.now())) return end('Answered', unknown);
  // It may never have got the first message: it is told for the first time again.
  if (before === 'Yes' && asked.answeredAt === null) await note('Unknown');
  else await transact((transaction) => noteUnknownOriginal(transaction, attempt, unknown));
  throw new Error('the acquirer does not know what the advice is about');
}

async function askedBefore({ transact }: Recovery, attempt: DueAttempt): Promise<StoredExchange> {
  const asked = await transact((transaction) => findExchange(transaction, attempt));
  assert(asked !== undefined && asked.originalAttemptId !== null, 'an advice is about a payment that was asked for');
  return asked;
}

async function forward(
  { transact, asker }: Recovery,
  attempt: DueAttempt,
  asked: StoredExchange,
): Promise<IssuerAnswer> {
  const { payeeId, attemptId, issuerId } = attempt;
  const operation = asked.operation === 'Capture' ? 'Capture' : 'Cancel';
  const original = await paymentOf(transact, { payeeId, asked });
  const { host, limits, agreement } = lineOf(asker, attempt, asked);
  // One that is held no more must not keep the advice back: the acquirer knows the payment by its first message too.
  const card = await cardFor(asker, operation, { payeeId, attemptId: original.attemptId, issuerId });
  const before = sentBefore(asked);
  const question: FollowUpQuestion = {
    payeeId,
    attemptId,
    operation,
    amount: asked.amount,
    currency: asked.currency,
    releasedAmount: asked.releasedAmount ?? ZERO_MINOR,
    agreement,
    exchange: originalOf(asked).exchange,
    original: originalOf(original),
    sequence: { number: asked.captureNumber ?? 0, isLast: asked.isLastCapture ?? true },
    sentBefore: before,
    ...(card !== undefined && { card }),
    descriptor: asked.descriptor ?? undefined,
    traceparent: undefined,
  };
  const note = (sent: Sent) => transact((transaction) => noteSent(transaction, attempt, { kind: 'Ask', sent }));
  // Should this process end now, the next one does not know whether it was sent.
  if (before === 'No') await note('Unknown');
  return sending(note, (handedOver) =>
    asker.withDeadline(limits.sendMs + limits.answerMs, (signal) => host.ask(question, signal, handedOver)),
  );
}
