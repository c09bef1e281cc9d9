import type { Transaction } from '../db/transaction.types.ts';
import { lockUnacknowledged } from './attempts.store.ts';
import {
  endForwarding,
  selectExchange,
  takeStans,
  updateExchange,
  updateLate,
  updateLateByName,
  upsertTakeBack,
} from './exchanges.store.ts';
import type { Attempt, DueAttempt, LateAnswer, StoredExchange } from './issuers.types.ts';
import type { Exchange, Sent, TakeBackReason } from './questions.types.ts';

type Named = Pick<Attempt, 'payeeId' | 'attemptId'>;

/** The question of an attempt; undefined where it is from before exchanges were stored. */
export function findExchange(transaction: Transaction, attempt: Named): Promise<StoredExchange | undefined> {
  return selectExchange(transaction, attempt);
}

/** Names the taking back of an attempt: as it was named before, where it was. */
export function nameTakeBack(
  transaction: Transaction,
  attempt: Named,
  made: Exchange & { readonly reason: TakeBackReason },
): Promise<StoredExchange | undefined> {
  return upsertTakeBack(transaction, attempt, made);
}

/** Notes what the acquirer said to the taking back of an attempt. */
export async function noteTakeBackAnswer(
  transaction: Transaction,
  attempt: Named,
  actionCode: string | null,
): Promise<void> {
  await updateExchange(transaction, attempt, { kind: 'TakeBack', state: 'Answered', actionCode });
}

/** Notes how far a message that is told until it is acknowledged has got: what comes next is a repeat, or a first message. */
export async function noteSent(transaction: Transaction, attempt: Named, { kind, sent }: SentNote): Promise<void> {
  await updateExchange(transaction, attempt, { kind, state: SENT_STATES[sent], actionCode: null });
}

/** A question that is told again, or a take-back, and whether its bytes were handed over. */
export interface SentNote {
  readonly kind: 'Ask' | 'TakeBack';
  readonly sent: Sent;
}

const SENT_STATES = { No: 'Stored', Unknown: 'Silent', Yes: 'Forwarded' } as const;

/** Notes that an answer came that no question waited for any more. */
export async function noteLate(transaction: Transaction, attempt: Named): Promise<void> {
  await updateLate(transaction, attempt);
}

/** Notes the same of a question that another process has put, by what its answer says. */
export async function noteLateAnswer(transaction: Transaction, answer: LateAnswer): Promise<void> {
  await updateLateByName(transaction, answer);
}

/** Notes that the acquirer does not know what an advice is about. The advice is repeated. */
export async function noteUnknownOriginal(transaction: Transaction, attempt: Named, actionCode: string): Promise<void> {
  await updateExchange(transaction, attempt, { kind: 'Ask', state: 'Forwarded', actionCode });
}

/** What an acquirer has not acknowledged, of any payee, locked; undefined where no such attempt waits for that. */
export function findUnacknowledged(transaction: Transaction, attemptId: string): Promise<DueAttempt | undefined> {
  return lockUnacknowledged(transaction, attemptId);
}

/** Notes that an attempt is not taken back any more: the acquirer's books may differ from ours. */
export async function noteAbandoned(transaction: Transaction, attempt: Named): Promise<void> {
  await updateExchange(transaction, attempt, { kind: 'Ask', state: 'Abandoned', actionCode: null });
}

/** Ends the repeating of an advice: it was acknowledged, or is given up. */
export async function endAdvice(
  transaction: Transaction,
  attempt: Named,
  said: { readonly state: 'Answered' | 'Abandoned'; readonly actionCode: string | null },
): Promise<void> {
  await updateExchange(transaction, attempt, { kind: 'Ask', ...said });
  await endForwarding(transaction, attempt);
}

/** Takes numbers for the messages of a terminal: as many as a block has, from the answered one on. */
export function takeStanBlock(
  transaction: Transaction,
  terminal: { readonly institution: string; readonly terminalId: string },
): Promise<number> {
  return takeStans(transaction, terminal);
}
