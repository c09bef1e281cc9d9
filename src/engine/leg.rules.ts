import type { AcquirerOperation } from '../issuers/acquirers/acquirers.types.ts';
import {
  ATTEMPT_OUTCOME,
  type AttemptState,
  type ExchangeAnswer,
  NEW_ATTEMPT,
  type NewAttempt,
} from '../issuers/issuers.types.ts';
import type { FollowUpQuestion, Retry, Sent } from '../issuers/questions.types.ts';
import { assert } from '../kit/assert.ts';
import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import { addSeconds } from '../kit/instants.ts';
import { type AmountMinor, amountMinor, ZERO_MINOR } from '../kit/money.ts';
import { type RowWrite, write } from '../kit/row-writes.ts';
import type { Answer, Condition, Leg, LegStep, Remaining, Standing, StateTable, WantedStep } from './leg.types.ts';

/**
 * Seconds beyond an acquirer's own time until a job gives up an attempt whose answer was not stored: the process that
 * asked has died.
 */
const ATTEMPT_GRACE_SECONDS = 5;

/** Nothing approved. */
export const NO_LEG = {
  amount: ZERO_MINOR,
  captured: ZERO_MINOR,
  cancelled: ZERO_MINOR,
  reversed: ZERO_MINOR,
  reservedHold: ZERO_MINOR,
  reservedReversal: ZERO_MINOR,
} as const satisfies Leg;

/**
 * What can still be done with a leg. What is left to capture and to cancel is the same; what an issuer has been asked for
 * without an answer is not left: no other request may ask for it.
 */
export function remainingOf(leg: Leg): Remaining {
  const { amount, captured, cancelled, reversed, reservedHold, reservedReversal, disputed = ZERO_MINOR } = leg;
  const open = amountMinor(amount - captured - cancelled - reservedHold);
  const kept = amountMinor(captured - reversed - reservedReversal);
  // What was given back before may be asked back through the bank all the same.
  return { capture: open, cancel: open, reversal: amountMinor(Math.max(kept - disputed, 0)) };
}

/** What is left once an authorization may be over: nothing can be captured then. */
export function unlessOver(remaining: Remaining, isOver: boolean): Remaining {
  return isOver ? { ...remaining, capture: ZERO_MINOR } : remaining;
}

const LEFT = { Capture: 'capture', Cancel: 'cancel', Reversal: 'reversal' } as const;

/** What a capture, cancel or reversal takes of a leg, or why it can take nothing. */
export function stepOn(leg: Leg, wanted: WantedStep): LegStep | 'NothingLeft' | 'TooMuch' {
  const { operation } = wanted;
  const left = remainingOf(leg)[LEFT[operation]];
  const amount = wanted.amount ?? left;
  if (left === 0) return 'NothingLeft';
  if (amount > left) return 'TooMuch';
  const releasesRest = operation === 'Capture' && wanted.releasesRest === true;
  return { operation, amount, released: releasesRest ? amountMinor(left - amount) : ZERO_MINOR };
}

/** Keeps what a step takes apart while its issuer is being asked: until the answer it is neither taken nor left. */
export function reserve<Some extends Leg>(leg: Some, step: LegStep): Some {
  return changeReserved(leg, step, 1);
}

/** Puts what was reserved for a step back to where it came from: the issuer declined, or its answer is not known. */
export function giveBack<Some extends Leg>(leg: Some, step: LegStep): Some {
  const free = changeReserved(leg, step, -1);
  // A hold that has expired while the issuer was asked takes nothing back: what returns is released as the rest was.
  return step.operation === 'Reversal' || leg.holdExpiresAt !== null ? free : expire(free);
}

/** A leg after a step. A hold ends when nothing of it is left and nothing of it is reserved. */
export function carryOut<Some extends Leg>(leg: Some, { operation, amount, released }: LegStep): Some {
  const done = {
    ...leg,
    captured: amountMinor(leg.captured + (operation === 'Capture' ? amount : 0)),
    cancelled: amountMinor(leg.cancelled + (operation === 'Cancel' ? amount : released)),
    reversed: amountMinor(leg.reversed + (operation === 'Reversal' ? amount : 0)),
  };
  const isOver = done.captured + done.cancelled === done.amount;
  return isOver && leg.holdExpiresAt !== undefined ? { ...done, holdExpiresAt: null } : done;
}

/** A leg after all that is left of its hold was released, because its time is over. */
export function expire<Some extends Leg>(leg: Some): Some {
  return { ...leg, cancelled: amountMinor(leg.cancelled + remainingOf(leg).cancel), holdExpiresAt: null };
}

