import type { Dialect, FieldName, MessageKind, TagName } from '../../src/iso8583/dialects/dialect.types.ts';
import { FIELD_NAMES } from '../../src/iso8583/dialects/dialect.types.ts';
import { placeOf } from '../../src/iso8583/dialects/places.rules.ts';
import type { HostMessage } from './host-frames.ts';

/** What a payment's message asks for; `TakeBack` and `Cancel` are told apart by their reasons, and where these are one, by their fields. */
export type AskedKind = Exclude<MessageKind, 'Network' | 'Reconcile'>;

const PAYMENT_KINDS: readonly AskedKind[] = [
  'Authorize',
  'Verify',
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
  const possible = PAYMENT_KINDS.filter((kind) => {
    const form = dialect.messages[kind];
    if (form === undefined) return false;
    const reasons = form.reasonCodes === undefined ? [form.reasonCode] : Object.values(form.reasonCodes);
    return (
      form.type === first &&
      [form.functionCode, form.otherFunctionCode].includes(fields.functionCode) &&
      (form.processingCode === undefined || form.processingCode === fields.processingCode) &&
      (reasons[0] === undefined || reasons.includes(fields.reasonCode)) &&
      // A refund names a sale, a credit none.
      refersBack(Object.keys(fields)) === refersBack(form.fields) &&
      // A cancel of 1987 says what is left, and a take-back does not.
      (fields.replacementAmount !== undefined) === form.fields.includes('replacementAmount')
    );
  });
  return possible.find((kind) => lacksNothing(dialect.messages[kind]?.fields ?? [], fields)) ?? possible[0];
}

function lacksNothing(wanted: readonly FieldName[], fields: HostMessage['fields']): boolean {
  return wanted.every((name) => MAY_BE_MISSING_LATER.includes(name) || fields[name] !== undefined);
}

/** Whether a message with these fields names one before it. */
function refersBack(fields: readonly string[]): boolean {
  return fields.includes('original') || fields.includes('originalStan');
}

/** Fields that may be missing: what was not known of the card, or of an answer. */
const MAY_BE_MISSING: readonly FieldName[] = ['expiry', 'approvalCode', 'privateData'];
const MAY_BE_MISSING_LATER: readonly FieldName[] = [...MAY_BE_MISSING, 'cardNumber'];

/** The number of a field that is missing or wrong; undefined where all is well. */
export function faultyField(dialect: Dialect, kind: AskedKind, message: HostMessage): number | undefined {
  const fields: readonly FieldName[] = dialect.messages[kind]?.fields ?? [];
  const isLater = refersBack(fields);
  const mayBeMissing = isLater ? MAY_BE_MISSING_LATER : MAY_BE_MISSING;
  const missing = FIELD_NAMES.find(
    (name) => fields.includes(name) && !mayBeMissing.includes(name) && message.fields[name] === undefined,
  );
  const unknown = FIELD_NAMES.find((name) => message.fields[name] !== undefined && !fields.includes(name));
  const wrong = missing ?? unknown ?? wrongForm(message);
  if (wrong !== undefined) return placeOf(dialect, wrong)?.number ?? 0;
  const tag = wrongTag(dialect.messages[kind]?.tags ?? [], message);
  return tag === undefined ? undefined : (placeOf(dialect, tag)?.number ?? 0);
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

/** What tags look like that are always there. */
const TAG_FORMS: Partial<Readonly<Record<TagName, RegExp>>> = {
  attemptId: /^[0-9a-f]{32}$/,
  captureSequence: /^[0-9]{4}$/,
  initiator: /^[CM][NRUC][NFS]$/,
  partialApproval: /^0$/,
};

function wrongTag(asked: readonly TagName[], { tags }: HostMessage): TagName | undefined {
  return asked.find((name) => TAG_FORMS[name]?.test(tags[name] ?? '') === false);
}

/** The name of a message at the acquirer, whichever way it came. */
export function nameOf({ type, fields }: HostMessage, dialect: Dialect): string {
  const { stan, sentAt, transmittedAt, terminalId = '', merchantId = '' } = fields;
  return [firstTypeOf(dialect, type), stan, sentAt ?? transmittedAt, terminalId, merchantId].join(' ');
}

/** The name of the message that field 56 or 90 means. */
export function originalNameOf({ fields }: HostMessage): string {
  const { original = '', terminalId = '', merchantId = '' } = fields;
  const {
    originalType = original.slice(0, 4),
    originalStan = original.slice(4, 10),
    originalTransmittedAt,
    originalSentAt = originalTransmittedAt ?? original.slice(10, 22),
  } = fields;
  return [originalType, originalStan, originalSentAt, terminalId, merchantId].join(' ');
}

/** The attempt that a message is about: some dialects do not tell it, and name the message alone. */
export function attemptOf(message: HostMessage, dialect: Dialect): string {
  return message.tags.attemptId ?? nameOf(message, dialect);
}
