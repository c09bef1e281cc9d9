import type { Dialect, FieldName, MessageKind } from '../../iso8583/dialects/dialect.types.ts';
import { FIELD_NAMES } from '../../iso8583/dialects/dialect.types.ts';
import type { HostMessage } from './host-frames.ts';

/** What a payment's message asks for; `TakeBack` and `Cancel` are told apart by their reasons. */
export type AskedKind = Exclude<MessageKind, 'Network' | 'Reconcile'>;

const PAYMENT_KINDS: readonly AskedKind[] = [
  'Authorize',
  'Verify',
  'Increment',
  'Purchase',
  'Credit',
  'Reversal',
  'Capture',
  'Cancel',
  'TakeBack',
];

/** The type of the first message, where this is a repeat of it. */
export function firstTypeOf({ repeatDigit }: Dialect, type: string): string {
  return type.endsWith(repeatDigit) && repeatDigit !== '0' ? `${type.slice(0, 3)}0` : type;
}

/** The type of the answer to one. */
export function answeringType(dialect: Dialect, type: string): string {
  const first = firstTypeOf(dialect, type);
  return first.slice(0, 2) + String(Number(first[2]) + 1) + first.slice(3);
}

/** What a message asks for; undefined where it is nothing that the dialect has. */
export function kindOf(dialect: Dialect, { type, fields }: HostMessage): AskedKind | undefined {
  const first = firstTypeOf(dialect, type);
  return PAYMENT_KINDS.find((kind) => {
    const form = dialect.messages[kind];
    const reasons = form.reasonCodes === undefined ? [form.reasonCode] : Object.values(form.reasonCodes);
    return (
      form.type === first &&
      [form.functionCode, form.otherFunctionCode].includes(fields.functionCode) &&
      (form.processingCode === undefined || form.processingCode === fields.processingCode) &&
      (reasons[0] === undefined || reasons.includes(fields.reasonCode)) &&
      // A refund names a sale, a credit none.
      (fields.original !== undefined) === form.fields.includes('original')
    );
  });
}

/** Fields that may be missing: what was not known of the card, or of an answer. */
const MAY_BE_MISSING: readonly FieldName[] = ['expiry', 'approvalCode', 'privateData'];
const MAY_BE_MISSING_LATER: readonly FieldName[] = [...MAY_BE_MISSING, 'cardNumber'];

/** The number of a field that is missing or wrong; undefined where all is well. */
export function faultyField(dialect: Dialect, kind: AskedKind, message: HostMessage): number | undefined {
  const form = dialect.messages[kind];
  const isLater = form.fields.includes('original') && kind !== 'Increment';
  const mayBeMissing = isLater ? MAY_BE_MISSING_LATER : MAY_BE_MISSING;
  const missing = FIELD_NAMES.find(
    (name) => form.fields.includes(name) && !mayBeMissing.includes(name) && message.fields[name] === undefined,
  );
  const unknown = FIELD_NAMES.find((name) => message.fields[name] !== undefined && !form.fields.includes(name));
  const wrong = missing ?? unknown ?? wrongForm(message);
  if (wrong !== undefined) return dialect.fields[wrong].number;
  return wrongTags(kind, message) ? dialect.fields.privateData.number : undefined;
}

function wrongForm({ fields }: HostMessage): FieldName | undefined {
  const { expiry, pointOfService, retrievalReference, stan, sentAt, transmittedAt, merchantPlace } = fields;
  if (stan === '000000') return 'stan';
  if (sentAt !== undefined && !isTime(sentAt.slice(2))) return 'sentAt';
  if (transmittedAt !== undefined && !isTime(transmittedAt)) return 'transmittedAt';
  if (expiry !== undefined && !/^[0-9]{2}(0[1-9]|1[0-2])$/.test(expiry)) return 'expiry';
  if (pointOfService !== undefined && !/^1000[2345]0[1S](S3|00)110$/.test(pointOfService)) return 'pointOfService';
  if (retrievalReference !== undefined && !/^[0-9]{12}$/.test(retrievalReference)) return 'retrievalReference';
  if (merchantPlace !== undefined && merchantPlace.split('\\').length !== 4) return 'merchantPlace';
  return undefined;
}

/** MMDDhhmmss. */
function isTime(text: string): boolean {
  return /^(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]$/.test(text);
}

function wrongTags(kind: AskedKind, { tags }: HostMessage): boolean {
  if (!/^[0-9a-f]{32}$/.test(tags.attemptId ?? '')) return true;
  if (kind === 'Capture') return !/^[0-9]{4}$/.test(tags.captureSequence ?? '');
  const isRequest = ['Authorize', 'Verify', 'Increment', 'Purchase', 'Credit'].includes(kind);
  return isRequest && (!/^[CM][NRUC][NFS]$/.test(tags.initiator ?? '') || tags.partialApproval !== '0');
}

/** The name of a message at the acquirer, whichever way it came. */
export function nameOf({ type, fields }: HostMessage, dialect: Dialect): string {
  const { stan, sentAt, terminalId = '', merchantId = '' } = fields;
  return [firstTypeOf(dialect, type), stan, sentAt, terminalId, merchantId].join(' ');
}

/** The name of the message that field 56 means. */
export function originalNameOf({ fields }: HostMessage): string {
  const { original = '', terminalId = '', merchantId = '' } = fields;
  return [original.slice(0, 4), original.slice(4, 10), original.slice(10, 22), terminalId, merchantId].join(' ');
}
