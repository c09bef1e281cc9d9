import type { TerminalChannel } from '../issuers/acquirers/acquirers.types.ts';
import { cardFor, holdFor } from '../issuers/held-cards.flow.ts';
import { offers } from '../issuers/issuers.rules.ts';
import type { Ahead, Asker, Dispatch, Issuer, IssuerRoute, StoredExchange } from '../issuers/issuers.types.ts';
import type { AttemptId, CardData, FollowUpQuestion, IssuerQuestion, Sent } from '../issuers/questions.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { forbidden, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { traceparentOf } from '../kit/work/trace.ts';
import type { TransactionOperation } from '../ledger/ledger.types.ts';
import type { HeldCard } from '../vault/vault.types.ts';
import { answerOfSilence, keptAdvice, wasNotAsked } from './leg.rules.ts';
import type { Answer, ResultKind } from './leg.types.ts';

/** Milliseconds that a repeat waits for the first request with its reference, and between two looks at it. */
const IN_FLIGHT_WAIT_MS = 2_000;
const IN_FLIGHT_POLL_MS = 100;

/** Seconds after which what waits for a take-back may be asked for again: most are acknowledged by then. */
const TAKING_BACK_SECONDS = 5;
/** The same of a capture that is kept until its acquirer is there again, and of what waits for it. */
export const KEPT_SECONDS = 60;

/** What asking an issuer needs of the running service. */
export interface AskingContext extends Asker {
  /** Resolves after so many milliseconds. */
  readonly pause: (durationMs: number) => Promise<void>;
}

/** A question that is to be put to an issuer, and where it goes. */
export interface Asking {
  readonly issuerId: string;
  readonly question: IssuerQuestion;
}

/** The three parts of what asks an issuer. Each stores what it does in a batch of its own. */
export interface AskingSteps<Result extends { readonly kind: ResultKind }> {
  /** Stores what is asked for, with its attempt. `Call` says that the issuer is to be asked now. */
  prepare(): Promise<Result>;
  /** Whether what an earlier request with the same reference asks for still waits. */
  isCalling(result: Result): Promise<boolean>;
  /** The question that was stored as being put. */
  questionOf(result: Result): Asking;
  /**
   * Stores that another issuer is asked, because this one was not, or has asked none itself; undefined where none is to
   * be.
   */
  failOver?(result: Result, answer: Answer): Promise<Result | undefined>;
  /** Stores the answer. */
  settle(result: Result, answer: Answer): Promise<Result>;
}

/**
 * Prepares, asks and settles: all that asks an issuer goes this way. The issuer is asked once, outside of any transaction,
 * and another one at most where it was not asked.
 * What an earlier request with the same reference waits for is waited for with it.
 *
 * @throws Refusal `conflict` where the issuer takes longer; and as the parts
 */
export async function askIssuer<Result extends { readonly kind: ResultKind }>(
  context: AskingContext,
  steps: AskingSteps<Result>,
): Promise<Result> {
  let prepared = await steps.prepare();
  if (prepared.kind === 'Calling') {
    await waitInFlight(context, async () => {
      if (!(await steps.isCalling(prepared))) prepared = await steps.prepare();
      return prepared.kind !== 'Calling';
    });
  }
  if (prepared.kind !== 'Call') return prepared;
  const answer = await answerTo(context, steps.questionOf(prepared));
  const next = await steps.failOver?.(prepared, answer);
  if (next?.kind !== 'Call') return steps.settle(prepared, answer);
  return steps.settle(next, await answerTo(context, steps.questionOf(next)));
}

/**
 * Waits with a repeat for the issuer that the first request asks.
 *
 * @throws Refusal `conflict` where that takes longer
 */
export async function waitInFlight(
  { pause }: Pick<AskingContext, 'pause'>,
  isOver: () => Promise<boolean>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < IN_FLIGHT_WAIT_MS; waitedMs += IN_FLIGHT_POLL_MS) {
    await pause(IN_FLIGHT_POLL_MS);
    if (await isOver()) return;
  }
  throw new Refusal('conflict', 'A request with this reference waits for its issuer.', { retryAfterSeconds: 1 });
}

/** What makes a question for a payment ready. */
type Dispatcher = Pick<Asker, 'newExchange' | 'holdCard'>;

/** A question that is about to be named. */
export interface Opening {
  readonly payeeId: PayeeId;
  readonly attemptId: AttemptId;
  /** Which terminals it is for. */
  readonly channel: TerminalChannel;
  readonly pointOfService: StoredExchange['pointOfService'];
  /** What the payment wants its payer to read on the statement; undefined where it says nothing. */
  readonly descriptor: string | undefined;
  /** What is to be held where the issuer wants it again; undefined where nothing follows. */
  readonly card: Pick<CardData, 'number' | 'expiryDate'> | undefined;
}

/**
 * Under which agreement a question for a payment goes out, and by which name: made before it is stored, and only where an
 * issuer is asked. The card is sealed by then where the issuer wants it again with what follows.
 */
export async function dispatchTo(
  context: Dispatcher,
  { issuer, agreement }: Pick<IssuerRoute, 'issuer' | 'agreement'>,
  { payeeId, attemptId, channel, pointOfService, descriptor, card }: Opening,
): Promise<Dispatch> {
  const [exchange] = await Promise.all([
    context.newExchange(agreement, { channel }),
    card && holdFor(context, issuer, { payeeId, attemptId, ...card }),
  ]);
  return { agreement, limits: issuer.limits, exchange, pointOfService, descriptor };
}

/** Where a question about a payment goes, and what it needs of what was kept since. */
export interface Following {
  readonly dispatch: Dispatch;
  /** Where the acquirer wants it again. */
  readonly card: HeldCard | undefined;
  /** Why the acquirer is not to be asked; a repeat of what was asked for before is answered all the same. */
  readonly refusal: Refusal | undefined;
}

