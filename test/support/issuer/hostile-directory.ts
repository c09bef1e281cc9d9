import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { testAuthenticationValue } from '../../../sandbox/acquirer/test-values.ts';

export type ThreeDSMembers = Readonly<Record<string, unknown>>;

/** A directory server that answers what a test wants: it checks nothing, and keeps what came in. */
export interface HostileDirectory {
  readonly port: number;
  readonly came: ThreeDSMembers[];
  /** The answer to a question for authentication, or a promise of it; undefined: the connection is closed. */
  answers: (areq: ThreeDSMembers) => unknown;
  /** The answer to a question for cards. */
  prepares: (preq: ThreeDSMembers) => unknown;
  close(): Promise<void>;
}

/** An answer as it should be. */
export function aresTo(areq: ThreeDSMembers, members: ThreeDSMembers = {}): ThreeDSMembers {
  const dsTransID = randomUUID();
  return {
    messageType: 'ARes',
    messageVersion: '2.2.0',
    threeDSServerTransID: areq['threeDSServerTransID'],
    dsReferenceNumber: 'HOSTILE-DS',
    acsReferenceNumber: 'HOSTILE-ACS',
    dsTransID,
    acsTransID: randomUUID(),
    transStatus: 'Y',
    eci: '05',
    authenticationValue: testAuthenticationValue(String(members['dsTransID'] ?? dsTransID)),
    ...members,
  };
}

/** An answer with a challenge. */
export function challengeTo(areq: ThreeDSMembers, members: ThreeDSMembers = {}): ThreeDSMembers {
  return aresTo(areq, {
    transStatus: 'C',
    eci: undefined,
    authenticationValue: undefined,
    acsURL: 'https://acs.example.com/challenge',
    acsChallengeMandated: 'Y',
    authenticationType: '02',
    ...members,
  });
}

/** All cards of Visa, in answer to a question for cards. */
export function presTo(preq: ThreeDSMembers, members: ThreeDSMembers = {}): ThreeDSMembers {
  return {
    messageType: 'PRes',
    messageVersion: '2.2.0',
    dsStartProtocolVersion: '2.2.0',
    dsEndProtocolVersion: '2.2.0',
    dsTransID: randomUUID(),
    threeDSServerTransID: preq['threeDSServerTransID'],
    serialNum: '1',
    cardRangeData: [rangeOf('4000000000000000', '4999999999999999')],
    ...members,
  };
}

/** A range of cards. */
export function rangeOf(startRange: string, endRange: string, members: ThreeDSMembers = {}): ThreeDSMembers {
  const versions = { acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' };
  return { startRange, endRange, actionInd: 'A', ...versions, ...members };
}

/** The result of a challenge that an answer has begun. */
export function rreqOf(ares: ThreeDSMembers, members: ThreeDSMembers = {}): ThreeDSMembers {
  return {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: ares['threeDSServerTransID'],
    acsTransID: ares['acsTransID'],
    dsTransID: ares['dsTransID'],
    messageCategory: '01',
    transStatus: 'Y',
    interactionCounter: '01',
    authenticationType: '02',
    authenticationMethod: '02',
    eci: '05',
    authenticationValue: testAuthenticationValue(String(ares['dsTransID'])),
    ...members,
  };
}

/** Starts it on this machine, in the clear. */
export async function hostileDirectory(): Promise<HostileDirectory> {
  const came: ThreeDSMembers[] = [];
  const hostile: HostileDirectory = {
    port: 0,
    came,
    answers: aresTo,
    prepares: presTo,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body === '') return response.end();
    const message = JSON.parse(body) as ThreeDSMembers;
    came.push(message);
    const type = message['messageType'];
    const answer = await (type === 'PReq'
      ? hostile.prepares(message)
      : type === 'AReq'
        ? hostile.answers(message)
        : {});
    if (answer === undefined) return request.socket.destroy();
    return response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(hostile, { port: (server.address() as AddressInfo).port });
}
