import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecFor } from '../../src/iso8583/codec.rules.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import type { Message } from '../../src/iso8583/messages.types.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { answerTo, ScriptedHost, send } from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

// A host that answers an authorization with bytes that lie, with the answer to something else, or too late.

const codec = codecFor(ISO93);
const NEXT = 77;

let kontor: Acquiring;
let host: ScriptedHost;
let baseUrl: string;
/** What is done with an authorization. */
let answers: (ask: Message, socket: Socket) => void;
/** What is done once its take-back is acknowledged. */
let afterwards: () => void;
beforeAll(async () => {
  kontor = await acquiring();
  host = new ScriptedHost();
  const port = await host.listen();
  host.onAsk = (ask, socket) => {
    if (ask.type !== '1100') {
      send(socket, answerTo(ask, { actionCode: '400', approvalCode: undefined }));
      afterwards();
    } else if (Number(ask.fields.amount) === NEXT) send(socket, answerTo(ask));
    else answers(ask, socket);
  };
  kontor.configure({
    acquirers: [simulated(port, { answerMs: 1_000, connections: 1, testHost: false })],
    agreements: [agreed(kontor.payeeId)],
  });
  ({ baseUrl } = await kontor.serve());
  await until(() => host.ofType('1804').length >= 1, 30_000);
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await host.close();
});

const { authorize } = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));

/** A good answer whose length says so many bytes more. */
function ofLength(ask: Message, more: number): Buffer {
  const frame = Buffer.from(codec.encode(answerTo(ask)));
  frame.writeUInt16BE(frame.readUInt16BE(0) + more, 0);
  return frame;
}

/** A frame with its right length. */
function frame(body: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([length, body]);
}

type Does = (ask: Message, socket: Socket) => void;

const TAKEN_BACK: readonly (readonly [string, Does])[] = [
  ['a length that is too long, and nothing more', (ask, socket) => socket.write(ofLength(ask, 10))],
  ['a length that is too short', (ask, socket) => socket.write(ofLength(ask, -10))],
  ['4 096 bytes of nothing', (_ask, socket) => socket.write(frame(Buffer.alloc(4_096)))],
  [
    'a bitmap of all fields, and none of them',
    (_ask, socket) => socket.write(frame(Buffer.concat([Buffer.from('1110'), Buffer.alloc(16, 0xff)]))),
  ],
  ['the answer to a sale', (ask, socket) => socket.write(codec.encode({ ...answerTo(ask), type: '1210' }))],
  ['the answer to another STAN', (ask, socket) => send(socket, answerTo(ask, { stan: '999999' }))],
  ['the answer to another merchant', (ask, socket) => send(socket, answerTo(ask, { merchantId: '000000000000001' }))],
  ['no action code', (ask, socket) => send(socket, answerTo(ask, { actionCode: undefined }))],
];

/** Authorizes at a host that answers so. @returns what came of it, with the take-backs that it has led to once all is acknowledged */
async function authorizedAt(does: Does, then: () => void = () => undefined) {
  answers = does;
  afterwards = then;
  const before = host.ofType('1420').length;
  const { state, problem } = (await authorize(12_500)).tried.body.authorization.transaction;
  await until(async () => {
    const open = await kontor.database.asAdmin('select from issuer_attempt where due_at is not null');
    return open.length === 0;
  }, 30_000);
  return { said: [state, problem?.type.split('/').at(-1)], takenBack: () => host.ofType('1420').length - before };
}

/** The line is there again, or still. */
async function nextIsApproved(): Promise<void> {
  expect((await authorize(NEXT)).tried.body.authorization.transaction.state).toBe('Completed');
}

test.each(TAKEN_BACK)('%s approves nothing: it is taken back once, and payments go on', async (_what, does) => {
  const { said, takenBack } = await authorizedAt(does);
  expect([...said, takenBack()]).toEqual(['Failed', 'acquirergatewaytimeout', 1]);
  await nextIsApproved();
});

test.each<readonly [string, Does]>([
  ['a thousand times', (ask, socket) => void Array.from({ length: 1_000 }, () => send(socket, answerTo(ask)))],
  [
    'behind a million bytes of empty frames, in one piece with another answer',
    (ask, socket) =>
      socket.write(
        Buffer.concat([
          Buffer.alloc(1_000_000),
          codec.encode(answerTo(ask, { stan: '999999' })),
          codec.encode(answerTo(ask)),
        ]),
      ),
  ],
])('an approval that comes %s is one', async (_what, does) => {
  const { said, takenBack } = await authorizedAt(does);
  expect([...said, takenBack()]).toEqual(['Completed', undefined, 0]);
  await nextIsApproved();
});

test('an approval behind the acknowledgement of its take-back approves nothing, and is not taken back again', async () => {
  let late: () => void = () => undefined;
  const noted = () =>
    kontor.database.asAdmin(`select from acquirer_exchange where amount = 12500 and state = 'Silent' and kind = 'Ask'
      and answered_at > (select max(answered_at) from acquirer_exchange where kind = 'TakeBack')`);
  const { said, takenBack } = await authorizedAt(
    (ask, socket) => {
      late = () => send(socket, answerTo(ask));
    },
    () => setTimeout(late, 200),
  );
  await until(async () => (await noted()).length === 1, 10_000);
  await nextIsApproved();
  expect([...said, takenBack()]).toEqual(['Failed', 'acquirergatewaytimeout', 1]);
  const verified = await kontor.installation.kontor(['ledger', 'verify']);
  expect(verified.status).toBe(0);
});
