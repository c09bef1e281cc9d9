import type { Transact } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { originalOf, sentBefore, takeBackReasonOf } from './exchanges.rules.ts';
import { findExchange, nameTakeBack, noteSent, noteTakeBackAnswer } from './exchanges.ts';
import { cardFor } from './held-cards.flow.ts';
import type { Asker, DueAttempt, Issuer, StoredExchange } from './issuers.types.ts';
import type { IssuerHost, Sent } from './questions.types.ts';

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
  const { payeeId, attemptId, issuerId } = attempt;
  const asked = await transact((transaction) => findExchange(transaction, attempt));
  // From before exchanges were stored, when the sandbox was the only issuer elsewhere, which held nothing.
  if (asked === undefined) return true;
  const { host, limits, agreement } = lineOf(asker, attempt, asked);
  const made = await asker.newExchange(agreement, asked);
  const reason = takeBackReasonOf(asked);
  const exchange = await transact((transaction) => nameTakeBack(transaction, attempt, { ...made, reason }));
  assert(exchange !== undefined, 'what is taken back was asked');
  const isNew = exchange.stan === made.stan && exchange.sentAt === made.sentAt;
  // One that is there was named by a process that may have sent it and died before it noted so.
  const before = !isNew && exchange.state === 'Stored' ? 'Unknown' : sentBefore(exchange);
  const paid = await paymentOf(transact, { payeeId, asked });
  const card = await cardFor(asker, 'TakeBack', { payeeId, attemptId: paid.attemptId, issuerId });
  const { approvalCode, schemeTransactionId } = originalOf(paid);
  const { outcome, responseCode } = await sending(
    (sent) => transact((transaction) => noteSent(transaction, attempt, { kind: 'TakeBack', sent })),
    (handedOver) =>
      asker.withDeadline(limits.sendMs + limits.answerMs, (signal) =>
        host.reverse(
          {
            payeeId,
            attemptId,
            amount: exchange.amount,
            currency: asked.currency,
            agreement,
            descriptor: asked.descriptor ?? undefined,
            original: {
              ...(approvalCode !== undefined && { approvalCode }),
              ...(schemeTransactionId !== undefined && { schemeTransactionId }),
              ...originalOf(asked),
            },
            exchange: originalOf(exchange).exchange,
            reason: exchange.reason ?? reason,
            sentBefore: before,
            ...(card !== undefined && { card }),
          },
          signal,
          handedOver,
        ),
      ),
  );
  // It may never have got the first message, and know nothing of what it should repeat: it is told for the first time again.
  if (outcome === 'OriginalUnknown' && before === 'Yes' && exchange.answeredAt === null) {
    await transact((transaction) => noteSent(transaction, attempt, { kind: 'TakeBack', sent: 'Unknown' }));
    return false;
  }
  await transact((transaction) => noteTakeBackAnswer(transaction, attempt, responseCode ?? null));
  if (outcome === 'TakenBack') return true;
  return saidSoBefore(exchange, asker.now());
}

/** The question for the payment that an attempt is about: its own, or the one that it followed. */
export async function paymentOf(
  transact: Transact,
  { payeeId, asked }: { readonly payeeId: PayeeId; readonly asked: StoredExchange },
): Promise<StoredExchange> {
  const { originalAttemptId } = asked;
  if (originalAttemptId === null) return asked;
  const found = await transact((transaction) => findExchange(transaction, { payeeId, attemptId: originalAttemptId }));
  assert(found !== undefined, 'the issuer was asked for the payment');
  return found;
}

/** Sends a message, and notes as soon as its bytes are handed over that they were: the next process that sends it repeats it. */
export async function sending<Result>(
  note: (sent: Sent) => Promise<void>,
  send: (handedOver: () => void) => Promise<Result>,
): Promise<Result> {
  let noted: Promise<void> | undefined;
  try {
    return await send(() => {
      // Where it cannot be noted, it is not known: an acquirer takes a first message twice.
      noted = note('Yes').catch(() => undefined);
    });
  } finally {
    await noted;
  }
}

/** Whether the acquirer has said before, so long ago that the payment would have come, that it does not know it. */
export function saidSoBefore({ answeredAt }: StoredExchange, now: string): boolean {
  return answeredAt !== null && Date.parse(now) - Date.parse(answeredAt) >= UNKNOWN_ORIGINAL_MS;
}

/** The agreement that an attempt was made under, and how its acquirer is asked. */
export function lineOf({ issuers }: Asker, { issuerId, payeeId }: DueAttempt, { agreementId }: StoredExchange): Line {
  const { host, limits, agreementsOf, forwardHours } = issuers.named(issuerId);
  const agreement = agreementsOf(payeeId).find(({ id }) => id === agreementId);
  assert(host !== undefined && agreement !== undefined, 'an attempt was made under an agreement');
  return { host, limits, agreement, forwardHours };
}

interface Line extends Pick<Issuer, 'limits' | 'forwardHours'> {
  readonly host: IssuerHost;
  readonly agreement: ReturnType<Issuer['agreementsOf']>[number];
}
