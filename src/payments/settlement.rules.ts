import { CARD_VERDICT } from '../engine/card-history/card-history.types.ts';
import { verdictOf } from '../engine/card-history/retry-limits.rules.ts';
import { approved, attemptStateAfter, carryOut, reserve, settle, standingAfter, stepOn } from '../engine/leg.rules.ts';
import type { LegStep } from '../engine/leg.types.ts';
import { ATTEMPT_OUTCOME } from '../issuers/issuers.types.ts';
import type { AuditAction } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import { forbidden } from '../kit/errors.ts';
import { addSeconds } from '../kit/instants.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { type RowWrite, write } from '../kit/row-writes.ts';
import type { LedgerState, TransactionId } from '../ledger/ledger.types.ts';
import { requireNumber } from '../ledger/numbers.rules.ts';
import { NEW_CREDENTIAL, NEW_TOKEN, type StoredCredential } from '../tokens/stored/make-tokens.types.ts';
import { TAKEN_BACK } from './callback.rules.ts';
import { checksIn, takenByPayee } from './cards/checks.rules.ts';
import {
  attemptAfter,
  attemptFor,
  type CardDecision,
  effectOf,
  knownReference,
  lockedPayment,
  nothing,
  postedFor,
  STEPS,
  type Step,
} from './changes/effects.rules.ts';
import { refuseTooManySteps } from './changes/steps-most.rules.ts';
import type {
  AbortCommand,
  CardRelease,
  FollowUpCommand,
  SettleCommand,
  TakenBackCommand,
} from './payment-commands.types.ts';
import { EXPIRED, isAuthorizationOver, isExpired, isPaidByToken } from './payment-state.rules.ts';
import {
  type CardPayment,
  type CardTransaction,
  CHANGED_CARD_TRANSACTION,
  type FollowUpType,
  type LoadedPayment,
  NEW_CARD_TRANSACTION,
  type TryType,
} from './payments.types.ts';
import { problemOf, steppedUp } from './tries/step-up.rules.ts';
import { afterFailure, ended, FAILED, giveUpWaiting } from './tries/tries.rules.ts';
import { LESS_VAT, vatOf } from './vat.rules.ts';

/**
 * Decides on a capture, cancellation or reversal: what it takes is kept apart until the issuer has answered.
 *
 * @throws Refusal `forbidden`, named `Capture`, `Cancellation` or `Reversal`, where less is left than it asks for, or the
 * acquirer is not to be asked for it; and `unavailable` where no number is left
 */
export function decideFollowUp(state: LedgerState<LoadedPayment>, command: FollowUpCommand): CardDecision {
  const known = knownReference(state, command);
  if (known !== undefined) return nothing(known);
  const payment = lockedPayment(state);
  const { type, amount, dispatch, originalAttemptId, releasesRest, refusal } = command;
  // What is to wait may have another answer after that.
  if (refusal?.code === 'conflict') throw refusal;
  if (type === 'Capture' && isAuthorizationOver(payment, state.now)) {
    throw forbidden(type, 'Nothing is left for a capture: the authorization is over.');
  }
  const taken = stepOn(payment, { operation: STEPS[type], amount, releasesRest });
  if (taken === 'NothingLeft') throw forbidden(type, `Nothing is left for a ${type.toLowerCase()}.`);
  if (taken === 'TooMuch') throw forbidden(type, `Less is left for a ${type.toLowerCase()} than that.`);
  const all = stepOn(payment, { operation: STEPS[type], amount: undefined });
  refuseTooManySteps(type, stepsOf(payment, type), () => typeof all !== 'string' && taken.amount === all.amount);
  if (refusal !== undefined) throw refusal;
  const vat = vatOf(command, { taken: taken.amount, captured: payment.vatCaptured, authorized: command.vatAuthorized });
  if (vat === 'TooMuch') throw forbidden(type, LESS_VAT);
  const numbered = { payment, number: requireNumber(state.paymentNumber) };
  const transaction = followUp(numbered, { ...command, vatAmount: vat }, taken, state.now);
  const step = effectOf(state.now, {
    payment: reserve({ ...payment, unsettled: payment.unsettled + 1 }, taken),
    transaction,
    changes: [
      write(NEW_CARD_TRANSACTION, transaction),
      attemptFor(transaction, { payment, dispatch, originalAttemptId, now: state.now }),
    ],
    action: ACTIONS[type],
  });
  return { answer: () => ({ kind: 'Call', payment: step.payment, transaction }), effect: step.effect };
}

/** How many steps of a type a payment has; an order counts those of all its legs itself. */
function stepsOf({ orderId, captures, reversals }: LoadedPayment, type: FollowUpType): number {
  if (orderId !== null || type === 'Cancellation') return 0;
  return type === 'Capture' ? captures : reversals;
}

