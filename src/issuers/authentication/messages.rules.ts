import { Secret } from '../../kit/secret.ts';
import {
  isTransactionId,
  MESSAGE_VERSION,
  type MessageForm,
  oneOf,
  optional,
  parseMessage,
  type Read,
  readMessage,
  required,
  textOf,
} from './message-form.rules.ts';
import type { EnrolledRange, TransStatus } from './three-ds.types.ts';

// What comes to us from directory servers (EMV 3-D Secure 2.2.0, table B.2 and following).

const TEXT = textOf(1, 32);
const TWO_DIGITS = textOf(2, 2, /^\d\d$/);
/** 20 bytes in Base64. */
const VALUE = textOf(28, 28, /^[A-Za-z0-9+/]{27}=$/);
/** In the clear on this machine alone, as the sandbox's. A browser goes there, and its page's policy has the last word. */
const ADDRESS = textOf(9, 2048, /^(https:\/\/|http:\/\/127\.0\.0\.1:\d{1,5}\/)[^\s"'<>]*$/);
const VERSION = textOf(5, 8, /^\d\.\d\.\d$/);
const DIGITS = textOf(13, 19, /^\d+$/);

const IDS: MessageForm = {
  dsTransID: required(isTransactionId),
  acsTransID: required(isTransactionId),
  threeDSServerTransID: required(isTransactionId),
};

/** The answer to the question for authentication. */
export interface AuthenticationAnswer {
  readonly serverTransactionId: string;
  readonly dsTransactionId: string;
  readonly acsTransactionId: string;
  readonly transStatus: TransStatus;
  readonly reason: string | undefined;
  readonly eci: string | undefined;
  readonly authenticationValue: Secret | undefined;
  /** Of a challenge. */
  readonly acsUrl: string | undefined;
  readonly cardholderInfo: string | undefined;
}

const ARES: MessageForm = {
  ...IDS,
  acsReferenceNumber: required(TEXT),
  dsReferenceNumber: required(TEXT),
  transStatus: required(oneOf('Y', 'A', 'N', 'R', 'U', 'C', 'D', 'I')),
  transStatusReason: optional(TWO_DIGITS),
  authenticationValue: optional(VALUE),
  eci: optional(TWO_DIGITS),
  acsURL: optional(ADDRESS),
  acsChallengeMandated: optional(oneOf('Y', 'N')),
  authenticationType: optional(TWO_DIGITS),
  cardholderInfo: optional(textOf(1, 128)),
};

/** What only an answer with a challenge must have. */
const OF_CHALLENGE = ['acsURL', 'acsChallengeMandated', 'authenticationType'];

/** Reads an ARes. */
export function readAuthenticationAnswer(text: string): Read<AuthenticationAnswer> {
  const read = readMessage(text, 'ARes', ARES);
  if (read.fault !== undefined) return read;
  const { message } = read;
  const missing = message['transStatus'] === 'C' ? OF_CHALLENGE.filter((name) => message[name] === undefined) : [];
  if (missing.length > 0) return { fault: { code: '201', detail: missing.join(',') } };
  return {
    message: {
      ...idsOf(message),
      ...resultOf(message),
      acsUrl: textIn(message, 'acsURL'),
      cardholderInfo: textIn(message, 'cardholderInfo'),
    },
  };
}

/** The result of a challenge. */
export interface ResultRequest extends Omit<AuthenticationAnswer, 'acsUrl' | 'cardholderInfo'> {
  /** Who ended it, two digits: `01` the payer. */
  readonly challengeCancel: string | undefined;
}

const RREQ: MessageForm = {
  ...IDS,
  messageCategory: required(oneOf('01', '02')),
  transStatus: required(oneOf('Y', 'A', 'N', 'R', 'U')),
  interactionCounter: required(TWO_DIGITS),
  authenticationType: required(TWO_DIGITS),
  authenticationMethod: optional(TWO_DIGITS),
  authenticationValue: optional(VALUE),
  eci: optional(TWO_DIGITS),
  transStatusReason: optional(TWO_DIGITS),
  challengeCancel: optional(TWO_DIGITS),
};

/** Reads an RReq. */
export function readResultRequest(text: string): Read<ResultRequest> {
  const read = readMessage(text, 'RReq', RREQ);
  if (read.fault !== undefined) return read;
  const { message } = read;
  const challengeCancel = textIn(message, 'challengeCancel');
  return { message: { ...idsOf(message), ...resultOf(message), challengeCancel } };
}

/** `01`: taken. `02`: no browser was led to the challenge. */
export type ResultsStatus = '01' | '02';

/** The RRes that acknowledges a result. */
export function resultAnswer(
  { serverTransactionId, dsTransactionId, acsTransactionId }: ResultRequest,
  resultsStatus: ResultsStatus,
): Readonly<Record<string, string>> {
  return {
    acsTransID: acsTransactionId,
    dsTransID: dsTransactionId,
    threeDSServerTransID: serverTransactionId,
    messageType: 'RRes',
    messageVersion: MESSAGE_VERSION,
    resultsStatus,
  };
}

/** The cards of a scheme that take part. */
export interface PreparationAnswer {
  readonly serialNumber: string;
  readonly ranges: readonly (EnrolledRange & { readonly action: 'A' | 'M' | 'D' })[];
}

const PRES: MessageForm = {
  dsStartProtocolVersion: required(VERSION),
  dsEndProtocolVersion: required(VERSION),
  dsTransID: required(isTransactionId),
  serialNum: required(textOf(1, 20)),
  cardRangeData: optional((value) => Array.isArray(value)),
};

const RANGE: MessageForm = {
  startRange: required(DIGITS),
  endRange: required(DIGITS),
  actionInd: required(oneOf('A', 'M', 'D')),
  acsStartProtocolVersion: required(VERSION),
  acsEndProtocolVersion: required(VERSION),
  threeDSMethodURL: optional(ADDRESS),
};

type Members = Readonly<Record<string, unknown>>;

/** Reads a PRes. Ranges of issuers that do not speak our version are left out. */
export function readPreparationAnswer(text: string): Read<PreparationAnswer> {
  const read = readMessage(text, 'PRes', PRES);
  if (read.fault !== undefined) return read;
  const { message } = read;
  const data = (message['cardRangeData'] ?? []) as readonly Members[];
  if (!data.every(isRange)) return { fault: { code: '203', detail: 'cardRangeData' } };
  const ranges = data.filter(speaksOurs).map((range) => ({
    startRange: String(range['startRange']),
    endRange: String(range['endRange']),
    action: range['actionInd'] as 'A' | 'M' | 'D',
    methodUrl: textIn(range, 'threeDSMethodURL'),
  }));
  return { message: { serialNumber: String(message['serialNum']), ranges } };
}

function isRange(range: Members | null): boolean {
  if (typeof range !== 'object' || range === null) return false;
  const isForm = Object.entries(RANGE).every(([name, { isRequired, is }]) =>
    range[name] === undefined ? !isRequired : is(range[name]),
  );
  if (!isForm) return false;
  const [start, end] = [String(range['startRange']), String(range['endRange'])];
  return start.length === end.length && start <= end;
}

/** Versions of one digit each sort as texts. */
function speaksOurs(range: Members): boolean {
  return (
    String(range['acsStartProtocolVersion']) <= MESSAGE_VERSION &&
    MESSAGE_VERSION <= String(range['acsEndProtocolVersion'])
  );
}

/** The code of an error that a directory server answers with; undefined where it answers something else. */
export function errorCodeIn(text: string): string | undefined {
  const message = parseMessage(text);
  if (message?.['messageType'] !== 'Erro') return undefined;
  const code = message['errorCode'];
  return typeof code === 'string' && /^\d{3}$/.test(code) ? code : '';
}

function idsOf(message: Members) {
  return {
    serverTransactionId: String(message['threeDSServerTransID']).toLowerCase(),
    dsTransactionId: String(message['dsTransID']).toLowerCase(),
    acsTransactionId: String(message['acsTransID']).toLowerCase(),
  };
}

function resultOf(message: Members) {
  const value = textIn(message, 'authenticationValue');
  return {
    transStatus: message['transStatus'] as TransStatus,
    reason: textIn(message, 'transStatusReason'),
    eci: textIn(message, 'eci'),
    authenticationValue: value === undefined ? undefined : new Secret(value),
  };
}

function textIn(message: Members, name: string): string | undefined {
  const value = message[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
