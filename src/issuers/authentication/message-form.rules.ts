import { endOfString, holdsTooMuch } from './message-bounds.rules.ts';

/**
 * Why a message is refused (EMV 3-D Secure 2.2.0, table A.4): `101` not a message for us, `102` another version, `201` a
 * member is missing, `202` an extension that must be understood, `203` a member of another form, `204` a member twice,
 * `301` an id that is not known, `305` not at this point, `402` time-out, `403` our own fault.
 */
export type FaultCode = '101' | '102' | '201' | '202' | '203' | '204' | '301' | '305' | '402' | '403';

/** What is wrong with a message. Names of members alone: values may be card numbers. */
export interface MessageFault {
  readonly code: FaultCode;
  readonly detail: string;
}

/** A message that was read, with the names of members that were left out of it, or why not. */
export type Read<Message> =
  | { readonly message: Message; readonly leftOut: readonly string[]; readonly fault?: never }
  | { readonly fault: MessageFault };

/** The version that we speak. */
export const MESSAGE_VERSION = '2.2.0';

/** Of one member: whether it must be there, and what it looks like. */
export interface MemberForm {
  readonly isRequired: boolean;
  /** Whether it is left out where it looks otherwise: nothing rests on it. */
  readonly isLeftOut?: true;
  readonly is: (value: unknown) => boolean;
}

export type MessageForm = Readonly<Record<string, MemberForm>>;

/** A text of so many characters that looks so. Lengths are looked at first. None has U+0000, which the database does not take. */
export function textOf(least: number, most: number, pattern?: RegExp): MemberForm['is'] {
  return (value) =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    !value.includes('\u0000') &&
    (pattern === undefined || pattern.test(value));
}

/** One of these texts. */
export function oneOf(...texts: readonly string[]): MemberForm['is'] {
  return (value) => typeof value === 'string' && texts.includes(value);
}

/** A member that must be there. */
export const required = (is: MemberForm['is']): MemberForm => ({ isRequired: true, is });
/** A member that may be missing. */
export const optional = (is: MemberForm['is']): MemberForm => ({ isRequired: false, is });

/** A member that may be missing, and counts as missing where it is of another form. */
export const lenient = (is: MemberForm['is']): MemberForm => ({ isRequired: false, isLeftOut: true, is });

type Members = Readonly<Record<string, unknown>>;

/** Takes a text apart as a message; undefined where it is no JSON object, or holds more than a message does. */
export function parseMessage(text: string): Members | undefined {
  if (holdsTooMuch(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Members) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a message of one type strictly: its type and version, that nothing stands in it twice, that no extension has to be
 * understood, and that all members of the form are as they must be. Members that the form does not name are let be, and what is
 * `lenient` and of another form is left out.
 */
export function readMessage(text: string, type: string, form: MessageForm): Read<Members> {
  const message = parseMessage(text);
  if (message === undefined) return { fault: { code: '203', detail: 'message' } };
  if (message['messageType'] !== type) return { fault: { code: '101', detail: 'messageType' } };
  if (message['messageVersion'] === undefined) return { fault: { code: '201', detail: 'messageVersion' } };
  if (message['messageVersion'] !== MESSAGE_VERSION) return { fault: { code: '102', detail: 'messageVersion' } };
  const twice = memberTwice(text);
  if (twice) return { fault: { code: '204', detail: 'message' } };
  const names = Object.keys(form);
  const isMissing = (name: string) => message[name] === undefined || message[name] === null || message[name] === '';
  const missing = names.filter((name) => form[name]?.isRequired === true && isMissing(name));
  if (missing.length > 0) return { fault: { code: '201', detail: missing.join(',') } };
  const odd = names.filter((name) => message[name] !== undefined && form[name]?.is(message[name]) === false);
  const wrong = odd.filter((name) => form[name]?.isLeftOut !== true);
  if (wrong.length > 0) return { fault: { code: '203', detail: wrong.join(',') } };
  const extensions = readExtensions(message['messageExtension']);
  if (extensions !== undefined) return { fault: extensions };
  return { message: Object.fromEntries(Object.entries(message).filter(([name]) => !odd.includes(name))), leftOut: odd };
}

/** Extensions of one message (EMV 3-D Secure 2.2.0, A.5.1). */
const MOST_EXTENSIONS = 10;

/** We understand no extension: one that must be understood is refused. */
function readExtensions(extensions: unknown): MessageFault | undefined {
  if (extensions === undefined) return undefined;
  const isForm = Array.isArray(extensions) && extensions.length <= MOST_EXTENSIONS;
  if (!isForm) return { code: '203', detail: 'messageExtension' };
  const isCritical = extensions.some((one) => (one as Members | null)?.['criticalIndicator'] === true);
  return isCritical ? { code: '202', detail: 'messageExtension' } : undefined;
}

/** Whether a member stands twice at the top of an object. `text` is known to be JSON, so only strings and depth matter. */
function memberTwice(text: string): boolean {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') {
      depth++;
      isName = depth === 1;
    } else if (sign === '}' || sign === ']') depth--;
    else if (sign === ',' && depth === 1) isName = true;
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && isName) {
        const name = String(JSON.parse(text.slice(at, end + 1)));
        if (seen.has(name)) return true;
        seen.add(name);
        isName = false;
      }
      at = end;
    }
  }
  return false;
}

/** The ids that a message knows, for the error that answers it. */
const IDS = ['threeDSServerTransID', 'dsTransID', 'acsTransID'] as const;

/** Looks like a UUID: any version. */
export const isTransactionId = textOf(36, 36, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

const DESCRIPTIONS: Readonly<Record<FaultCode, string>> = {
  '101': 'The message is not one for this component.',
  '102': 'The version of the message is not supported.',
  '201': 'A required member is missing.',
  '202': 'A critical extension is not known.',
  '203': 'A member is not of its form.',
  '204': 'A member stands twice.',
  '301': 'A transaction id is not known.',
  '305': 'The message does not fit what is known of the transaction.',
  '402': 'No answer came in time.',
  '403': 'The 3DS Server cannot answer now.',
};

/** The error message that answers one that we refuse. `refused` is that one, as far as it could be read. */
export function errorMessage(fault: MessageFault, refused: Members | undefined): Members {
  const known = IDS.filter((id) => isTransactionId(refused?.[id])).map((id) => [id, refused?.[id]] as const);
  const type = refused?.['messageType'];
  return {
    errorCode: fault.code,
    errorComponent: 'S',
    errorDescription: DESCRIPTIONS[fault.code],
    errorDetail: fault.detail,
    ...(typeof type === 'string' && /^[A-Za-z]{4}$/.test(type) ? { errorMessageType: type } : {}),
    messageType: 'Erro',
    messageVersion: MESSAGE_VERSION,
    ...Object.fromEntries(known),
  };
}
