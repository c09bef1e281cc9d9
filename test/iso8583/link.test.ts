import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Link } from '../../src/iso8583/link/link.types.ts';
import type { Message } from '../../src/iso8583/messages.types.ts';
import {
  answerTo,
  asking,
  authorization,
  type Heard,
  linkTo,
  ScriptedHost,
  send,
} from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

let host: ScriptedHost;
let port: number;
let links: Link[];

beforeEach(async () => {
  host = new ScriptedHost();
  port = await host.listen();
  links = [];
});
afterEach(async () => {
  await host.close();
  await Promise.all(links.map((link) => link.close()));
});

function open(others: Parameters<typeof linkTo>[1] = {}): { link: Link; heard: Heard } {
  const opened = linkTo(port, others);
  links.push(opened.link);
  return opened;
}

const functionsOf = (messages: readonly Message[]) => messages.map(({ fields }) => fields.functionCode);

describe('a link', () => {
  test('signs on, and a question gets its answer', async () => {
    host.onAsk = (ask, socket) => send(socket, answerTo(ask));
    const { link, heard } = open();
    const asked = await asking(link, authorization(1));
    expect(asked).toMatchObject({ outcome: 'Answered', answer: { type: '1110', fields: { approvalCode: 'A1B2C3' } } });
    expect(heard.states).toEqual(['Connecting', 'SigningOn', 'Ready']);
    expect(functionsOf(host.ofType('1804'))).toEqual(['801']);
    expect(link.ready()).toBe(1);
    expect(await link.echo()).toBeGreaterThan(0);
  });

  test('gives each answer to its question, in whatever order and pieces they come', async () => {
    const asks: Message[] = [];
    host.onAsk = (ask, socket) => {
      asks.push(ask);
      if (asks.length < 50) return;
      for (const one of asks.toReversed()) send(socket, answerTo(one, { approvalCode: String(one.fields.stan) }));
    };
    const { link } = open();
    const asked = await Promise.all(Array.from({ length: 50 }, (_, index) => asking(link, authorization(index + 1))));
    const codes = asked.map((one) => (one.outcome === 'Answered' ? one.answer.fields.approvalCode : one.outcome));
    expect(codes).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1).padStart(6, '0')));
  });

  test('tells terminals with the same STAN apart', async () => {
    const asks: Message[] = [];
    host.onAsk = (ask, socket) => {
      asks.push(ask);
      if (asks.length < 2) return;
      for (const one of asks.toReversed()) {
        send(socket, answerTo(one, { approvalCode: String(one.fields.terminalId).slice(-6) }));
      }
    };
    const { link } = open();
    const asked = await Promise.all(
      ['WEB00001', 'WEB00002'].map((terminalId) => asking(link, authorization(7, { terminalId }))),
    );
    expect(asked.map((one) => (one.outcome === 'Answered' ? one.answer.fields.approvalCode : one.outcome))).toEqual([
      'B00001',
      'B00002',
    ]);
  });

  test('spreads questions over its connections: the one with the fewest under way', async () => {
    const { link } = open({ connections: 3 });
    await until(() => link.ready() === 3);
    const bySocket = new Map<unknown, number>();
    host.onAsk = (_ask, socket) => void bySocket.set(socket, (bySocket.get(socket) ?? 0) + 1);
    for (let stan = 1; stan <= 30; stan++) void asking(link, authorization(stan), { answerMs: 500 });
    await until(() => host.ofType('1100').length === 30);
    expect([...bySocket.values()]).toEqual([10, 10, 10]);
  });
});

