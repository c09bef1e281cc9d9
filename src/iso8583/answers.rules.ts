import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import { Secret } from '../kit/secret.ts';
import { answerTypeOf } from './compose.rules.ts';
import type { ActionCodes, ActionGroup, Dialect, FieldName, Retry } from './dialects/dialect.types.ts';
import type { Message } from './messages.types.ts';

/** What every answer has. */
const ALWAYS = ['transmittedAt', 'stan', 'sentAt', 'forwardingInstitution', 'actionCode'] as const;
/** What it has where the ask had it. */
const ECHOED = [
  'acquiringInstitution',
  'terminalId',
  'merchantId',
  'amount',
  'retrievalReference',
  'currency',
] as const;
/** What must not differ from the ask. */
const EQUAL = ['amount', 'retrievalReference', 'merchantId', 'currency'] as const;

/** Whether an answer belongs to an ask, by type, STAN, time and, where there, terminal. */
export function isAnswerTo(ask: Message, answer: Message): boolean {
  const { stan, sentAt, terminalId } = answer.fields;
  return (
    answer.type === answerTypeOf(ask.type) &&
    stan === ask.fields.stan &&
    sentAt === ask.fields.sentAt &&
    (terminalId === undefined || terminalId === ask.fields.terminalId)
  );
}

/**
 * Whether an answer to an ask can be used: it has what it must have, and means the same payment. The amount of a partial
 * approval is the part.
 */
export function isUsable({ actionCodes }: Pick<Dialect, 'actionCodes'>, ask: Message, answer: Message): boolean {
  const has = (name: (typeof ALWAYS | typeof ECHOED)[number]) => answer.fields[name] !== undefined;
  if (!ALWAYS.every(has)) return false;
  if (!ECHOED.every((name) => ask.fields[name] === undefined || has(name))) return false;
  const outcome = isRequest(ask) ? groupOf(actionCodes, actionCodeOf(answer))?.outcome : undefined;
  const isPart = outcome === 'PartiallyApproved' && Number(answer.fields.amount) < Number(ask.fields.amount);
  const isSame = (name: (typeof EQUAL)[number]) =>
    ask.fields[name] === undefined || sameValue(name, ask.fields[name], answer.fields[name]);
  if (!EQUAL.every((name) => (name === 'amount' && isPart) || isSame(name))) return false;
  return outcome !== 'Approved' || answer.fields.approvalCode !== undefined;
}

/** Requests of authorizations and sales, of which an approval has a code. */
function isRequest({ type }: Message): boolean {
  return type[2] === '0' && (type[1] === '1' || type[1] === '2');
}

/** Numbers are asked with and answered with zeros to the left. */
function sameValue(name: FieldName, asked: unknown, answered: unknown): boolean {
  if (typeof asked !== 'string' || typeof answered !== 'string') return false;
  return name === 'amount' ? Number(asked) === Number(answered) : asked === answered;
}

/** What the answer to a request says. `Unknown`: the outcome is not known, so it is taken back. */
export type RequestOutcome =
  | { readonly outcome: 'Approved' }
  | { readonly outcome: 'Unknown' }
  | { readonly outcome: 'AuthenticationRequired' }
  | {
      readonly outcome: 'PartiallyApproved' | 'Declined';
      readonly problem: CardProblemCode;
      readonly retry: Retry;
      readonly afterHours?: number;
      readonly takeBack: boolean;
    };

/** Reads the answer to a request; whether 65 of the scheme asks for authentication is the brand's matter. */
export function requestOutcome(codes: ActionCodes, answer: Message, isMastercard: boolean): RequestOutcome {
  const group = groupOf(codes, actionCodeOf(answer));
  if (group === undefined) return { outcome: 'Unknown' };
  if (group.outcome === 'Approved' || group.outcome === 'AuthenticationRequired') return { outcome: group.outcome };
  const { problem = 'acquirererror', retry = 'Later', takeBack = false, outcome } = group;
  if (outcome === 'PartiallyApproved') return { outcome, problem, retry, takeBack };
  const scheme = textOf(answer.tags.schemeCode);
  const { authenticate, authenticateMastercard, never } = codes.schemeCodes;
  if (authenticate.includes(scheme) || (isMastercard && authenticateMastercard.includes(scheme))) {
    return { outcome: 'AuthenticationRequired' };
  }
  const advice = Object.hasOwn(codes.adviceCodes, textOf(answer.tags.adviceCode))
    ? codes.adviceCodes[textOf(answer.tags.adviceCode)]
    : undefined;
  // A stop is a stop, whatever is advised beside it.
  if (retry === 'Never' || never.includes(scheme)) return { outcome, problem, retry: 'Never', takeBack };
  return { outcome, problem, retry, takeBack, ...advice };
}

/** What the answer to an advice says. `Silence`: as if none had come. */
export function adviceOutcome(codes: ActionCodes, answer: Message): 'Acknowledged' | 'Silence' | 'Declined' {
  const code = actionCodeOf(answer);
  if (codes.advices.acknowledged.includes(code)) return 'Acknowledged';
  return codes.advices.silence.includes(code) ? 'Silence' : 'Declined';
}

/** What the answer to a take-back says. `UnknownOriginal` counts the second time. */
export function takeBackOutcome(codes: ActionCodes, answer: Message): 'TakenBack' | 'UnknownOriginal' | 'Repeat' {
  const code = actionCodeOf(answer);
  if (codes.takeBacks.acknowledged.includes(code)) return 'TakenBack';
  return codes.takeBacks.unknownOriginal.includes(code) ? 'UnknownOriginal' : 'Repeat';
}

/** The action code of an answer; empty where it has none. */
export function actionCodeOf(answer: Message): string {
  return textOf(answer.fields.actionCode);
}

function groupOf({ requests }: ActionCodes, code: string): ActionGroup | undefined {
  return requests.find(({ codes }) => codes.includes(code));
}

/** The text of a field that is not secret; empty where there is none. */
export function textOf(value: string | Secret | undefined): string {
  return value instanceof Secret || value === undefined ? '' : value;
}
