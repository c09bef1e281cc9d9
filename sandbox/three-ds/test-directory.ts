import { randomUUID } from 'node:crypto';
import { testAuthenticationValue } from '../acquirer/test-values.ts';
import { type AskedCard, codeOf, type Reaction, rangesOf, reactionTo } from './card-behaviour.rules.ts';
import { type Complaint, complaintAbout, objectIn } from './message-checks.ts';

type Members = Readonly<Record<string, unknown>>;

/** A scheme of the test directory server: its cards begin so. */
interface TestScheme {
  readonly prefix: string;
  readonly eci: AskedCard['eci'];
}

/** By the path of its address. */
const SCHEMES: Readonly<Record<string, TestScheme>> = {
  '/visa': { prefix: '476173', eci: { full: '05', attempted: '06' } },
  '/mastercard': { prefix: '522661', eci: { full: '02', attempted: '01' } },
};

/** Names the state of the cards: they never change. */
const SERIAL_NUMBER = '1';
/** Challenges that are remembered. */
const CHALLENGES = 5_000;
/** Messages that are remembered, for tests. */
const NOTES = 5_000;

/** A challenge that was begun. */
export interface TestChallenge {
  readonly code: string;
  readonly serverTransactionId: string;
  readonly dsTransactionId: string;
  readonly acsTransactionId: string;
  readonly resultsUrl: string;
  readonly notificationUrl: string;
  readonly category: string;
  readonly eci: string;
  readonly language: string;
  readonly merchantName: string;
  readonly amount: string | undefined;
  readonly lastFour: string;
  /** As the browser brought it; it gets it back. */
  sessionData: string | undefined;
  isAnswered: boolean;
}

/** What came in: types and ids, no card numbers. */
export interface TestNote {
  readonly type: string;
  readonly scheme: string;
  readonly refused: string | undefined;
  readonly serverTransactionId: unknown;
  readonly members: Members;
}

/** What the directory does with a request: an answer, or something else. */
export type DirectoryReply =
  | { readonly does: 'Send'; readonly status: number; readonly body: Members }
  | { readonly does: 'Close' | 'Nothing' };

/** A directory server with the issuers behind it. It knows nothing of sockets. */
export class TestDirectory {
  readonly notes: TestNote[] = [];
  readonly #challenges = new Map<string, TestChallenge>();
  readonly #acsUrl: () => string;

  constructor(acsUrl: () => string) {
    this.#acsUrl = acsUrl;
  }

  /** Answers a message that was posted to a scheme's address. */
  take(path: string, body: string): DirectoryReply {
    const scheme = SCHEMES[path];
    if (scheme === undefined) return { does: 'Send', status: 404, body: {} };
    const message = objectIn(body);
    const complaint = message?.['messageType'] === 'Erro' ? undefined : complaintAbout(message, ['PReq', 'AReq']);
    this.#note(path, message ?? {}, complaint);
    if (complaint !== undefined) return send(errorOf(complaint, message));
    if (message?.['messageType'] === 'Erro') return send({});
    return message?.['messageType'] === 'PReq'
      ? send(this.#prepare(scheme, message))
      : this.#ask(scheme, message ?? {});
  }

  /** A challenge by what the issuer calls it; undefined where there is none. */
  challenge(acsTransactionId: string): TestChallenge | undefined {
    return this.#challenges.get(acsTransactionId);
  }

  #prepare({ prefix }: TestScheme, message: Members): Members {
    if (message['serialNum'] !== undefined && message['serialNum'] !== SERIAL_NUMBER) {
      return errorOf({ code: '307', detail: 'serialNum' }, message);
    }
    const versions = { acsStartProtocolVersion: '2.2.0', acsEndProtocolVersion: '2.2.0' };
    const data = rangesOf(prefix).map(({ startRange, endRange, methodPath }) => ({
      startRange,
      endRange,
      actionInd: 'A',
      ...versions,
      ...(methodPath === undefined ? {} : { threeDSMethodURL: `${this.#acsUrl()}${methodPath}` }),
    }));
    return {
      messageType: 'PRes',
      messageVersion: '2.2.0',
      dsStartProtocolVersion: '2.2.0',
      dsEndProtocolVersion: '2.2.0',
      dsTransID: randomUUID(),
      threeDSServerTransID: message['threeDSServerTransID'],
      serialNum: SERIAL_NUMBER,
      ...(message['serialNum'] === SERIAL_NUMBER ? {} : { cardRangeData: data }),
    };
  }

