import { namesUser, parseAddress } from '../../kit/addresses/address.ts';
import { maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import { Secret } from '../../kit/secret.ts';
import {
  isTransactionId,
  lenient,
  MESSAGE_VERSION,
  type MessageFault,
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
const isAddressText = textOf(9, 2048, /^(https:\/\/|http:\/\/127\.0\.0\.1:\d{1,5}\/)[^\s"'<>]*$/);
/** One that a browser can go to. A name before `@` would look like the host. */
const ADDRESS = (value: unknown): boolean => {
  const address = isAddressText(value) ? parseAddress(String(value)) : undefined;
  return address !== undefined && !namesUser(address);
};
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
  transStatusReason: lenient(TWO_DIGITS),
  // What proves nothing may look as it likes: a payer who was refused stays refused.
  authenticationValue: lenient(VALUE),
  // Schemes have others beside, as Mastercard's `N2`: then the status says it.
  eci: lenient(TWO_DIGITS),
  acsURL: lenient(ADDRESS),
  acsChallengeMandated: lenient(oneOf('Y', 'N')),
  authenticationType: lenient(TWO_DIGITS),
  cardholderInfo: lenient(textOf(1, 128)),
};

/** What only an answer with a challenge must have. */
const OF_CHALLENGE = ['acsURL', 'acsChallengeMandated', 'authenticationType'];

/** Reads an ARes. */
export function readAuthenticationAnswer(text: string): Read<AuthenticationAnswer> {
  const read = readMessage(text, 'ARes', ARES);
  if (read.fault !== undefined) return read;
  const { message, leftOut } = read;
  const isChallenge = message['transStatus'] === 'C';
  const info = textIn(message, 'cardholderInfo');
  const fault = isChallenge ? faultIn(OF_CHALLENGE, { text, message }) : faultInProof(read);
  if (fault !== undefined) return { fault };
  return {
    leftOut,
    message: {
      ...idsOf(message),
      ...resultOf(message),
      acsUrl: textIn(message, 'acsURL'),
      // A bank's text is stored and shown as it is, so a card number in it is masked (PCI DSS 4.0.1, 3.5.1).
      cardholderInfo: info === undefined ? undefined : maskCardNumbersIn(info),
    },
  };
}

/** What is wrong with the members that a status needs: missing, or of another form and so left out. */
function faultIn(
  names: readonly string[],
  { text, message }: { readonly text: string; readonly message: Members },
): MessageFault | undefined {
  const lacking = names.filter((name) => (message[name] ?? '') === '');
  if (lacking.length === 0) return undefined;
  const said = parseMessage(text) ?? {};
  const missing = lacking.filter((name) => (said[name] ?? '') === '');
  if (missing.length > 0) return { code: '201', detail: missing.join(',') };
  return { code: '203', detail: lacking.join(',') };
}

/** A proof that is none, where the status needs one. Without any, the status proves nothing, which is no fault. */
function faultInProof({
  message: { transStatus },
  leftOut,
}: {
  readonly message: Members;
  readonly leftOut: readonly string[];
}): MessageFault | undefined {
  const isOdd = (transStatus === 'Y' || transStatus === 'A') && leftOut.includes('authenticationValue');
  return isOdd ? { code: '203', detail: 'authenticationValue' } : undefined;
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
  authenticationType: lenient(TWO_DIGITS),
  authenticationMethod: lenient(TWO_DIGITS),
  authenticationValue: lenient(VALUE),
  eci: lenient(TWO_DIGITS),
  transStatusReason: lenient(TWO_DIGITS),
  challengeCancel: lenient(TWO_DIGITS),
};

/** Reads an RReq. */
export function readResultRequest(text: string): Read<ResultRequest> {
  const read = readMessage(text, 'RReq', RREQ);
  if (read.fault !== undefined) return read;
  const { message, leftOut } = read;
  const saysHow = message['transStatus'] === 'Y' || message['transStatus'] === 'N';
  const fault = faultInProof(read) ?? (saysHow ? faultIn(['authenticationType'], { text, message }) : undefined);
  if (fault !== undefined) return { fault };
  const challengeCancel = textIn(message, 'challengeCancel');
  return { leftOut, message: { ...idsOf(message), ...resultOf(message), challengeCancel } };
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
  readonly serverTransactionId: string;
  readonly serialNumber: string;
  /** How many ranges were left out, because they are not of their form. */
  readonly leftOut: number;
  readonly ranges: readonly (EnrolledRange & { readonly action: 'A' | 'M' | 'D' })[];
}

const PRES: MessageForm = {
  dsStartProtocolVersion: required(VERSION),
  dsEndProtocolVersion: required(VERSION),
  dsTransID: required(isTransactionId),
  threeDSServerTransID: required(isTransactionId),
  serialNum: required(textOf(1, 20)),
  cardRangeData: optional((value) => Array.isArray(value)),
};

const RANGE: MessageForm = {
  startRange: required(DIGITS),
  endRange: required(DIGITS),
  actionInd: required(oneOf('A', 'M', 'D')),
  acsStartProtocolVersion: required(VERSION),
  acsEndProtocolVersion: required(VERSION),
};

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a PRes. A range that is not of its form is left out, unless all are: the others count. One of an issuer that does not speak our version,
 * or no longer does, is one that is deleted.
 */
export function readPreparationAnswer(text: string): Read<PreparationAnswer> {
  const read = readMessage(text, 'PRes', PRES);
  if (read.fault !== undefined) return read;
  const { message } = read;
  const data = (message['cardRangeData'] ?? []) as readonly Members[];
  const good = data.filter(isRange);
  if (good.length === 0 && data.length > 0) return { fault: { code: '203', detail: 'cardRangeData' } };
  const ranges = good.map((range) => ({
    startRange: String(range['startRange']),
    endRange: String(range['endRange']),
    action: speaksOurs(range) ? (range['actionInd'] as 'A' | 'M' | 'D') : 'D',
    methodUrl: methodUrlIn(range),
  }));
  return {
    leftOut: read.leftOut,
    message: {
      serverTransactionId: String(message['threeDSServerTransID']).toLowerCase(),
      serialNumber: String(message['serialNum']),
      ranges,
      leftOut: data.length - good.length,
    },
  };
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

/** Where a browser is not led to, it is as if the issuer had no such address. */
function methodUrlIn(range: Members): string | undefined {
  return ADDRESS(range['threeDSMethodURL']) ? String(range['threeDSMethodURL']) : undefined;
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