/**
 * Where a question about a payment goes: to the agreement that it was made under, whatever routing says by now.
 *
 * @param name of the step, as its problem names it
 * @throws Refusal `forbidden` where that agreement is configured no more
 */
export async function dispatchAfter(
  context: Pick<Asker, 'newExchange' | 'issuers' | 'openHeldCard' | 'aheadOf'>,
  { payeeId, original, operation, name, descriptor }: Step,
): Promise<Following> {
  const { acquirerId: issuerId, attemptId, pointOfService } = original;
  const issuer = context.issuers.named(issuerId);
  const agreement = issuer.agreementsOf(payeeId).find(({ id }) => id === original.agreementId);
  if (agreement === undefined) throw forbidden('Acquirer', 'The agreement that it was made under is there no more.');
  const [exchange, card, ahead] = await Promise.all([
    context.newExchange(agreement, original),
    cardFor(context, operation, { payeeId, attemptId, issuerId }),
    operation === 'Cancel' ? undefined : context.aheadOf({ payeeId, attemptId }),
  ]);
  return {
    dispatch: { agreement, limits: issuer.limits, exchange, pointOfService, descriptor },
    card,
    refusal: overtaking(operation, ahead) ?? refusalOf(issuer, { operation, name, hasCard: card !== undefined }),
  };
}

/** What is asked for now could reach the acquirer before the take-back does: then it has both. A refund needs its capture. */
function overtaking(operation: TransactionOperation, ahead: Ahead | undefined): Refusal | undefined {
  if (ahead?.isTakingBack) return waitsForTakeBack();
  if (operation !== 'Reversal' || !ahead?.isCaptureKept) return undefined;
  return waitsForCapture();
}

/** Why a step has to wait for one that is being taken back. */
export function waitsForTakeBack(): Refusal {
  return new Refusal(
    'conflict',
    'An earlier step of this payment has no certain outcome and is being taken back at the acquirer. Send the request again.',
    { retryAfterSeconds: TAKING_BACK_SECONDS },
  );
}

/** Why a step has to wait for a capture that is kept. */
export function waitsForCapture(): Refusal {
  return new Refusal(
    'conflict',
    'A capture of this payment waits until its acquirer is reached again. Send the request again later.',
    { retryAfterSeconds: KEPT_SECONDS },
  );
}

/** A capture, cancel or reversal that is to be asked for. */
export interface Step {
  readonly payeeId: PayeeId;
  readonly original: StoredExchange;
  readonly operation: TransactionOperation;
  readonly name: string;
  /** As of the payment. */
  readonly descriptor: string | undefined;
}

/** Why an acquirer is not asked for a step: what it cannot do, or would refuse. */
function refusalOf(
  issuer: Issuer,
  { operation, name, hasCard }: Pick<Step, 'operation' | 'name'> & { readonly hasCard: boolean },
): Refusal | undefined {
  if (!offers(issuer, operation)) return forbidden(name, 'The acquirer of the payment does not offer it.');
  if (issuer.needCard.includes(operation) && !hasCard) {
    return forbidden(name, 'The acquirer wants the number of the card again, and it is kept no more.');
  }
  return undefined;
}

/** A question that was answered, and where else it may go. */
export interface Failing extends Opening {
  /** Who was asked. */
  readonly issuerId: string;
  readonly answer: Answer;
  /** In which the question may go out, the first choice first. */
  readonly routes: readonly IssuerRoute[];
}

/**
 * Where a question goes that the issuer before was not asked, or has asked none itself: to another one, which is named
 * before it is stored, and stored before it is asked. Undefined where there is none, or where the card may be charged.
 */
export async function dispatchElsewhere(
  context: Dispatcher & Pick<Asker, 'issuers'>,
  { issuerId: before, answer, routes, ...opening }: Failing,
): Promise<{ readonly issuerId: string; readonly dispatch: Dispatch } | undefined> {
  if (!wasNotAsked(answer, context.issuers.named(before).failoverCodes)) return undefined;
  const route = routes.find(({ issuer }) => issuer.issuerId !== before);
  return route && { issuerId: route.issuer.issuerId, dispatch: await dispatchTo(context, route, opening) };
}

async function answerTo(asker: Asker, { issuerId, question }: Asking): Promise<Answer> {
  const { host, limits } = asker.issuers.named(issuerId);
  assert(host !== undefined, 'an external issuer has a host');
  let sent: Sent = 'No';
  const handedOver = () => {
    sent = 'Yes';
  };
  try {
    // The issuer would refuse what overtook it: it is told once that is done.
    if (isAdvice(question) && (await mustWait(asker, question))) return keptAdvice(question);
    return await asker.withDeadline(limits.sendMs + limits.answerMs, (signal) =>
      host.ask(question, signal, handedOver),
    );
  } catch {
    // Whatever goes wrong, the issuer may have said yes before: not to know is the only honest outcome.
    return answerOfSilence(question.operation, sent);
  }
}

function isAdvice(question: IssuerQuestion): question is FollowUpQuestion {
  return question.operation === 'Cancel' || question.operation === 'Capture';
}

async function mustWait(asker: Asker, question: FollowUpQuestion): Promise<boolean> {
  const { isTakingBack, isForwarding } = await asker.aheadOf(question);
  return isTakingBack || isForwarding;
}

/** What a question says of how it goes out, and of the trace that the request is part of. */
export function sentWith({ agreement, exchange, descriptor }: Dispatch, { trace }: Actor) {
  return { agreement, exchange, descriptor, traceparent: trace && traceparentOf(trace) };
}