/**
 * Gives up all that is left of an authorization whose acquirer cannot be asked to: nothing can be captured of it any more, and
 * the issuer lets go of it when its own time is over.
 *
 * @throws Refusal `forbidden`, named `Cancellation`, where nothing is left; and `unavailable` where no number is left
 */
export function decideRelease(state: LedgerState<LoadedPayment>, release: CardRelease): CardDecision {
  const payment = lockedPayment(state);
  const taken = stepOn(payment, { operation: 'Cancel', amount: undefined });
  if (typeof taken === 'string') throw forbidden('Cancellation', 'Nothing is left for a cancellation.');
  const numbered = { payment, number: requireNumber(state.paymentNumber) };
  const asked = { ...release, type: 'Cancellation', attemptId: null, vatAmount: undefined, reference: null } as const;
  const transaction: CardTransaction = { ...followUp(numbered, asked, taken, state.now), state: 'Completed' };
  const step = effectOf(state.now, {
    payment: carryOut(payment, taken),
    transaction,
    changes: [write(NEW_CARD_TRANSACTION, transaction)],
    events: [{ type: EVENTS.Cancellation.done, transaction }],
    action: ACTIONS.Cancellation,
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction }), effect: step.effect };
}

const ACTIONS: Readonly<Record<FollowUpType, AuditAction>> = {
  Capture: 'capture-card-payment',
  Cancellation: 'cancel-card-payment',
  Reversal: 'reverse-card-payment',
};

function followUp(
  { payment, number }: { readonly payment: LoadedPayment; readonly number: number },
  command: Pick<FollowUpCommand, 'transactionId' | 'issuerId' | 'type' | 'vatAmount' | 'description' | 'reference'> &
    Pick<CardTransaction, 'attemptId'>,
  { amount, released }: LegStep,
  now: string,
): CardTransaction {
  const { transactionId, attemptId, issuerId, type, vatAmount, description, reference } = command;
  return {
    ...BARE,
    payeeId: payment.payeeId,
    transactionId,
    paymentId: payment.paymentId,
    number,
    type,
    state: 'Initialized',
    amount,
    released,
    vatAmount: vatAmount ?? ZERO_MINOR,
    description,
    payeeReference: reference,
    attemptId,
    issuerId,
    createdAt: now,
    updatedAt: now,
  };
}

/** The capture that comes with the approval of an `AutoCapture`. */
function captureOf(approved: CardTransaction, captureId: TransactionId | undefined, number: number): CardTransaction {
  assert(captureId !== undefined, 'the approval of an AutoCapture comes with a capture');
  const createdAt = approved.updatedAt;
  return { ...approved, ...BARE, transactionId: captureId, number, type: 'Capture', attemptId: null, createdAt };
}

/** What a capture, cancellation or reversal has nothing of. */
const BARE = {
  problem: null,
  holderSealed: null,
  holderSealedWith: null,
  takingBack: false,
  card: null,
  tokens: [],
  tokenTypes: null,
  cardDigest: null,
  instrumentId: null,
  isStored: false,
  released: ZERO_MINOR,
} as const;

/**
 * Decides on the answer of an issuer. Where the transaction waits no longer, the answer comes too late: it was given up,
 * and is being taken back.
 */
export function decideSettlement(state: LedgerState<LoadedPayment>, command: SettleCommand): CardDecision {
  const payment = lockedPayment(state);
  const { named } = payment;
  assert(named !== null, 'the transaction of an attempt is there');
  const isWaiting = named.state === 'Initialized' && named.attemptId === command.attemptId;
  if (!isWaiting) return nothing({ kind: 'Done', payment, transaction: named });
  const change = settled(command, { payment, transaction: named, now: state.now, paymentNumber: state.paymentNumber });
  const { transaction } = change;
  const step = effectOf(state.now, change);
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction }), effect: step.effect };
}

interface Loaded {
  readonly payment: LoadedPayment;
  readonly transaction: CardTransaction;
  readonly now: string;
  /** For the capture that comes with the approval of an `AutoCapture`. */
  readonly paymentNumber: number | undefined;
}

type Settled = Step & { readonly transaction: CardTransaction };

function settled(asked: SettleCommand, loaded: Loaded): Settled {
  const isTry = loaded.transaction.type === 'Authorization' || loaded.transaction.type === 'Verification';
  const answer = isTry ? takenByPayee(asked.answer, loaded.payment.terms.cards) : asked.answer;
  const command = { ...asked, answer };
  if (command.sealed !== undefined && standingAfter(answer) === 'Declined') {
    return steppedUp(loaded, { sealed: command.sealed, answer });
  }
  const standing = standingAfter(answer);
  if (standing === 'Waiting') return keptCapture(command, loaded);
  if (standing !== 'Done') return unsuccessful(command, loaded, isTry);
  return isTry ? approvedTry(command, loaded) : approvedFollowUp(command, loaded);
}

