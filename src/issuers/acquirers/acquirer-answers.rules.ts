import { actionCodeOf, adviceOutcome, requestOutcome, takeBackOutcome, textOf } from '../../iso8583/answers.rules.ts';
import type { ActionCodes } from '../../iso8583/dialects/dialect.types.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import { amountMinor } from '../../kit/money.ts';
import type { Answered, Approved, IssuerAnswer, References, TakeBackAnswer } from '../questions.types.ts';

/** An answer with what is known beside it. */
export interface GivenAnswer {
  readonly answer: Message;
  /** `YYYY-MM-DD`. */
  readonly businessDay: string | undefined;
  /** Whether the message had been sent twice by then. */
  readonly wasRepeated: boolean;
}

/** What an answer to a request means. */
export function answerToRequest(codes: ActionCodes, given: GivenAnswer, isMastercard: boolean): IssuerAnswer {
  const outcome = requestOutcome(codes, given.answer, isMastercard);
  switch (outcome.outcome) {
    case 'Approved':
      return approved(given);
    case 'PartiallyApproved':
      return {
        outcome: 'PartiallyApproved',
        ...answered(given),
        approvedAmount: amountMinor(Number(given.answer.fields.amount)),
        ...approvalCodeOf(given.answer),
        references: referencesOf(given.answer),
      };
    case 'AuthenticationRequired':
      return { outcome: 'AuthenticationRequired', ...answered(given) };
    case 'Unknown':
      return { outcome: 'NotUsable', responseCode: actionCodeOf(given.answer) };
    default:
      return {
        outcome: 'Declined',
        ...answered(given),
        problem: outcome.problem,
        ...optional('adviceCode', given.answer.tags.adviceCode),
        retry: {
          advice: outcome.retry,
          ...(outcome.afterHours === undefined ? {} : { afterHours: outcome.afterHours }),
        },
        ...(outcome.takeBack ? { takeBack: true } : {}),
      };
  }
}

/**
 * What an answer to a capture means; undefined where it is as good as none.
 *
 * @param wasForwarded whether it may have been sent before, by another question. A refusal says nothing of that one, and another
 *   repeat would be refused too: so it cannot be used.
 */
export function answerToCapture(
  codes: ActionCodes,
  given: GivenAnswer,
  wasForwarded: boolean,
): IssuerAnswer | undefined {
  const outcome = adviceOutcome(codes, given.answer, wasForwarded || given.wasRepeated);
  if (outcome === 'Acknowledged') return approved(given);
  if (outcome === 'Declined') return declinedAdvice(codes, given);
  const isRefused = wasForwarded && adviceOutcome(codes, given.answer, false) === 'Declined';
  return isRefused ? { outcome: 'NotUsable', responseCode: actionCodeOf(given.answer) } : undefined;
}

/**
 * What an answer to a cancel means: what is no acknowledgement and no refusal is repeated.
 *
 * @param isRepeat whether it may have been sent before
 */
export function answerToCancel(codes: ActionCodes, given: GivenAnswer, isRepeat: boolean): IssuerAnswer {
  const outcome = takeBackOutcome(codes, given.answer, isRepeat);
  if (outcome === 'TakenBack') return approved(given);
  if (outcome === 'UnknownOriginal') {
    return { outcome: 'Forwarded', sent: 'Yes', unknownOriginal: actionCodeOf(given.answer) };
  }
  const isRefused = adviceOutcome(codes, given.answer, isRepeat) === 'Declined';
  return isRefused ? declinedAdvice(codes, given) : { outcome: 'Forwarded', sent: 'Yes' };
}

/**
 * What an answer to a take-back means; undefined where it is no acknowledgement.
 *
 * @param isRepeat whether it may have been sent before
 */
export function answerToTakeBack(codes: ActionCodes, answer: Message, isRepeat: boolean): TakeBackAnswer | undefined {
  const outcome = takeBackOutcome(codes, answer, isRepeat);
  if (outcome === 'Repeat') return undefined;
  return { outcome: outcome === 'TakenBack' ? 'TakenBack' : 'OriginalUnknown', responseCode: actionCodeOf(answer) };
}

/** An advice says what has happened: who refuses it once refuses it always. */
function declinedAdvice(codes: ActionCodes, given: GivenAnswer): IssuerAnswer {
  const outcome = requestOutcome(codes, given.answer, false);
  const problem = outcome.outcome === 'Declined' ? outcome.problem : 'acquirererror';
  return { outcome: 'Declined', ...answered(given), problem, retry: { advice: 'Never' } };
}

function approved(given: GivenAnswer): Approved {
  return {
    outcome: 'Approved',
    ...answered(given),
    references: referencesOf(given.answer),
    ...approvalCodeOf(given.answer),
  };
}

/** Blanks alone are none; beside others they belong to it. */
function approvalCodeOf({ fields: { approvalCode } }: Message): { readonly approvalCode?: string } {
  return optional('approvalCode', textOf(approvalCode).trim() && approvalCode);
}

function answered({ answer, businessDay }: GivenAnswer): Answered {
  return {
    responseCode: actionCodeOf(answer),
    ...optional('schemeCode', answer.tags.schemeCode),
    ...(businessDay === undefined ? {} : { businessDay }),
    ...optional('cvcResult', answer.tags.cvcResult),
    ...optional('addressResult', answer.tags.addressResult),
  };
}

function referencesOf({ fields, tags }: Message): References {
  return {
    ...optional('retrievalReference', fields.retrievalReference),
    ...optional('acquirerReference', fields.acquirerReference),
    ...optional('schemeTransactionId', tags.schemeTransactionId),
  };
}

function optional<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as Record<Name, string>) : {};
}
