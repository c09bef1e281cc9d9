import { assert } from '../kit/assert.ts';
import type { Agreement, TerminalChannel } from './acquirers/acquirers.types.ts';
import type { StoredExchange } from './issuers.types.ts';
import type { Initiator, Original, Sent, TakeBackReason } from './questions.types.ts';

/**
 * The reference that a payment has for life: the last digit of the year, the day of the year, the hour in UTC and the
 * number of its first message (ISO 8583, field 37).
 *
 * @param sentAt ISO 8601 in UTC
 */
export function retrievalReferenceOf(sentAt: string, stan: string): string {
  const [year, month, day] = [sentAt.slice(0, 4), sentAt.slice(5, 7), sentAt.slice(8, 10)].map(Number);
  assert(year !== undefined && month !== undefined && day !== undefined, 'an instant has its date');
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const dayOfYear = (DAYS_BEFORE[month - 1] ?? 0) + day + (isLeap && month > 2 ? 1 : 0);
  return `${year % 10}${String(dayOfYear).padStart(3, '0')}${sentAt.slice(11, 13)}${stan}`;
}

/** Days of a year before each month, where February has 28. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** The terminals for a channel: those that are for it, else those that are for any. */
export function terminalsFor(
  { terminalIds, terminalChannels = {} }: Pick<Agreement, 'terminalIds' | 'terminalChannels'>,
  channel: TerminalChannel,
): readonly string[] {
  const own = terminalIds.filter((id) => terminalChannels[id]?.includes(channel));
  return own.length > 0 ? own : terminalIds.filter((id) => terminalChannels[id] === undefined);
}

/** Which terminals of an agreement a payment is for. */
export function channelOf({ by, channel }: Pick<Initiator, 'by' | 'channel'>): TerminalChannel {
  if (by === 'Merchant') return 'Merchant';
  if (channel === 'Mail' || channel === 'Phone') return 'MailOrPhone';
  return channel === 'Terminal' ? channel : 'ECommerce';
}

/** A stored question as what follows it names it. */
export function originalOf(stored: StoredExchange): Original {
  const { attemptId, operation, amount, acquirerId, terminalId, stan, sentAt, retrievalReference } = stored;
  const { approvalCode, schemeTransactionId, pointOfService } = stored;
  return {
    attemptId,
    operation,
    amount,
    exchange: { acquirerId, terminalId, stan, sentAt, retrievalReference },
    ...(approvalCode !== null && { approvalCode }),
    ...(schemeTransactionId !== null && { schemeTransactionId }),
    ...(pointOfService !== null && { pointOfService }),
  };
}

/** Why what was asked is taken back. */
export function takeBackReasonOf({
  state,
  approvedAmount,
  approvalCode,
  schemeTransactionId,
  answeredAt,
}: Pick<
  StoredExchange,
  'state' | 'approvedAmount' | 'approvalCode' | 'schemeTransactionId' | 'answeredAt'
>): TakeBackReason {
  if (state !== 'Answered') return answeredAt === null ? 'Silence' : 'TooLate';
  if (approvedAmount !== null) return 'Partial';
  // Only an approval has one of them.
  return approvalCode === null && schemeTransactionId === null ? 'NotUsable' : 'Refused';
}

/** Whether what is told until it is acknowledged was sent before: what was answered was. */
export function sentBefore({ state }: StoredExchange): Sent {
  if (state === 'Forwarded' || state === 'Answered') return 'Yes';
  return state === 'Stored' ? 'No' : 'Unknown';
}
