import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import { Secret } from '../kit/secret.ts';
import { answerTypeOf } from './compose.rules.ts';
import {
  type ActionCodes,
  type ActionGroup,
  type Dialect,
  ECHOES,
  type FieldName,
  type MessageKind,
  type Retry,
  type ValueName,
} from './dialects/dialect.types.ts';
import { placeOf } from './dialects/places.rules.ts';
import type { HostHabit, Message } from './messages.types.ts';

/** What an answer must say right where it says it, because its ask said it. `transmittedAt` is the host's own in some. */
const EQUAL = ECHOES.filter((name) => name !== 'transmittedAt');
/** Of these one must be there beside the STAN, which comes again. */
const BESIDE_STAN = ['transmittedAt', 'sentAt', 'retrievalReference'] as const;
/** Numbers that some are filled up with zeros and others are not. */
const NUMBERS: readonly FieldName[] = ['amount', 'acquiringInstitution', 'forwardingInstitution'];
/** What is looked at in an answer: one in which such a field cannot be read says nothing. */
const NEEDED: readonly FieldName[] = [...ECHOES, 'stan', 'actionCode', 'privateData'];
/** Requests that are approved with a code, and those that some hosts give none. */
const WITH_CODE: readonly MessageKind[] = ['Authorize', 'Purchase'];
const WITHOUT_CODE: readonly MessageKind[] = ['Verify', 'Credit', 'Reversal'];

type Places = Pick<Dialect, 'fields' | 'composed' | 'f48'>;
type Rules = Pick<Dialect, 'actionCodes' | 'mustEcho' | 'messages'> & Places;

/** Whether an answer may belong to an ask: by type, STAN and, where there, time and terminal. */
export function isAnswerTo(ask: Message, answer: Message): boolean {
  return (
    answer.fields.stan === ask.fields.stan &&
    answer.type === answerTypeOf(ask.type) &&
    (['sentAt', 'terminalId'] as const).every((name) => isRightWhereThere(name, ask, answer))
  );
}

/** Whether all that an answer repeats of an ask is right. The amount of a partial approval is the part. */
export function fitsAsk({ actionCodes }: Pick<Rules, 'actionCodes'>, ask: Message, answer: Message): boolean {
  const outcome = outcomeOf(actionCodes, ask, answer);
  const isPart = outcome === 'PartiallyApproved' && Number(answer.fields.amount) < Number(ask.fields.amount);
  return EQUAL.every((name) => (name === 'amount' && isPart) || isRightWhereThere(name, ask, answer));
}

/** Whether an answer that belongs to an ask can be used: it says enough to be sure, and nothing that is not so. */
export function isUsable(rules: Rules, ask: Message, answer: Message): boolean {
  const { actionCode, approvalCode, amount } = answer.fields;
  if (actionCode === undefined || !BESIDE_STAN.some((name) => answer.fields[name] !== undefined)) return false;
  if (!rules.mustEcho.every((name) => ask.fields[name] === undefined || answer.fields[name] !== undefined))
    return false;
  const needsCode = isApprovedByCode(rules, ask);
  const unreadable = answer.notes?.unreadable ?? [];
  const needed = needsCode ? [...NEEDED, 'approvalCode' as const] : NEEDED;
  if (unreadable.length > 0 && needed.some((name) => unreadable.includes(numberOf(rules, name)))) return false;
  if (!fitsAsk(rules, ask, answer)) return false;
  switch (outcomeOf(rules.actionCodes, ask, answer)) {
    case 'Approved':
      return !needsCode || textOf(approvalCode).trim() !== '';
    // Of how much is the question: it is taken back in either case. A part of nothing says nothing of what is held.
    case 'PartiallyApproved':
      return Number(amount ?? 0) > 0;
    default:
      return true;
  }
}

/** What an answer does that another host may not do, and that is no fault. */
export function habitsIn(
  rules: Pick<Rules, 'actionCodes'> & Places,
  ask: Message,
  answer: Message,
): readonly HostHabit[] {
  const { others = [], unreadable = [], tagHabits = [] } = answer.notes ?? {};
  const missing = ECHOES.filter((name) => ask.fields[name] !== undefined && answer.fields[name] === undefined);
  const numbers = missing.map((name) => numberOf(rules, name)).filter((number) => !unreadable.includes(number));
  const { approvalCode } = answer.fields;
  const approval = rules.fields.approvalCode;
  const most = approval !== undefined && 'length' in approval ? approval.length : 0;
  const hasBlanks = approvalCode !== undefined && textOf(approvalCode).trim().length < most;
  return [
    ...others.map((field) => ({ habit: 'OtherField', field }) as const),
    ...numbers.map((field) => ({ habit: 'NotEchoed', field }) as const),
    ...unreadable.map((field) => ({ habit: 'Unreadable', field }) as const),
    ...tagHabits.map((habit) => ({ habit, field: numberOf(rules, 'privateData') })),
    ...(isUnnamed(rules, ask, answer)
      ? [{ habit: 'NoSchemeId', field: numberOf(rules, 'schemeTransactionId') } as const]
      : []),
    ...(hasBlanks ? [{ habit: 'BlankCode', field: numberOf(rules, 'approvalCode') } as const] : []),
  ];
}