function changeReserved<Some extends Leg>(leg: Some, { operation, amount, released }: LegStep, sign: 1 | -1): Some {
  if (operation === 'Reversal') {
    return { ...leg, reservedReversal: amountMinor(leg.reservedReversal + sign * amount) };
  }
  return { ...leg, reservedHold: amountMinor(leg.reservedHold + sign * (amount + released)) };
}

/** The amounts of a leg that an issuer has just approved. */
export function approved(amount: AmountMinor, { isCaptured }: { readonly isCaptured: boolean }) {
  return { ...NO_LEG, amount, captured: isCaptured ? amount : ZERO_MINOR };
}

const STANDINGS: Readonly<Record<Answer['outcome'], Standing>> = {
  Approved: 'Done',
  // The hold is released in our books at once; the acquirer hears of it again until it acknowledges.
  Forwarded: 'Done',
  Kept: 'Waiting',
  Declined: 'Declined',
  Refused: 'Declined',
  // A part was not asked for.
  PartiallyApproved: 'Declined',
  AuthenticationRequired: 'Declined',
  NotSent: 'Declined',
  NotUsable: 'TakingBack',
  NoAnswer: 'TakingBack',
};

/** How a question stands after its answer. */
export function standingAfter({ outcome }: Answer): Standing {
  return STANDINGS[outcome];
}

/**
 * What it means that no answer came. A cancel is told again until it is acknowledged: there is nothing in it to take
 * back.
 */
export function answerOfSilence(operation: AcquirerOperation | null, sent: Sent = 'Unknown'): Answer {
  return operation === 'Cancel' ? { outcome: 'Forwarded', sent } : { outcome: 'NoAnswer' };
}

/** What an advice is answered with that the issuer is told later, after what it has to be told before. */
export function keptAdvice({ operation, releasedAmount, sequence }: FollowUpQuestion): Answer {
  return operation === 'Cancel' ? answerOfSilence(operation, 'No') : { outcome: 'Kept', releasedAmount, sequence };
}

/**
 * Whether an answer says that no issuer was asked, so that another acquirer may be. Never after silence, nor after a
 * decline: the card may be charged.
 *
 * @param failoverCodes action codes by which the acquirer says so
 */
export function wasNotAsked(answer: Answer, failoverCodes: readonly string[]): boolean {
  if (answer.outcome === 'NotSent') return true;
  return answer.outcome === 'Declined' && answer.takeBack !== true && failoverCodes.includes(answer.responseCode);
}

/** Why a question did not succeed, as the payee is told. */
export function problemAfter(answer: Answer): CardProblemCode {
  if (answer.outcome === 'Declined' || answer.outcome === 'Refused') return answer.problem;
  return PROBLEMS[answer.outcome];
}

const PROBLEMS: Readonly<Record<Exclude<Answer['outcome'], 'Declined' | 'Refused'>, CardProblemCode>> = {
  PartiallyApproved: 'acquirerinsufficientfunds',
  AuthenticationRequired: 'authenticationrequired',
  NotSent: 'acquirergatewayerror',
  Approved: 'acquirergatewaytimeout',
  Forwarded: 'acquirergatewaytimeout',
  Kept: 'acquirergatewaytimeout',
  NotUsable: 'acquirergatewaytimeout',
  NoAnswer: 'acquirergatewaytimeout',
};

/** What becomes of an attempt with its answer. What may have been done at the acquirer is taken back. */
export function attemptStateAfter(answer: Answer): AttemptState {
  if (answer.outcome === 'Forwarded' || answer.outcome === 'Kept') return 'FORWARDING';
  const isTakenBack =
    standingAfter(answer) === 'TakingBack' ||
    answer.outcome === 'PartiallyApproved' ||
    answer.outcome === 'Refused' ||
    (answer.outcome === 'Declined' && answer.takeBack === true);
  return isTakenBack ? 'REVERSING' : 'SETTLED';
}

/**
 * A leg after its issuer was asked for a step. An answer counts once: who settles has seen, under the lock, that the step
 * still waits.
 *
 * @throws AssertionFailure where it does not wait
 */
export function settle<Some extends Leg>(
  leg: Some,
  step: LegStep & { readonly isWaiting: boolean },
  answer: Answer,
): Some {
  assert(step.isWaiting, 'a step is settled once');
  const standing = standingAfter(answer);
  if (standing === 'Waiting') return leg;
  if (standing !== 'Done') return giveBack(leg, step);
  return carryOut(changeReserved(leg, step, -1), step);
}

