import { adviceOutcome, takeBackOutcome } from '../../iso8583/answers.rules.ts';
import { cardUpdateIn } from '../../iso8583/card-updates.rules.ts';
import { compose } from '../../iso8583/compose.rules.ts';
import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import type { AdviceRepeat, Ask, Asked, Link } from '../../iso8583/link/link.types.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import { timesOf } from '../../iso8583/times.ts';
import { isMastercardLike } from '../indicators.rules.ts';
import type {
  ApprovalQuestion,
  Declined,
  FollowUpQuestion,
  IssuerAnswer,
  IssuerHost,
  IssuerQuestion,
  Kept,
  Sent,
  TakeBack,
  TakeBackAnswer,
} from '../questions.types.ts';
import {
  answerToCancel,
  answerToCapture,
  answerToRequest,
  answerToTakeBack,
  type GivenAnswer,
} from './acquirer-answers.rules.ts';
import { followUpMessage, type MessageTerms, requestMessage, takeBackMessage } from './acquirer-messages.rules.ts';
import type { Acquirer } from './acquirers.types.ts';
import type { FoundUpdate } from './told/card-updates.types.ts';

/** What an acquirer is asked with. */
export interface AcquirerHostContext {
  readonly acquirer: Acquirer;
  readonly dialect: Dialect;
  readonly link: Pick<Link, 'ask'>;
  /** Hears that an answer came when it was waited for no more. */
  readonly late?: (attempt: Pick<IssuerQuestion, 'payeeId' | 'attemptId'>) => void;
  /** Hears that an answer says of the card that it was replaced or closed. */
  readonly updated?: (found: FoundUpdate) => void;
}

/** No answer that anything can be concluded from: the attempt is taken back. */
export class AcquirerSilence extends Error {
  override readonly name = 'AcquirerSilence';
}

/** An acquirer as the port wants it: questions become messages of its dialect, and answers what they mean. */
export function acquirerHost({ acquirer, dialect, link, late, updated }: AcquirerHostContext): IssuerHost {
  const { sendMs, answerMs, withoutSchemeReference, forwardHours } = acquirer;
  const terms: MessageTerms = { dialect, acquirer, timesOf: (instant) => timesOf(new Date(instant), dialect.timeZone) };
  const { actionCodes } = dialect;

  function send(message: Message, how: Pick<Ask, 'signal' | 'repeat' | 'handedOver' | 'late'>): Promise<Asked> {
    return link.ask({ message, sendMs, answerMs, ...how });
  }

  /** A repeat is the first message but for its type. */
  function asRepeat(message: Message, sentBefore: Sent): Message {
    return sentBefore === 'Yes' ? { ...message, type: message.type.slice(0, -1) + dialect.repeatDigit } : message;
  }

  /** What is remembered of a question beyond its end has nothing of its card. */
  function lateOf({ payeeId, attemptId }: IssuerQuestion): Pick<Ask, 'late'> {
    return late === undefined ? {} : { late: () => late({ payeeId, attemptId }) };
  }

  /** What an answer says of the card itself is not waited for. */
  function noteUpdate({ payeeId, card: { number } }: ApprovalQuestion, asked: Asked): void {
    const update = asked.outcome === 'Answered' ? cardUpdateIn(dialect, asked.answer) : undefined;
    if (update !== undefined) updated?.({ payeeId, acquirerId: acquirer.id, number, update });
  }

  async function askForApproval(question: ApprovalQuestion, { signal, handedOver }: Handing): Promise<IssuerAnswer> {
    const refused = refusedUnsent(question, withoutSchemeReference);
    if (refused !== undefined) return refused;
    const message = compose(dialect, requestMessage(question, terms));
    const asked = await send(message, { signal, handedOver, ...lateOf(question) });
    noteUpdate(question, asked);
    const given = givenOf(asked);
    return 'answer' in given ? answerToRequest(actionCodes, given, isMastercardLike(question.card.number)) : given;
  }

  const captureRepeat: AdviceRepeat = {
    afterMs: answerMs / 2,
    isTaken: (answer) => adviceOutcome(actionCodes, answer, true) === 'Acknowledged',
  };

  async function follow(question: FollowUpQuestion, { signal, handedOver }: Handing): Promise<IssuerAnswer> {
    const { sentBefore = 'No' } = question;
    const message = asRepeat(compose(dialect, followUpMessage(question, terms)), sentBefore);
    if (question.operation === 'Cancel') {
      const asked = await send(message, { signal, handedOver });
      if (asked.outcome === 'Answered') return answerToCancel(actionCodes, asked, sentBefore !== 'No');
      // Not sent, or not answered: the job tells the acquirer again until it acknowledges.
      return { outcome: 'Forwarded', sent: asked.outcome === 'NotSent' ? sentBefore : 'Yes' };
    }
    const isCapture = question.operation === 'Capture';
    const repeat = isCapture ? { repeat: captureRepeat } : {};
    const asked = await send(message, { signal, handedOver, ...repeat, ...lateOf(question) });
    const kept = isCapture && keptCapture(asked, question, { forwardHours, actionCodes });
    if (kept) return kept;
    const given = givenOf(asked);
    if (!('answer' in given)) return given;
    const answer = isCapture
      ? answerToCapture(actionCodes, given, sentBefore !== 'No')
      : answerToRequest(actionCodes, given, false);
    if (answer === undefined) throw new AcquirerSilence('the acquirer has not taken the advice');
    return answer;
  }

  async function reverse(takeBack: TakeBack, { signal, handedOver }: Handing): Promise<TakeBackAnswer> {
    const { sentBefore } = takeBack;
    const message = asRepeat(compose(dialect, takeBackMessage(takeBack, terms)), sentBefore);
    const asked = await send(message, { signal, handedOver });
    const answer =
      asked.outcome === 'Answered' ? answerToTakeBack(actionCodes, asked.answer, sentBefore !== 'No') : undefined;
    if (answer === undefined) throw new AcquirerSilence('the acquirer has not acknowledged the take-back');
    return answer;
  }

  return {
    ask: (question, signal, handedOver) => {
      const handing = { signal, handedOver };
      return 'initiator' in question ? askForApproval(question, handing) : follow(question, handing);
    },
    reverse: (attempt, signal, handedOver) => reverse(attempt, { signal, handedOver }),
  };
}