/** Whether an approval stores a card to be charged without its payer, and does not say what the scheme calls the payment. */
function isUnnamed({ actionCodes }: Pick<Rules, 'actionCodes'>, ask: Message, answer: Message): boolean {
  return (
    STORES_CARD.includes(textOf(ask.tags.initiator)) &&
    textOf(answer.tags.schemeTransactionId).trim() === '' &&
    outcomeOf(actionCodes, ask, answer) === 'Approved'
  );
}

/** As `initiatorTag` writes them. */
const STORES_CARD: readonly string[] = ['CRF', 'CUF'];

/** The number of the field that has a value; 0 where the dialect has none. */
function numberOf(places: Places, name: ValueName): number {
  return placeOf(places, name)?.number ?? 0;
}

function outcomeOf(codes: ActionCodes, ask: Message, answer: Message): ActionGroup['outcome'] | undefined {
  return isRequest(ask) ? groupOf(codes, actionCodeOf(answer))?.outcome : undefined;
}

/** Requests of authorizations and sales, of which an approval has a code. */
function isRequest({ type }: Message): boolean {
  return type[2] === '0' && (type[1] === '1' || type[1] === '2');
}

/** Whether an approval of an ask has a code. Where two kinds of messages look the same, it has. */
function isApprovedByCode({ messages }: Rules, { type, fields }: Message): boolean {
  const isAny = (kinds: readonly MessageKind[]) =>
    kinds.some((kind) => {
      const form = messages[kind];
      if (form === undefined) return false;
      const codes = [form.functionCode, form.otherFunctionCode].filter((code) => code !== undefined);
      return (
        form.type === type &&
        (form.processingCode === undefined || form.processingCode === fields.processingCode) &&
        (codes.length === 0 || codes.some((code) => code === fields.functionCode))
      );
    });
  return isAny(WITH_CODE) || !isAny(WITHOUT_CODE);
}

function isRightWhereThere(name: FieldName & keyof Message['fields'], ask: Message, answer: Message): boolean {
  const asked = ask.fields[name];
  const answered = answer.fields[name];
  if (asked === undefined || answered === undefined) return true;
  if (typeof asked !== 'string' || typeof answered !== 'string') return false;
  return NUMBERS.includes(name) ? Number(asked) === Number(answered) : asked === answered;
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

/**
 * What the answer to an advice says. `Silence`: as if none had come. Of a message that was sent before, a refusal says nothing: the
 * first one may have been taken. Nor does a code that the dialect does not name as a refusal.
 */
export function adviceOutcome(
  codes: ActionCodes,
  answer: Message,
  isRepeat: boolean,
): 'Acknowledged' | 'Silence' | 'Declined' {
  const code = actionCodeOf(answer);
  if (isRepeat && codes.duplicates.includes(code)) return 'Acknowledged';
  if (isAcknowledged(codes, codes.advices.acknowledged, code)) return 'Acknowledged';
  return isRepeat || codes.advices.silence.includes(code) || !isRefusal(codes, code) ? 'Silence' : 'Declined';
}

/** What the answer to a take-back says. `UnknownOriginal` counts the second time. */
export function takeBackOutcome(
  codes: ActionCodes,
  answer: Message,
  isRepeat: boolean,
): 'TakenBack' | 'UnknownOriginal' | 'Repeat' {
  const code = actionCodeOf(answer);
  if (isRepeat && codes.duplicates.includes(code)) return 'TakenBack';
  if (isAcknowledged(codes, codes.takeBacks.acknowledged, code)) return 'TakenBack';
  return codes.takeBacks.unknownOriginal.includes(code) ? 'UnknownOriginal' : 'Repeat';
}

/** Whether a code acknowledges what the acquirer is told: by its own list, or as it approves requests. */
function isAcknowledged(codes: ActionCodes, acknowledged: readonly string[], code: string): boolean {
  return acknowledged.includes(code) || groupOf(codes, code)?.outcome === 'Approved';
}

/** Whether a code says that an advice was not taken. One that comes after an approval may say so too late. */
function isRefusal(codes: ActionCodes, code: string): boolean {
  if (codes.takeBacks.unknownOriginal.includes(code)) return true;
  const group = groupOf(codes, code);
  return group?.outcome === 'Declined' && group.takeBack !== true;
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