/** A capture that no line took: it waits on, and only its attempt has changed. */
function keptCapture({ answer }: SettleCommand, { payment, transaction }: Loaded): Settled {
  const changes = [attemptAfter(transaction, answer)];
  return { payment, transaction, changes, action: 'settle-card-payment' };
}

function approvedTry(command: SettleCommand, { payment, transaction, now, paymentNumber }: Loaded): Settled {
  const { answer } = command;
  const approvalCode = answer.outcome === 'Approved' ? answer.approvalCode : undefined;
  const isCaptured = payment.intent === 'AutoCapture';
  const credentials = credentialsOf(command, transaction);
  const isUnnamed = credentials.length === 0 && command.tokens.some(({ tokenType }) => tokenType !== 'Payment');
  const completed: CardTransaction = {
    ...transaction,
    state: 'Completed',
    card: transaction.card && {
      ...transaction.card,
      ...checksIn(answer),
      ...(approvalCode !== undefined && { issuerAuthorizationApprovalCode: approvalCode }),
      ...(isUnnamed && { schemeReference: 'Missing' }),
    },
    tokens: command.tokens.map(({ tokenType, token }) => ({ type: tokenType, token })),
    instrumentId: null,
    updatedAt: now,
  };
  const capture = isCaptured ? captureOf(completed, command.captureId, requireNumber(paymentNumber)) : undefined;
  const changes: RowWrite[] = [
    write(CHANGED_CARD_TRANSACTION, { ...completed, from: 'Initialized' }),
    attemptAfter(completed, answer),
    ...command.tokens.map((token) => write(NEW_TOKEN, token)),
    ...credentials.map((credential) => write(NEW_CREDENTIAL, credential)),
    ...(capture === undefined ? [] : [write(NEW_CARD_TRANSACTION, capture)]),
    ...verdicts({ payment, transaction, now, paymentNumber }, answer),
  ];
  return {
    payment: {
      ...payment,
      ...approved(transaction.amount, { isCaptured }),
      paidBy: completed.transactionId,
      // An order tells the end of all its legs itself.
      authorizedUntil:
        payment.orderId === null && payment.intent === 'Authorization' ? addSeconds(now, command.holdSeconds) : null,
      unsettled: payment.unsettled - 1,
    },
    transaction: completed,
    changes,
    movements: capture === undefined ? [] : postedFor(payment, capture),
    events: [
      {
        type: completed.type === 'Verification' ? 'card-payment.verified' : 'card-payment.authorized',
        transaction: completed,
      },
      ...(capture === undefined ? [] : [{ type: EVENTS.Capture.done, transaction: capture }]),
    ],
    action: 'settle-card-payment',
  };
}

/** What the tokens' card is charged by later: the scheme's name of the payment that stored it first. */
function credentialsOf(
  { answer, tokens, schemeTransactionId: earlier }: SettleCommand,
  { issuerId }: CardTransaction,
): StoredCredential[] {
  const given = answer.outcome === 'Approved' ? answer.references.schemeTransactionId : undefined;
  const schemeTransactionId = earlier ?? given;
  if (schemeTransactionId === undefined || !NAME.test(schemeTransactionId)) return [];
  return tokens.map(({ payeeId, token }) => ({ payeeId, token, schemeTransactionId, acquirerId: issuerId }));
}

/** Schemes fill some up with blanks, which belong to them. Blanks alone name nothing. */
const NAME = /^(?=.{1,40}$) *[!-~][ -~]*$/;

function approvedFollowUp({ answer, from }: SettleCommand, { payment, transaction, now }: Loaded): Settled {
  const done: CardTransaction = { ...transaction, state: 'Completed', updatedAt: now };
  return {
    payment: settle({ ...payment, unsettled: payment.unsettled - 1 }, stepAskedFor(transaction), answer),
    transaction: done,
    changes: [write(CHANGED_CARD_TRANSACTION, { ...done, from: 'Initialized' }), attemptAfter(done, answer, from)],
    movements: postedFor(payment, done),
    events: [{ type: EVENTS[done.type as FollowUpType].done, transaction: done }],
    action: 'settle-card-payment',
  };
}

/** What a capture, cancellation or reversal takes of its payment's leg, while its issuer is being asked. */
function stepAskedFor({ type, amount, released, state }: CardTransaction) {
  return { operation: STEPS[type as FollowUpType], amount, released, isWaiting: state === 'Initialized' };
}