/** A capture that is told later: no line took it now, or the acquirer does not know what it repeats. Undefined of any other. */
function keptCapture(
  asked: Asked,
  { releasedAmount, sequence, sentBefore = 'No' }: FollowUpQuestion,
  { forwardHours, actionCodes }: Pick<Acquirer, 'forwardHours'> & Pick<Dialect, 'actionCodes'>,
): Kept | undefined {
  const kept: Kept = { outcome: 'Kept', releasedAmount, sequence };
  if (asked.outcome === 'NotSent') {
    // What may be on its way must be told again, whatever the dialect says by now.
    return sentBefore !== 'No' || (forwardHours > 0 && asked.because !== 'NotWritable') ? kept : undefined;
  }
  const isUnknown =
    sentBefore === 'Yes' &&
    asked.outcome === 'Answered' &&
    takeBackOutcome(actionCodes, asked.answer, true) === 'UnknownOriginal';
  return isUnknown ? { ...kept, isUnknown } : undefined;
}

/** How a message is handed over. */
type Handing = { readonly signal: AbortSignal; readonly handedOver: Ask['handedOver'] };

/**
 * What was answered, or what that leaves to say.
 *
 * @throws AcquirerSilence where no answer came
 */
function givenOf(asked: Asked): GivenAnswer | IssuerAnswer {
  if (asked.outcome === 'Answered') return asked;
  if (asked.outcome === 'NotSent') return { outcome: 'NotSent', cause: asked.because };
  if (asked.because === 'Unusable') return { outcome: 'NotUsable' };
  throw new AcquirerSilence(`the acquirer has not answered: ${asked.because}`);
}

/** What no acquirer is asked: tracks and PIN blocks are not sent, nor payments by the merchant that must name their first one. */
function refusedUnsent(
  { card, initiator, schemeTransactionId }: ApprovalQuestion,
  withoutSchemeReference: Acquirer['withoutSchemeReference'],
): Declined | undefined {
  const refused = { outcome: 'Declined', responseCode: '', problem: 'acquirererror' } as const;
  if (card.track2 !== undefined || card.encryptedPin !== undefined) return { ...refused, retry: { advice: 'Never' } };
  const isUnnamed = initiator.by === 'Merchant' && schemeTransactionId === undefined;
  // A new payment by the payer names itself.
  return isUnnamed && withoutSchemeReference === 'refuse' ? { ...refused, retry: { advice: 'NewData' } } : undefined;
}