/** An attempt as it is stored before its issuer is asked. */
export function newAttempt(attempt: Omit<NewAttempt, 'state' | 'dueAt'>, now: string): RowWrite {
  const { sendMs, answerMs } = attempt.dispatch.limits;
  const dueAt = addSeconds(now, Math.ceil((sendMs + answerMs) / 1000) + ATTEMPT_GRACE_SECONDS);
  return write(NEW_ATTEMPT, { ...attempt, state: 'CALLING', dueAt });
}

/** An advice that a job sends, at once and until it is acknowledged. */
export function newAdvice(attempt: Omit<NewAttempt, 'state' | 'dueAt'>, now: string): RowWrite {
  return write(NEW_ATTEMPT, { ...attempt, state: 'FORWARDING', dueAt: now });
}

/** The change of an attempt with its answer, and what its exchange came to. */
export function settledAttempt(
  { payeeId, attemptId }: Pick<NewAttempt, 'payeeId' | 'attemptId'>,
  answer: Answer,
  from: 'CALLING' | 'FORWARDING' = 'CALLING',
): RowWrite {
  const outcome = { payeeId, attemptId, from, to: attemptStateAfter(answer) } as const;
  return write(ATTEMPT_OUTCOME, { ...outcome, answer: exchangeAnswer(answer) });
}

const EXCHANGE_STATES: Partial<Record<Answer['outcome'], ExchangeAnswer['state']>> = {
  NoAnswer: 'Silent',
  NotSent: 'NotSent',
  Kept: 'Stored',
};

/** How an advice stands that is told again: as a repeat, or as the first message that it may be. */
const FORWARDED_STATES: Readonly<Record<Sent, ExchangeAnswer['state']>> = {
  No: 'Stored',
  Unknown: 'Silent',
  Yes: 'Forwarded',
};

/** What is stored of an answer. */
function exchangeAnswer(answer: Answer): ExchangeAnswer {
  const { retry } = answer.outcome === 'Declined' ? answer : { retry: RETRIES[answer.outcome] };
  const approval = 'references' in answer ? answer : undefined;
  const code = 'unknownOriginal' in answer ? answer.unknownOriginal : undefined;
  return {
    state:
      answer.outcome === 'Forwarded' ? FORWARDED_STATES[answer.sent] : (EXCHANGE_STATES[answer.outcome] ?? 'Answered'),
    actionCode: (('responseCode' in answer ? answer.responseCode : undefined) ?? code) || null,
    schemeCode: ('schemeCode' in answer ? answer.schemeCode : undefined) ?? null,
    approvalCode: approval?.approvalCode ?? null,
    approvedAmount: answer.outcome === 'PartiallyApproved' ? answer.approvedAmount : null,
    acquirerReference: approval?.references.acquirerReference ?? null,
    schemeTransactionId: approval?.references.schemeTransactionId ?? null,
    retry: retry?.advice ?? null,
    retryAfterHours: retry?.afterHours ?? null,
    businessDay: ('businessDay' in answer ? answer.businessDay : undefined) ?? null,
    kept: answer.outcome === 'Kept' ? answer : null,
  };
}

/** Advice on a new try that follows from the outcome alone. */
const RETRIES: Partial<Record<Answer['outcome'], Retry>> = {
  PartiallyApproved: { advice: 'NewData' },
  Refused: { advice: 'NewData' },
  AuthenticationRequired: { advice: 'AfterAuthentication' },
  NotSent: { advice: 'Later' },
  NotUsable: { advice: 'Later' },
  NoAnswer: { advice: 'Later' },
};

type Value = string | number | null;

/** The state of a row by its table: see `StateTable`. */
export function stateBy<State extends string, Member extends string>(
  table: StateTable<State, Member>,
  row: Readonly<Record<Member, Value>>,
): State {
  const found = table.find(([, ...conditions]) => conditions.every((condition) => holds(condition, row)));
  assert(found !== undefined, 'the last line of a state table has no condition');
  return found[0];
}

function holds<Member extends string>(
  [members, is, to]: Condition<Member>,
  row: Readonly<Record<Member, Value>>,
): boolean {
  const values: Value[] = members.map((member) => row[member]);
  const left =
    values.length === 1 ? (values[0] ?? null) : values.reduce<number>((sum, value) => sum + Number(value), 0);
  const right = typeof to === 'object' && to !== null ? row[to.of] : to;
  if (is === '=') return left === right;
  if (left === null || right === null) return false;
  return is === '>' ? left > right : left < right || (is === '<=' && left === right);
}