describe('no byte is sent', () => {
  test('where no connection is ready in time', async () => {
    host.networkAnswer = () => undefined;
    const { link } = open();
    const asked = await asking(link, authorization(1), { sendMs: 30 });
    expect(asked).toEqual({ outcome: 'NotSent', because: 'NoConnection' });
    expect(host.ofType('1100')).toEqual([]);
  });

  test('where no host listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: free } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { link, heard } = linkTo(free);
    links.push(link);
    expect(await asking(link, authorization(1), { sendMs: 30 })).toMatchObject({ outcome: 'NotSent' });
    expect(heard.states).toContain('Down ECONNREFUSED');
  });

  test('where 256 are under way', async () => {
    const { link } = open();
    await until(() => link.ready() === 1);
    const first = Array.from({ length: 256 }, (_, index) => asking(link, authorization(index + 1), { answerMs: 800 }));
    expect(await asking(link, authorization(257))).toEqual({ outcome: 'NotSent', because: 'Full' });
    const outcomes = await Promise.all(first);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['Silent']));
    expect(host.ofType('1100')).toHaveLength(256);
  });

  test('where the caller has given up before, or the link is closed', async () => {
    host.networkAnswer = () => undefined;
    const { link } = open();
    const controller = new AbortController();
    const asked = asking(link, authorization(1), { signal: controller.signal });
    controller.abort();
    const waiting = asking(link, authorization(2));
    await link.close();
    expect(await asked).toMatchObject({ outcome: 'NotSent' });
    expect(await waiting).toEqual({ outcome: 'NotSent', because: 'Closing' });
    expect(await asking(link, authorization(3))).toEqual({ outcome: 'NotSent', because: 'Closing' });
    expect(await asking(link, authorization(4), { signal: controller.signal })).toMatchObject({ outcome: 'NotSent' });
    expect(host.ofType('1100')).toEqual([]);
  });

  test('a question that waited is sent as soon as a connection is there', async () => {
    host.onAsk = (ask, socket) => send(socket, answerTo(ask));
    await host.close();
    const { link } = open();
    const asked = asking(link, authorization(1));
    await host.listen(undefined, port);
    expect(await asked).toMatchObject({ outcome: 'Answered' });
  });
});

describe('silence', () => {
  test('is told after the time for the answer, which is late then and changes nothing', async () => {
    let late: (() => void) | undefined;
    host.onAsk = (ask, socket) => {
      late = () => send(socket, answerTo(ask));
    };
    const { link, heard } = open();
    expect(await asking(link, authorization(1), { answerMs: 20 })).toEqual({ outcome: 'Silent', because: 'Time' });
    late?.();
    await until(() => heard.late.length === 1);
    expect(heard.late[0]?.fields.stan).toBe('000001');
    expect(heard.faults).toEqual([]);
    // The line is asked at once whether it is still there.
    await until(() => functionsOf(host.ofType('1804')).includes('831'));
  });

  test.each([
    [
      'garbage',
      (_ask: Message, socket: { write(bytes: Buffer): unknown }) => socket.write(Buffer.from('0005garbg', 'latin1')),
    ],
    [
      'a length of 65 535',
      (_ask: Message, socket: { write(bytes: Buffer): unknown }) => socket.write(Buffer.from('ffff', 'hex')),
    ],
  ])('is told at once after %s, and the line is made anew', async (_name, act) => {
    host.onAsk = (ask, socket) => void act(ask, socket);
    const { link, heard } = open();
    const asked = await Promise.all([asking(link, authorization(1)), asking(link, authorization(2))]);
    expect(asked).toEqual([
      { outcome: 'Silent', because: 'Broken' },
      { outcome: 'Silent', because: 'Broken' },
    ]);
    expect(heard.faults[0]).toMatch(/^not readable: /);
    host.onAsk = (ask, socket) => send(socket, answerTo(ask));
    expect(await asking(link, authorization(3))).toMatchObject({ outcome: 'Answered' });
    expect(host.sockets).toHaveLength(2);
  });

  test('is told at once where the host closes in the middle of an answer', async () => {
    host.onAsk = (_ask, socket) => void socket.write(Buffer.from('0060', 'hex'), () => socket.destroy());
    const { link } = open();
    expect(await asking(link, authorization(1))).toEqual({ outcome: 'Silent', because: 'Broken' });
  });

  test.each([
    ['amount', '000000012501'],
    ['retrievalReference', '606810000102'],
    ['merchantId', '000012345678902'],
    ['currency', '752'],
    ['acquiringInstitution', '957801'],
    ['actionCode', undefined],
    ['approvalCode', undefined],
    ['approvalCode', '      '],
  ] as const)('is told at once where the answer has another %s', async (name, value) => {
    host.onAsk = (ask, socket) => send(socket, answerTo(ask, { [name]: value }));
    const { link, heard } = open();
    expect(await asking(link, authorization(1))).toEqual({ outcome: 'Silent', because: 'Unusable' });
    expect(heard.faults).toEqual(['not usable: type 1110']);
  });

  test('is what an answer with another STAN leaves', async () => {
    host.onAsk = (ask, socket) => send(socket, answerTo(ask, { stan: '999999' }));
    const { link, heard } = open();
    expect(await asking(link, authorization(1), { answerMs: 50 })).toEqual({ outcome: 'Silent', because: 'Time' });
    expect(heard.late).toHaveLength(1);
  });
});

