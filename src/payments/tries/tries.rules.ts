import { mustWait } from '../../engine/card-history/retry-limits.rules.ts';
import type { ShownAuthentication } from '../../issuers/authentication/three-ds.types.ts';
import type { AuditAction, EventType } from '../../journal/journal.types.ts';
import { assert } from '../../kit/assert.ts';
import { isCodeOptional } from '../../kit/cards/brands.ts';
import { CARD_TRIES } from '../../kit/cards/card-payment-limits.ts';
import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import { forbidden, inputError, type Refusal } from '../../kit/errors.ts';
import { oldestMonthOf } from '../../kit/instants.ts';
import { amountMinor, ZERO_MINOR } from '../../kit/money.ts';
import { write } from '../../kit/row-writes.ts';
import type { LedgerState } from '../../ledger/ledger.types.ts';
import { requireNumber } from '../../ledger/numbers.rules.ts';
import { brandName } from '../../vault/brands.rules.ts';
import type { CardSummary } from '../cards/payment-cards.types.ts';
import {
  attemptFor,
  type CardDecision,
  effectOf,
  knownBy,
  lockedPayment,
  nothing,
  type Step,
} from '../changes/effects.rules.ts';
import { CANCELLED_BY_CONSUMER } from '../page/page-state.rules.ts';
import type { FinishCommand, LeaveCommand, StartCommand } from '../payment-commands.types.ts';
import { isPaidByToken, possibleWith } from '../payment-state.rules.ts';
import {
  type CardPayment,
  type CardRules,
  type CardTransaction,
  CHANGED_CARD_TRANSACTION,
  type LoadedPayment,
  NEW_CARD_TRANSACTION,
  type Price,
  type TryType,
} from '../payments.types.ts';
import { priceFor } from '../terms.rules.ts';

/** Declines of one card within an hour, after which it is not tried for a while. */
const CARD_DECLINES = 20;
/**
 * Times that payers may leave the page of a payment; the last one ends it, for each makes rows. No payer needs as many.
 */
export const CARD_LEAVES = 10;

/**
 * Decides on a try to pay: refused where the payment cannot be paid, failed where the card is not taken, else waiting for
 * the payer's authentication or for the issuer.
 *
 * @throws Refusal `forbidden`, named `Authorization` or `Verification`; and `unavailable` where no number is left
 */
export function decideStart(state: LedgerState<LoadedPayment>, command: StartCommand): CardDecision {
  const known = knownTry(state, command);
  if (known?.transactionId === null) throw forbidden(command.type, 'Its payer has left the form that it comes from.');
  if (known !== undefined) return nothing(known);
  const found = lockedPayment(state);
  if (found.paidBy === null && found.unsettled > 0) return nothing({ kind: 'Calling' });
  const refusal = refuseStart(found, command.type, state.now);
  if (refusal !== undefined) throw refusal;
  const given = giveUpWaiting(found.named, state.now);
  // A try counts however it ends, or a holder of the link could begin any number of them.
  const payment = given.changes.length === 0 ? found : { ...found, ...afterFailure(found) };
  const { range, shown } = command.card;
  const price = priceFor(payment.terms.prices, range?.brand ?? shown.cardBrand);
  const { authentication } = command.card;
  const made = newTransaction(state, payment, command, price);
  const transaction = 'shown' in authentication ? showing(made, authentication.shown) : made;
  const problem = refuseCard(payment, command.card, { price, now: state.now });
  if (problem !== undefined) return failed(state.now, { payment, transaction: { ...transaction, problem }, given });
  if (authentication.is === 'Needed') return awaiting(state.now, { payment, transaction, given });
  const { attemptId, dispatch } = command;
  return calling(state.now, { payment, transaction: { ...transaction, attemptId }, given, dispatch });
}

/**
 * The try that the command's key stands for, or that an earlier run of this very command has made.
 *
 * @throws Refusal `inputerror` if another try has used its proof from elsewhere: one authentication is for one authorization
 */
