import type { DirectoryServer } from '../acquirers/acquirers.types.ts';
import { claimQuestion, noteAnswer, noteEnd, takeResult } from './authentications.ts';
import { claimDirectory, storeRanges } from './enrolled-ranges.ts';
import { errorMessage, type MessageFault, parseMessage, type Read } from './message-form.rules.ts';
import {
  type AuthenticationAnswer,
  errorCodeIn,
  type PreparationAnswer,
  readAuthenticationAnswer,
  readPreparationAnswer,
  readResultRequest,
  resultAnswer,
} from './messages.rules.ts';
import { UNAVAILABLE } from './outcome.rules.ts';
import { type AskedAuthentication, authenticationRequest, preparationRequest } from './requests.rules.ts';
import type { Authentication, DirectoryFlows } from './three-ds.types.ts';
import { tracedThreeDS } from './traced-messages.rules.ts';

/** Bytes of an answer to a question. */
const MESSAGE_BYTES = 65_536;
/**
 * Bytes of an answer with cards: the standard's 64 KiB would hold 400 ranges, and a scheme has tens of thousands.
 */
const PREPARATION_BYTES = 16_777_216;
/** What a directory server says that does not know the state of cards that we name (EMV 3-D Secure 2.2.0, table A.4). */
const UNKNOWN_SERIAL_NUMBER = '307';

/**
 * Asks a directory server for its cards, unless that was done lately.
 *
 * @returns undefined, or why its cards could not be stored: for the log
 */
export async function prepareCards(flows: DirectoryFlows, directory: DirectoryServer): Promise<string | undefined> {
  const claimed = await flows.transact((transaction) => claimDirectory(transaction, directory));
  if (claimed === undefined) return undefined;
  const serialNumber = claimed.serialNumber ?? undefined;
  const first = await askForCards(flows, directory, serialNumber);
  if (first !== UNKNOWN_SERIAL_NUMBER || serialNumber === undefined) return first;
  return await askForCards(flows, directory, undefined);
}

async function askForCards(
  flows: DirectoryFlows,
  directory: DirectoryServer,
  serialNumber: string | undefined,
): Promise<string | undefined> {
  const { line, server, newServerTransactionId, transact } = flows;
  const serverTransactionId = newServerTransactionId();
  const message = preparationRequest(server, { serverTransactionId, serialNumber });
  const text = await line.ask(directory, message, PREPARATION_BYTES);
  if (text === undefined) return 'no answer';
  const read = readCards(text, serverTransactionId);
  if (read.fault !== undefined) {
    const error = text.length <= MESSAGE_BYTES ? errorCodeIn(text) : undefined;
    if (error !== undefined) return error;
    tellFault(flows, directory, { fault: read.fault, text });
    return `answer refused: ${read.fault.code} ${read.fault.detail}`;
  }
  const { message: answer } = read;
  await transact((transaction) => storeRanges(transaction, directory, { answer, isWhole: serialNumber === undefined }));
  const { leftOut } = answer;
  return leftOut === 0 ? undefined : `${leftOut} of its ranges are not of their form and were left out`;
}

/** An answer to our question for cards. */
function readCards(text: string, serverTransactionId: string): Read<PreparationAnswer> {
  const read = readPreparationAnswer(text);
  if (read.fault !== undefined || read.message.serverTransactionId === serverTransactionId) return read;
  return { fault: { code: '301', detail: 'threeDSServerTransID' } };
}

/**
 * Asks whether a payer is who may use the card: once for ever. Silence, an error and an answer that cannot be used are an
 * end without authentication.
 */
export async function askForAuthentication(
  flows: DirectoryFlows,
  authentication: Authentication,
  asked: Omit<AskedAuthentication, 'operator' | 'serverTransactionId' | 'isChallengeWanted'>,
): Promise<void> {
  const { transact, line, server } = flows;
  const { serverTransactionId, isChallengeWanted, scheme } = authentication;
  const directory = server.directoryServers.find((known) => known.scheme === scheme);
  const answerMs = directory?.answerMs ?? 0;
  if (!(await transact((transaction) => claimQuestion(transaction, authentication, answerMs)))) return;
  const message = authenticationRequest({ ...asked, operator: server, serverTransactionId, isChallengeWanted });
  const text = directory && (await line.ask(directory, message, MESSAGE_BYTES));
  const read = text === undefined ? undefined : readAnswer(text, authentication);
  if (read?.fault !== undefined && text !== undefined && directory !== undefined) {
    tellFault(flows, directory, { fault: read.fault, text });
  }
  if (read !== undefined && read.fault === undefined) {
    flows.leftOut?.({ scheme, message: 'ARes', members: read.leftOut });
  }
  await transact(async (transaction) => {
    const answer = read?.fault === undefined ? read?.message : undefined;
    if (answer !== undefined) return noteAnswer(transaction, flows.keyRing, { key: authentication, answer });
    return noteEnd(transaction, flows.keyRing, { key: authentication, end: UNAVAILABLE, from: ['Requested'] });
  });
}

/** An answer to our question; undefined where it is an error, which is not answered. */
function readAnswer(text: string, { serverTransactionId }: Authentication): Read<AuthenticationAnswer> | undefined {
  const read = readAuthenticationAnswer(text);
  if (read.fault !== undefined) return errorCodeIn(text) === undefined ? read : undefined;
  if (read.message.serverTransactionId === serverTransactionId) return read;
  return { fault: { code: '301', detail: 'threeDSServerTransID' } };
}

/** Tells a directory server that we refuse what it answered. What it says to that is not waited for. */
function tellFault(
  { line }: DirectoryFlows,
  directory: DirectoryServer,
  { fault, text }: { readonly fault: MessageFault; readonly text: string },
): void {
  void line.ask(directory, errorMessage(fault, parseMessage(text)), MESSAGE_BYTES);
}

type Message = Readonly<Record<string, unknown>>;

/** Takes what a directory server posts to the address for results, and says what it is answered with. */
export async function answerResult(
  flows: Pick<DirectoryFlows, 'transact' | 'keyRing' | 'leftOut' | 'trace'>,
  text: string,
): Promise<Message> {
  const { answer, scheme } = await takeOrRefuse(flows, text);
  if (flows.trace !== undefined) {
    const passed = { scheme, site: 'results' };
    flows.trace(tracedThreeDS({ ...passed, isOurs: false, message: parseMessage(text) }));
    flows.trace(tracedThreeDS({ ...passed, isOurs: true, message: answer }));
  }
  return answer;
}

async function takeOrRefuse(
  flows: Pick<DirectoryFlows, 'transact' | 'keyRing' | 'leftOut'>,
  text: string,
): Promise<{ readonly answer: Message; readonly scheme?: string | undefined }> {
  const refuse = (fault: MessageFault, scheme?: string) => ({
    answer: errorMessage(fault, parseMessage(text)),
    scheme,
  });
  const read = readResultRequest(text);
  if (read.fault !== undefined) return refuse(read.fault);
  const { message: result } = read;
  try {
    const taken = await flows.transact((transaction) => takeResult(transaction, flows.keyRing, result));
    if ('fault' in taken) return refuse(taken.fault, taken.scheme);
    flows.leftOut?.({ scheme: taken.scheme, message: 'RReq', members: read.leftOut });
    return { answer: resultAnswer(result, taken.status), scheme: taken.scheme };
  } catch {
    // It is stored or it is not: the directory server sends it again.
    return refuse({ code: '403', detail: 'system' });
  }
}
