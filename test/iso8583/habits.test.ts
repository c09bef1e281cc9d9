import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostMessage, printFrame } from '../../sandbox/acquirer/host-frames.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
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

// To which question an answer belongs that leaves out or adds what another host would not.

let host: ScriptedHost;
let link: Link;
let heard: Heard;

beforeEach(async () => {
  host = new ScriptedHost();
  ({ link, heard } = linkTo(await host.listen()));
});
afterEach(async () => {
  await host.close();
  await link.close();
});

/** Leaves out what would tell one terminal's message from another's. */
const UNNAMED = { sentAt: undefined, terminalId: undefined };

/** Answers all questions once so many are there. */
function answerAll(count: number, others: Parameters<typeof answerTo>[1]): void {
  const asks: Message[] = [];
  host.onAsk = (ask, socket) => {
    asks.push(ask);
    if (asks.length < count) return;
    for (const one of asks.toReversed()) {
      send(socket, answerTo(one, { ...others, approvalCode: String(one.fields.terminalId).slice(-6) }));
    }
  };
}

const outcomes = async (asks: readonly Message[], answerMs: number) => {
  const asked = await Promise.all(asks.map((ask) => asking(link, ask, { answerMs })));
  return asked.map((one) =>
    one.outcome === 'Answered' ? one.answer.fields.approvalCode : `${one.outcome} ${one.because}`,
  );
};

/** Questions of two terminals with the same STAN. */
const twoTerminals = (...others: readonly Message['fields'][]) =>
  ['WEB00001', 'WEB00002'].map((terminalId, index) => authorization(7, { terminalId, ...others[index] }));

describe('an answer without time and terminal', () => {
  test('belongs to the only question of its STAN', async () => {
    answerAll(1, UNNAMED);
    expect(await outcomes([authorization(7)], 2_000)).toEqual(['B00001']);
    expect(heard.habits.toSorted()).toEqual(['NotEchoed 12', 'NotEchoed 41']);
  });

  test('belongs to the one of two that all else fits', async () => {
    answerAll(2, UNNAMED);
    const asks = twoTerminals({ amount: '000000000100' }, { amount: '000000000200' });
    expect(await outcomes(asks, 2_000)).toEqual(['B00001', 'B00002']);
  });

  test('belongs to none where it fits two', async () => {
    answerAll(2, UNNAMED);
    expect(await outcomes(twoTerminals(), 200)).toEqual(['Silent Time', 'Silent Time']);
    expect(heard.late).toHaveLength(2);
  });

  test('that comes late approves no other question', async () => {
    const [first, second] = twoTerminals() as [Message, Message];
    expect(await outcomes([first], 30)).toEqual(['Silent Time']);
    host.onAsk = (_ask, socket) => send(socket, answerTo(first, UNNAMED));
    expect(await outcomes([second], 200)).toEqual(['Silent Time']);
    expect(heard.late).toHaveLength(1);
  });

  test('that comes twice approves no other question', async () => {
    const [first, second] = twoTerminals() as [Message, Message];
    answerAll(1, UNNAMED);
    expect(await outcomes([first], 2_000)).toEqual(['B00001']);
    host.onAsk = (_ask, socket) => send(socket, answerTo(first, UNNAMED));
    expect(await outcomes([second], 200)).toEqual(['Silent Time']);
  });
});

test('a cancel that is told again gets the answer to it', async () => {
  const cancel = { ...authorization(7), type: '1420' };
  expect(await outcomes([cancel], 30)).toEqual(['Silent Time']);
  host.onAsk = (ask, socket) => send(socket, answerTo(ask, { actionCode: '400' }));
  expect(await asking(link, { ...cancel, type: '1421' })).toMatchObject({ outcome: 'Answered' });
});

test('an answer with another amount is of no use, also where another question has that amount', async () => {
  host.onAsk = (ask, socket) => {
    if (ask.fields.terminalId === 'WEB00001') send(socket, answerTo(ask, { amount: '000000000200' }));
  };
  const asks = twoTerminals({ amount: '000000000100' }, { amount: '000000000200' });
  expect(await outcomes(asks, 200)).toEqual(['Silent Unusable', 'Silent Time']);
});

/** A good answer in bytes that its host writes by itself. */
function written(ask: Message, others: Partial<HostMessage>): Buffer {
  const { type, fields } = answerTo(ask);
  const { fields: changed, ...more } = others;
  const texts = { ...(fields as HostMessage['fields']), ...changed };
  return printFrame(ISO93, { type, fields: texts, tags: {}, ...more });
}

describe('the line stays, with one sign-on,', () => {
  test.each<[string, Partial<HostMessage>, outcome: string, habits: string[]]>([
    [
      'for fields of the standard that nothing needs',
      { others: { 5: '1'.padStart(12, '0'), 63: 'x' } },
      'A1B2C3',
      ['OtherField 5', 'OtherField 63'],
    ],
    ['for a MAC', { others: { 64: '\0\u0001\u0002\u0003\u0004\u0005\u0006\u0007' } }, 'A1B2C3', ['OtherField 64']],
    ['for letters in the amount', { fields: { amount: '12.50' } }, 'Silent Unusable', ['Unreadable 4']],
    [
      'for a control character in the approval code',
      { fields: { approvalCode: 'A\u0001B2C3' } },
      'Silent Unusable',
      ['Unreadable 38'],
    ],
    [
      'for letters in a field that nothing looks at',
      { fields: { merchantCategory: 'shop' } },
      'A1B2C3',
      ['Unreadable 26'],
    ],
    [
      'for tags in descending order',
      { tags: { cvcResult: 'M', schemeTransactionId: '1' }, hasTagsBackwards: true },
      'A1B2C3',
      ['TagOrder 48'],
    ],
  ])('%s', async (_name, others, outcome, habits) => {
    host.onAsk = (ask, socket) => void socket.write(written(ask, others));
    expect(await outcomes([authorization(1)], 2_000)).toEqual([outcome]);
    expect(heard.habits).toEqual(habits);
    host.onAsk = (ask, socket) => send(socket, answerTo(ask));
    expect(await outcomes([authorization(2)], 2_000)).toEqual(['A1B2C3']);
    expect(host.ofType('1804')).toHaveLength(1);
  });

  test('for frames of length 0, and for one that comes byte by byte', async () => {
    host.onAsk = async (ask, socket) => {
      socket.write(Buffer.from('00000000', 'hex'));
      for (const byte of written(ask, {})) {
        await new Promise((resolve) => socket.write(Buffer.of(byte), () => setImmediate(resolve)));
      }
    };
    expect(await outcomes([authorization(1)], 5_000)).toEqual(['A1B2C3']);
    expect(heard.habits.filter((habit) => habit === 'EmptyFrame 0')).toHaveLength(2);
    expect(host.ofType('1804')).toHaveLength(1);
  });

  test('for a second answer, which is told as a habit', async () => {
    host.onAsk = (ask, socket) => {
      send(socket, answerTo(ask));
      send(socket, answerTo(ask));
    };
    expect(await outcomes([authorization(1)], 2_000)).toEqual(['A1B2C3']);
    await until(() => heard.late.length === 1);
    expect(heard.habits).toEqual(['TwoAnswers 0']);
  });
});