function knownTry(state: LedgerState<LoadedPayment>, command: StartCommand) {
  const byKey = knownBy(state.takenIn('card-payment-key'), command);
  if (byKey !== undefined) return byKey;
  const byProof = knownBy(state.takenIn('card-payment'), command);
  if (byProof === undefined || byProof.isOwn) return byProof;
  throw inputError(
    'transaction.authentication',
    'must not have been sent with another try: one authentication is for one authorization',
  );
}

function refuseStart(payment: CardPayment, type: TryType, now: string): Refusal | undefined {
  const wanted = payment.operation === 'Verify' ? 'Verification' : 'Authorization';
  if (type !== wanted) return forbidden(type, `A payment of this operation takes a ${wanted.toLowerCase()}.`);
  if (isPaidByToken(payment) && payment.state === 'Ready' && payment.paidBy === null) return undefined;
  if (possibleWith(payment, now).includes(type === 'Verification' ? 'verify' : 'authorize')) return undefined;
  return forbidden(type, 'The payment is paid, failed, aborted or expired.');
}

interface Priced {
  readonly price: Price | undefined;
  readonly now: string;
}

/** Why a card is not even tried. The first reason counts. */
function refuseCard(payment: LoadedPayment, card: CardSummary, { price, now }: Priced): CardProblemCode | undefined {
  const { cards } = payment.terms;
  const { range, shown } = card;
  if (payment.state === 'Failed' || payment.declines >= CARD_DECLINES) return 'velocitycheck';
  if (payment.operation !== 'Verify' && price === undefined) return 'carddeclined';
  if (isRejected(cards, card) || isNeverTried(payment, card)) return 'carddeclined';
  if (isPaidByToken(payment) && mustWait(payment, range?.brand ?? shown.cardBrand)) return 'velocitycheck';
  if (card.issuerId === undefined) return 'acquirererror';
  if (!card.hasCvc && needsCode(payment, card)) return 'carddeclined';
  // Of a card that the merchant charges the date may have been renewed at its bank: its acquirer knows.
  if (!isPaidByToken(payment) && card.expiryMonth < oldestMonthOf(now)) return 'acquirercardexpired';
  return card.authentication.is === 'Impossible' ? '3dsecuredeclined' : undefined;
}

/** Whether an issuer has said never to try it again: that binds its payee, and outside the sandbox its payer too. */
function isNeverTried(payment: LoadedPayment, { isOfSandbox }: CardSummary): boolean {
  return payment.isBlocked && (isPaidByToken(payment) || !isOfSandbox);
}

function needsCode(payment: LoadedPayment, { shown: { cardBrand } }: CardSummary): boolean {
  const isLeftOut = payment.terms.cards.noCvc === true || isPaidByToken(payment);
  return !isLeftOut && !isCodeOptional(cardBrand && brandName(cardBrand));
}

function isRejected(cards: CardRules, { range }: CardSummary): boolean {
  return (
    (cards.rejectCreditCards === true && range?.cardType === 'Credit') ||
    (cards.rejectDebitCards === true && range?.cardType === 'Debit') ||
    (cards.rejectConsumerCards === true && range?.holderType === 'Consumer') ||
    (cards.rejectCorporateCards === true && range?.holderType === 'Corporate')
  );
}

/** A transaction that shows more of how its payer was authenticated. */
function showing(transaction: CardTransaction, shown: Partial<ShownAuthentication>): CardTransaction {
  return { ...transaction, card: transaction.card && { ...transaction.card, ...shown } };
}

function newTransaction(
  { now, paymentNumber }: LedgerState<LoadedPayment>,
  { payeeId, paymentId, terms }: LoadedPayment,
  { transactionId, type, card, holder }: StartCommand,
  price: Price | undefined,
): CardTransaction {
  return {
    payeeId,
    transactionId,
    paymentId,
    number: requireNumber(paymentNumber),
    type,
    state: 'Initialized',
    amount: amountMinor(price?.amount ?? 0),
    vatAmount: amountMinor(price?.vatAmount ?? 0),
    description: terms.description ?? null,
    payeeReference: terms.payeeInfo.payeeReference ?? null,
    attemptId: null,
    issuerId: card.issuerId ?? null,
    problem: null,
    takingBack: false,
    card: card.shown,
    tokens: [],
    tokenTypes: card.tokenTypes,
    cardDigest: card.digest,
    instrumentId: card.instrumentId ?? null,
    isStored: card.isStored,
    released: ZERO_MINOR,
    createdAt: now,
    updatedAt: now,
    holderSealed: holder?.sealed ?? null,
    holderSealedWith: holder?.sealedWith ?? null,
  };
}