describe('two answers', () => {
  test('the first counts, and the same again is only counted', async () => {
    host.onAsk = (ask, socket) => {
      send(socket, answerTo(ask));
      send(socket, answerTo(ask));
    };
    const { link, heard } = open();
    expect(await asking(link, authorization(1))).toMatchObject({ outcome: 'Answered' });
    await until(() => heard.late.length === 1);
    expect(heard.faults).toEqual([]);
  });

  test('the first counts, and another one is a fault', async () => {
    host.onAsk = (ask, socket) => {
      send(socket, answerTo(ask));
      send(socket, answerTo(ask, { actionCode: '100', approvalCode: undefined }));
    };
    const { link, heard } = open();
    expect(await asking(link, authorization(1))).toMatchObject({ answer: { fields: { actionCode: '000' } } });
    await until(() => heard.late.length === 1);
    expect(heard.faults).toEqual(['two answers: type 1110']);
  });
});

test('an advice is sent once more, byte for byte but for its type', async () => {
  host.onAsk = (ask, socket) => {
    if (ask.type === '1221') send(socket, answerTo(ask));
  };
  const { link } = open();
  const advice = { ...authorization(1), type: '1220' };
  expect(await asking(link, advice, { repeat: { afterMs: 20, isTaken: () => true } })).toMatchObject({
    outcome: 'Answered',
    wasRepeated: true,
    answer: { type: '1230' },
  });
  const [first, second] = host.frames.slice(-2).map((frame) => frame.toString('latin1'));
  expect(second).toBe(first?.replace(/^1220/, '1221'));
});

describe('an advice that was sent twice', () => {
  const advice = { ...authorization(1), type: '1220' };
  const repeat = { afterMs: 20, isTaken: ({ fields }: Message) => fields.actionCode === '900' };
  const saying = (ask: Message, actionCode: string): Message => {
    const answer = answerTo(ask);
    return { ...answer, fields: { ...answer.fields, actionCode } };
  };

  test('is not settled by a refusal, but by the acknowledgement of its first message that comes behind it', async () => {
    host.onAsk = (ask, socket) => {
      if (ask.type !== '1221') return;
      send(socket, saying(ask, '902'));
      send(socket, saying(ask, '900'));
    };
    const { link, heard } = open();
    expect(await asking(link, advice, { repeat })).toMatchObject({
      wasRepeated: true,
      answer: { fields: { actionCode: '900' } },
    });
    expect(heard.late).toHaveLength(1);
  });

  test('is silent where nothing but a refusal comes', async () => {
    host.onAsk = (ask, socket) => {
      if (ask.type === '1221') send(socket, saying(ask, '902'));
    };
    const { link } = open();
    expect(await asking(link, advice, { answerMs: 100, repeat })).toEqual({ outcome: 'Silent', because: 'Time' });
  });

  test('is settled by a refusal that comes before the repeat', async () => {
    host.onAsk = (ask, socket) => send(socket, saying(ask, '902'));
    const { link } = open();
    expect(await asking(link, advice, { repeat: { ...repeat, afterMs: 60_000 } })).toMatchObject({
      wasRepeated: false,
      answer: { fields: { actionCode: '902' } },
    });
  });
});