  #ask({ eci, prefix }: TestScheme, message: Members): DirectoryReply {
    const number = String(message['acctNumber']);
    const dsTransactionId = randomUUID();
    if (!number.startsWith(prefix)) return send(errorOf({ code: '203', detail: 'acctNumber' }, message));
    const authenticationValue = testAuthenticationValue(dsTransactionId);
    const reaction = reactionTo({
      number,
      methodCompleted: message['threeDSCompInd'],
      isChallengeWanted: message['threeDSRequestorChallengeInd'] === '04',
      eci,
      authenticationValue,
    });
    return this.#react(reaction, { message, number, dsTransactionId, eci: eci.full });
  }

  #react(
    reaction: Reaction,
    asked: { message: Members; number: string; dsTransactionId: string; eci: string },
  ): DirectoryReply {
    const { message } = asked;
    const acsTransactionId = randomUUID();
    const common = {
      messageType: 'ARes',
      messageVersion: '2.2.0',
      threeDSServerTransID: message['threeDSServerTransID'],
      dsReferenceNumber: 'KONTOR-TEST-DS',
      acsReferenceNumber: 'KONTOR-TEST-ACS',
      dsTransID: asked.dsTransactionId,
      acsTransID: acsTransactionId,
    };
    switch (reaction.does) {
      case 'Answer':
        return send({ ...common, ...reaction.members });
      case 'Error':
        return send(errorOf({ code: reaction.code, detail: reaction.detail }, message));
      case 'Fail':
        return { does: 'Send', status: 500, body: {} };
      case 'Challenge':
        this.#begin(asked, acsTransactionId);
        return send({
          ...common,
          transStatus: 'C',
          acsURL: `${this.#acsUrl()}/acs/challenge`,
          acsChallengeMandated: 'Y',
          authenticationType: '02',
        });
      default:
        return { does: reaction.does };
    }
  }

  #begin(
    {
      message,
      number,
      dsTransactionId,
      eci,
    }: { message: Members; number: string; dsTransactionId: string; eci: string },
    acsTransactionId: string,
  ): void {
    const text = (name: string) => String(message[name] ?? '');
    forgetOldest(this.#challenges, CHALLENGES);
    this.#challenges.set(acsTransactionId, {
      code: codeOf(number),
      serverTransactionId: text('threeDSServerTransID'),
      dsTransactionId,
      acsTransactionId,
      resultsUrl: text('threeDSServerURL'),
      notificationUrl: text('notificationURL'),
      category: text('messageCategory'),
      eci,
      language: text('browserLanguage'),
      merchantName: text('merchantName'),
      amount: message['purchaseAmount'] === undefined ? undefined : amountOf(message),
      lastFour: number.slice(-4),
      sessionData: undefined,
      isAnswered: false,
    });
  }

  #note(path: string, message: Members, complaint: Complaint | undefined): void {
    if (this.notes.length >= NOTES) this.notes.shift();
    const { acctNumber: _number, cardholderName: _name, ...members } = message;
    this.notes.push({
      type: String(message['messageType']),
      scheme: path.slice(1),
      refused: complaint && `${complaint.code} ${complaint.detail}`,
      serverTransactionId: message['threeDSServerTransID'],
      members,
    });
  }
}

/** The RReq that tells how a challenge has ended. */
export function resultOf(challenge: TestChallenge, verdict: 'Y' | 'N', challengeCancel?: string): Members {
  return {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: challenge.serverTransactionId,
    acsTransID: challenge.acsTransactionId,
    dsTransID: challenge.dsTransactionId,
    messageCategory: challenge.category,
    transStatus: verdict,
    interactionCounter: '01',
    authenticationType: '02',
    authenticationMethod: '02',
    ...(verdict === 'Y'
      ? { eci: challenge.eci, authenticationValue: testAuthenticationValue(challenge.dsTransactionId) }
      : { transStatusReason: '01' }),
    ...(challengeCancel === undefined ? {} : { challengeCancel }),
  };
}

function send(body: Members): DirectoryReply {
  return { does: 'Send', status: 200, body };
}

function errorOf({ code, detail }: { code: string; detail: string }, message: Members | undefined): Members {
  return {
    messageType: 'Erro',
    messageVersion: '2.2.0',
    errorCode: code,
    errorComponent: 'D',
    errorDescription: 'The test directory server refuses this.',
    errorDetail: detail,
    errorMessageType: String(message?.['messageType'] ?? ''),
    threeDSServerTransID: message?.['threeDSServerTransID'],
  };
}

function amountOf(message: Members): string {
  const exponent = Number(message['purchaseExponent']);
  const digits = String(message['purchaseAmount']).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
}