/** A transaction that begins, and the one that its payer has left for it. */
interface Beginning {
  readonly payment: CardPayment;
  readonly transaction: CardTransaction;
  readonly given: GivenUp;
}

/** What ends with a transaction that its payer has left: what changes, and what others are told. */
type GivenUp = Required<Pick<Step, 'changes' | 'events'>>;

/** The reference of a try, from a key of its own: the first request with it decides what it stands for. */
export function referenceOfTry(type: TryType, key: string | undefined): string | undefined {
  return key && `${type.toLowerCase()}:${key}`;
}

/**
 * Decides on a payer who leaves the page. A try of the form that they leave, which may be on its way still, is none any
 * more, and an authentication that waits is given up. Where a try runs, or the payment is over, nothing changes.
 */
export function decideLeave(state: LedgerState<LoadedPayment>, _command: LeaveCommand): CardDecision {
  const payment = lockedPayment(state);
  const given = giveUpWaiting(payment.named, state.now);
  const hasWaited = given.changes.length > 0;
  const isOpen = possibleWith(payment, state.now).includes('abort');
  if (!isOpen || (state.taken !== undefined && !hasWaited)) {
    return nothing({ kind: 'Done', payment, transaction: undefined });
  }
  const after: CardPayment = { ...(hasWaited ? afterFailure(payment) : payment), leaves: payment.leaves + 1 };
  const step = effectOf(state.now, leftFor(after, given));
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction: undefined }), effect: step.effect };
}

/**
 * The last time that its payer may leave ends a payment: each time makes rows, and nothing else bounds how often it is
 * asked for.
 */
function leftFor(payment: CardPayment, given: GivenUp): Step {
  if (payment.leaves < CARD_LEAVES || payment.state !== 'Ready')
    return { ...given, payment, action: 'leave-payment-page' };
  return {
    payment: { ...payment, state: 'Aborted', abortReason: CANCELLED_BY_CONSUMER },
    changes: given.changes,
    events: [...given.events, { type: 'card-payment.aborted', transaction: undefined }],
    action: 'abort-card-payment',
  };
}

/** A payer who begins anew has given up the authentication before. */
export function giveUpWaiting(named: CardTransaction | null, now: string): GivenUp {
  if (named?.state !== 'AwaitingActivity') return { changes: [], events: [] };
  const transaction: CardTransaction = { ...named, ...ended('3dsecureusercancelled'), updatedAt: now };
  return {
    changes: [write(CHANGED_CARD_TRANSACTION, { ...transaction, from: 'AwaitingActivity' })],
    events: [{ type: FAILED[transaction.type as TryType], transaction }],
  };
}

/** What ends a transaction without success; the sealed card is not needed any more. */
export function ended(problem: CardProblemCode) {
  return { state: 'Failed', problem, instrumentId: null } as const;
}

function failed(now: string, { payment, transaction, given }: Beginning): CardDecision {
  assert(transaction.problem !== null, 'a failure says why');
  const over: CardTransaction = { ...transaction, ...ended(transaction.problem) };
  const step = effectOf(now, {
    payment: afterFailure(payment),
    transaction: over,
    changes: [...given.changes, write(NEW_CARD_TRANSACTION, over)],
    events: [...given.events, { type: FAILED[transaction.type as TryType], transaction: over }],
    action: ACTIONS[transaction.type as TryType],
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction: over }), effect: step.effect };
}

