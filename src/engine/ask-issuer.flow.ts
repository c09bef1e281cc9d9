import type { Asker, Dispatch, IssuerRoute, StoredExchange } from '../issuers/issuers.types.ts';
import type { IssuerQuestion } from '../issuers/questions.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { forbidden, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { traceparentOf } from '../kit/work/trace.ts';
import { answerOfSilence, wasNotAsked } from './leg.rules.ts';
import type { Answer, ResultKind } from './leg.types.ts';

/** Milliseconds that a repeat waits for the first request with its reference, and between two looks at it. */
const IN_FLIGHT_WAIT_MS = 2_000;
const IN_FLIGHT_POLL_MS = 100;

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
  for (let waitedMs = 0; prepared.kind === 'Calling'; waitedMs += IN_FLIGHT_POLL_MS) {
    if (waitedMs >= IN_FLIGHT_WAIT_MS) throw inFlight();
    await context.pause(IN_FLIGHT_POLL_MS);
    if (!(await steps.isCalling(prepared))) prepared = await steps.prepare();
  }
  if (prepared.kind !== 'Call') return prepared;
  const answer = await answerTo(context, steps.questionOf(prepared));
  const next = await steps.failOver?.(prepared, answer);
  if (next?.kind !== 'Call') return steps.settle(prepared, answer);
  return steps.settle(next, await answerTo(context, steps.questionOf(next)));
}

/** Under which agreement a question goes out, and by which name: made before it is stored, and only where an issuer is asked. */
export async function dispatchTo(
  { newExchange }: Pick<Asker, 'newExchange'>,
  { issuer, agreement }: Pick<IssuerRoute, 'issuer' | 'agreement'>,
  {
    pointOfService,
    retrievalReference,
  }: Pick<StoredExchange, 'pointOfService'> & { readonly retrievalReference?: string },
): Promise<Dispatch> {
  const exchange = await newExchange(agreement, retrievalReference);
  return { agreement, limits: issuer.limits, exchange, pointOfService };
}

/**
 * Where a question about a payment goes: to the agreement that it was made under, whatever routing says by now.
 *
 * @throws Refusal `forbidden` where that is configured no more
 */
export function dispatchAfter(
  context: Pick<Asker, 'newExchange' | 'issuers'>,
  payeeId: PayeeId,
  original: StoredExchange,
): Promise<Dispatch> {
  const issuer = context.issuers.named(original.acquirerId);
  const agreement = issuer.agreementsOf(payeeId).find(({ id }) => id === original.agreementId);
  if (agreement === undefined) throw forbidden('Acquirer', 'The agreement that it was made under is there no more.');
  return dispatchTo(context, { issuer, agreement }, original);
}

/** A question that was answered, and where else it may go. */
export interface Failing {
  /** Who was asked. */
  readonly issuerId: string;
  readonly answer: Answer;
  /** In which the question may go out, the first choice first. */
  readonly routes: readonly IssuerRoute[];
  readonly pointOfService: StoredExchange['pointOfService'];
}

/**
 * Where a question goes that the issuer before was not asked, or has asked none itself: to another one, which is named
 * before it is stored, and stored before it is asked. Undefined where there is none, or where the card may be charged.
 */
export async function dispatchElsewhere(
  context: Pick<Asker, 'newExchange' | 'issuers'>,
  { issuerId: before, answer, routes, pointOfService }: Failing,
): Promise<{ readonly issuerId: string; readonly dispatch: Dispatch } | undefined> {
  if (!wasNotAsked(answer, context.issuers.named(before).failoverCodes)) return undefined;
  const route = routes.find(({ issuer }) => issuer.issuerId !== before);
  return route && { issuerId: route.issuer.issuerId, dispatch: await dispatchTo(context, route, { pointOfService }) };
}

function inFlight(): Refusal {
  return new Refusal('conflict', 'A request with this reference waits for its issuer.', {
    retryAfterSeconds: 1,
  });
}

async function answerTo({ issuers, withDeadline }: Asker, { issuerId, question }: Asking): Promise<Answer> {
  const { host, limits } = issuers.named(issuerId);
  assert(host !== undefined, 'an external issuer has a host');
  // Whatever goes wrong, the issuer may have said yes before: not to know is the only honest outcome.
  return withDeadline(limits.sendMs + limits.answerMs, (signal) => host.ask(question, signal)).catch(() =>
    answerOfSilence(question.operation),
  );
}

/** What a question says of who asks: what the holder of the card reads, and the trace that the request is part of. */
export function askerOf({ trace }: Actor, descriptor: string | undefined) {
  return { descriptor: descriptor ?? '', traceparent: trace && traceparentOf(trace) };
}