describe('the line is asked whether it is still there', () => {
  test('where nothing came for a while; after two echoes without answer it is made anew', async () => {
    host.networkAnswer = ({ fields }) => (fields.functionCode === '831' ? undefined : '800');
    const { link, heard } = open({ echoMs: 10, limits: { networkMs: 200, firstPauseMs: 5 } });
    await until(() => host.sockets.length >= 2 && host.ofType('1804').length >= 4);
    expect(functionsOf(host.ofType('1804')).slice(0, 4)).toEqual(['801', '831', '831', '801']);
    expect(heard.states.slice(0, 5)).toEqual(['Connecting', 'SigningOn', 'Ready', 'Down', 'Connecting']);
    await link.close();
  });

  test('and stays while echoes are answered', async () => {
    const { link } = open({ echoMs: 10 });
    await until(() => functionsOf(host.ofType('1804')).filter((code) => code === '831').length >= 5);
    expect(host.sockets).toHaveLength(1);
    expect(link.ready()).toBe(1);
  });
});

test('a sign-on that is refused, or not answered, closes the line, and it is tried again', async () => {
  const codes = ['902', undefined, '800'];
  host.networkAnswer = () => codes.shift();
  const { link, heard } = open({ limits: { networkMs: 200, firstPauseMs: 5 } });
  await until(() => link.ready() === 1);
  expect(heard.faults).toEqual(['sign-on refused: 902', 'sign-on refused: no answer']);
  expect(host.sockets).toHaveLength(3);
});

describe('what the host asks', () => {
  const request = (type: string, others: Message['fields']): Message => ({
    type,
    fields: {
      transmittedAt: '0309101528',
      stan: '000900',
      sentAt: '260309101528',
      forwardingInstitution: '957801',
      ...others,
    },
    tags: {},
  });

  test.each([
    [request('1804', { functionCode: '831' }), '1814', '800'],
    [request('1804', { functionCode: '801' }), '1814', '800'],
    [request('1804', { functionCode: '821', reconciliationDay: '260310' }), '1814', '800'],
    [request('1804', { functionCode: '899' }), '1814', '902'],
    [request('1100', { amount: '000000000100' }), '1110', '902'],
    [request('1421', { amount: '000000000100' }), '1430', '902'],
  ])('is answered %#', async (message, type, actionCode) => {
    const { link } = open();
    await until(() => link.ready() === 1);
    send(host.sockets[0] as never, message);
    await until(() => host.ofType(type).length === 1);
    expect(host.ofType(type)[0]?.fields).toMatchObject({ actionCode, stan: '000900' });
  });

  test('a sign-off: no new questions on that line, the answers under way, then a new line', async () => {
    let answer: (() => void) | undefined;
    host.onAsk = (ask, socket) => {
      answer = () => send(socket, answerTo(ask));
    };
    const { link } = open();
    const before = asking(link, authorization(1));
    await until(() => answer !== undefined);
    send(host.sockets[0] as never, request('1804', { functionCode: '802' }));
    await until(() => link.ready() === 0);
    const answerFirst = answer;
    host.onAsk = (ask, socket) => send(socket, answerTo(ask));
    const after = asking(link, authorization(2));
    expect(host.sockets).toHaveLength(1);
    answerFirst?.();
    expect(await before).toMatchObject({ outcome: 'Answered' });
    expect(await after).toMatchObject({ outcome: 'Answered' });
    expect(host.sockets).toHaveLength(2);
  });
});

describe('closing', () => {
  test('signs off, waits for what is under way, and then ends the line', async () => {
    let answer: (() => void) | undefined;
    host.onAsk = (ask, socket) => {
      answer = () => send(socket, answerTo(ask));
    };
    const { link, heard } = open();
    const asked = asking(link, authorization(1));
    await until(() => answer !== undefined);
    const closed = link.close();
    await until(() => functionsOf(host.ofType('1804')).includes('802'));
    expect(heard.states.at(-1)).toBe('Draining');
    answer?.();
    expect(await asked).toMatchObject({ outcome: 'Answered' });
    await closed;
    expect(heard.states.at(-1)).toBe('Down');
  });

  test('ends after the time for answers, whichever has not come', async () => {
    const { link } = open({ drainMs: 30 });
    await until(() => link.ready() === 1);
    const asked = asking(link, authorization(1));
    await until(() => host.ofType('1100').length === 1);
    await link.close();
    expect(await asked).toEqual({ outcome: 'Silent', because: 'Broken' });
  });
});