function awaiting(now: string, { payment, transaction, given }: Beginning): CardDecision {
  const waiting: CardTransaction = { ...transaction, state: 'AwaitingActivity' };
  const step = effectOf(now, {
    payment,
    transaction: waiting,
    changes: [...given.changes, write(NEW_CARD_TRANSACTION, waiting)],
    events: given.events,
    action: ACTIONS[transaction.type as TryType],
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction: waiting }), effect: step.effect };
}

function calling(
  now: string,
  { payment, transaction, given, dispatch }: Beginning & Pick<StartCommand, 'dispatch'>,
): CardDecision {
  const step = effectOf(now, {
    payment: { ...payment, unsettled: payment.unsettled + 1 },
    transaction,
    changes: [
      ...given.changes,
      write(NEW_CARD_TRANSACTION, transaction),
      attemptFor(transaction, { payment, dispatch, originalAttemptId: null, now }),
    ],
    events: given.events,
    action: ACTIONS[transaction.type as TryType],
  });
  return { answer: () => ({ kind: 'Call', payment: step.payment, transaction }), effect: step.effect };
}

/** A payment after a try that failed: usable until the tries are spent. */
export function afterFailure(payment: CardPayment): CardPayment {
  const failedTries = payment.failedTries + 1;
  const tries = isPaidByToken(payment) ? 1 : CARD_TRIES;
  return { ...payment, failedTries, state: failedTries >= tries ? 'Failed' : payment.state };
}

/** Events of tries that failed, and verbs of tries for the audit trail. */
export const FAILED: Readonly<Record<TryType, EventType>> = {
  Authorization: 'card-payment.authorization-failed',
  Verification: 'card-payment.verification-failed',
};
const ACTIONS: Readonly<Record<TryType, AuditAction>> = {
  Authorization: 'authorize-card-payment',
  Verification: 'verify-card-payment',
};

/**
 * Decides on the end of the payer's authentication. It ends once: a later request finds what became of it.
 */
export function decideFinish(state: LedgerState<LoadedPayment>, command: FinishCommand): CardDecision {
  const payment = lockedPayment(state);
  const { named } = payment;
  assert(named !== null, 'the transaction of an authentication is there');
  if (named.state === 'Initialized' && named.attemptId === command.attemptId) {
    return nothing({ kind: 'Call', payment, transaction: named });
  }
  const isWaiting = named.state === 'AwaitingActivity' && named.attemptId === command.seenAttemptId;
  if (!isWaiting) return nothing({ kind: 'Done', payment, transaction: named });
  const type = named.type as TryType;
  const { card } = showing(named, command.shown);
  const canBePaid = refuseStart(payment, type, state.now) === undefined;
  if (command.consequence === 'Authorize' && canBePaid) {
    const transaction: CardTransaction = {
      ...named,
      card,
      state: 'Initialized',
      attemptId: command.attemptId,
      updatedAt: state.now,
    };
    const details = { payment, dispatch: command.dispatch, originalAttemptId: null, now: state.now };
    const step = effectOf(state.now, {
      payment: { ...payment, unsettled: payment.unsettled + 1 },
      transaction,
      changes: [
        write(CHANGED_CARD_TRANSACTION, { ...transaction, from: 'AwaitingActivity' }),
        attemptFor(transaction, details),
      ],
      action: 'finish-authentication',
    });
    return { answer: () => ({ kind: 'Call', payment: step.payment, transaction }), effect: step.effect };
  }
  // Overtaken by another try, which has paid or ended the payment, or by the end of its time: it is not declined.
  const problem = command.consequence === 'Authorize' ? '3dsecureusercancelled' : command.consequence;
  const transaction: CardTransaction = { ...named, card, ...ended(problem), updatedAt: state.now };
  const step = effectOf(state.now, {
    // A payment whose time is over shows as aborted, and stays so.
    payment: canBePaid ? afterFailure(payment) : payment,
    transaction,
    changes: [write(CHANGED_CARD_TRANSACTION, { ...transaction, from: 'AwaitingActivity' })],
    events: [{ type: FAILED[type], transaction }],
    action: 'finish-authentication',
  });
  return { answer: () => ({ kind: 'Done', payment: step.payment, transaction }), effect: step.effect };
}