const EVENTS = {
  Capture: { done: 'card-payment.captured', failed: 'card-payment.capture-failed' },
  Cancellation: { done: 'card-payment.cancelled', failed: 'card-payment.cancellation-failed' },
  Reversal: { done: 'card-payment.reversed', failed: 'card-payment.reversal-failed' },
} as const;

function unsuccessful({ answer, from }: SettleCommand, { payment, transaction, now }: Loaded, isTry: boolean): Settled {
  const problem = problemOf(transaction, answer);
  // Something may be held at the issuer: it counts as unsettled until that was taken back.
  const takingBack = attemptStateAfter(answer) === 'REVERSING';
  const card = transaction.card && { ...transaction.card, ...checksIn(answer) };
  const over: CardTransaction = { ...transaction, ...ended(problem), card, takingBack, updatedAt: now };
  const free: CardPayment = { ...payment, unsettled: payment.unsettled - (takingBack ? 0 : 1) };
  return {
    payment: isTry ? afterTry(free, answer) : settle(free, stepAskedFor(transaction), answer),
    transaction: over,
    changes: [
      write(CHANGED_CARD_TRANSACTION, { ...over, from: 'Initialized' }),
      attemptAfter(over, answer, from),
      ...verdicts({ payment, transaction, now, paymentNumber: undefined }, answer),
    ],
    events: [
      {
        type: isTry ? FAILED[over.type as TryType] : EVENTS[over.type as FollowUpType].failed,
        transaction: over,
      },
    ],
    action: 'settle-card-payment',
  };
}

/** Where no acquirer could be asked it is no try of the payer's. A payment without its payer is not tried again. */
function afterTry(payment: CardPayment, { outcome }: SettleCommand['answer']): CardPayment {
  return outcome === 'NotSent' && !isPaidByToken(payment) ? payment : afterFailure(payment);
}

/** What the answer says of the card for later tries. */
function verdicts({ payment, transaction, now }: Loaded, answer: SettleCommand['answer']): RowWrite[] {
  const verdict = verdictOf(transaction, answer, { history: payment, now });
  return verdict === undefined ? [] : [write(CARD_VERDICT, verdict)];
}

/** Decides on an issuer's confirmation that it took an attempt back: then the outcome is known. Twice is as once. */
export function decideTakenBack(state: LedgerState<LoadedPayment>, command: TakenBackCommand): CardDecision {
  const payment = lockedPayment(state);
  const { named } = payment;
  assert(named !== null, 'the transaction of an attempt is there');
  if (!named.takingBack) return nothing({ kind: 'Done', payment, transaction: named });
  const transaction: CardTransaction = { ...named, takingBack: false, updatedAt: state.now };
  const { payeeId, attemptId } = command;
  const step = effectOf(state.now, {
    payment: { ...payment, unsettled: payment.unsettled - 1 },
    transaction,
    changes: [
      write(CHANGED_CARD_TRANSACTION, { ...transaction, from: named.state }),
      write(ATTEMPT_OUTCOME, { payeeId, attemptId, from: 'REVERSING', to: 'REVERSED', answer: undefined }),
    ],
    events: [{ type: TAKEN_BACK, transaction }],
    action: 'take-back-attempt',
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction }), effect: step.effect };
}

/**
 * Decides on an abort, by the payee or because the time is over. Twice is as once: the first reason stays.
 *
 * @throws Refusal `forbidden`, named `Abort`, where it is paid or failed, or an outcome is unknown
 */
export function decideAbort(state: LedgerState<LoadedPayment>, { reason, isExpiry }: AbortCommand): CardDecision {
  const payment = lockedPayment(state);
  const isOver = isExpired(payment, state.now);
  if (payment.state === 'Aborted' || (isExpiry && !isOver)) {
    return nothing({ kind: 'Done', payment, transaction: undefined });
  }
  if (payment.paidBy !== null) throw forbidden('Abort', 'The payment is paid.');
  if (payment.state === 'Failed') throw forbidden('Abort', 'The payment has failed.');
  if (payment.unsettled > 0) throw forbidden('Abort', 'An outcome is unknown.');
  const given = giveUpWaiting(payment.named, state.now);
  const step = effectOf(state.now, {
    payment: { ...payment, state: 'Aborted', abortReason: isOver ? EXPIRED : reason },
    changes: given.changes,
    events: [
      ...given.events,
      { type: isOver ? 'card-payment.expired' : 'card-payment.aborted', transaction: undefined },
    ],
    action: isOver ? 'expire-card-payment' : 'abort-card-payment',
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction: undefined }), effect: step.effect };
}
