import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Behaviour } from '../../sandbox/acquirer/behaviour.rules.ts';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { hasCheckDigit } from '../../sandbox/acquirer/test-values.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { sendTo } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// How hosts in the field answer, in production mode. Each habit has an acquirer of its own, found by the card's number, whose
// host has it in all that it answers, or in its answers to requests.

const ANSWER_MS = 2_000;
const AMOUNT = 12_500;
const CAPTURED = 10_000;

/** What Kontor does with a habit, and what is held, captured and given back at the acquirer in the end. */
interface Case {
  readonly does: Behaviour;
  /** The type of the messages whose answers have it; undefined: all. */
  readonly type?: string;
  readonly outcome: 'Paid' | 'TakenBack';
  /** As `kontor doctor` shows it; undefined where there is nothing to see. */
  readonly shown?: string;
}

const PAID = [AMOUNT - CAPTURED, CAPTURED, CAPTURED];
const NOTHING = [0, 0, 0];

const CASES: readonly Case[] = [
  { does: 'OtherFields', outcome: 'Paid', shown: 'sends fields that the dialect does not name (5, 15, 60, 62, 63)' },
  { does: 'FewEchoes', outcome: 'Paid', shown: 'does not repeat fields (4, 7, 32, 33, 37, 41, 42, 49)' },
  { does: 'OtherTagOrder', outcome: 'Paid', shown: 'sends tags of the private data in another order (48)' },
  { does: 'ShortCode', outcome: 'Paid', shown: 'sends blanks in the approval code (38)' },
  { does: 'Twice', type: '1100', outcome: 'Paid', shown: 'answers a request twice' },
  { does: 'ByteByByte', outcome: 'Paid' },
  { does: 'EmptyFrames', outcome: 'Paid', shown: 'sends frames of length 0' },
  { does: 'BlankCode', type: '1100', outcome: 'TakenBack', shown: 'sends blanks in the approval code (38)' },
  { does: 'NoCode', type: '1100', outcome: 'TakenBack' },
  {
    does: 'NoEchoes',
    type: '1100',
    outcome: 'TakenBack',
    shown: 'does not repeat fields (4, 7, 12, 32, 33, 37, 41, 42, 49)',
  },
  { does: 'OtherCurrency', type: '1100', outcome: 'TakenBack' },
  { does: 'OtherAmount', type: '1100', outcome: 'TakenBack' },
  { does: 'OtherStan', type: '1100', outcome: 'TakenBack' },
  {
    does: 'LettersForDigits',
    type: '1100',
    outcome: 'TakenBack',
    shown: 'sends fields in another form than the dialect says (49)',
  },
  { does: 'PartialOfUnknown', type: '1100', outcome: 'TakenBack', shown: 'does not repeat fields (4)' },
  { does: 'NoAnswer', type: '1100', outcome: 'TakenBack' },
  { does: 'TooLate', type: '1100', outcome: 'TakenBack' },
  { does: 'NoEchoes', type: '1804', outcome: 'Paid' },
  {
    does: 'LongTag',
    outcome: 'Paid',
    shown: 'sends tags of the private data in another length, which are left out (48)',
  },
  { does: 'TagTwice', outcome: 'Paid', shown: 'sends a tag of the private data twice, of which the first counts (48)' },
  { does: 'PaddedTags', outcome: 'Paid', shown: 'fills the private data up behind its tags (48)' },
  {
    does: 'ControlCharacters',
    outcome: 'Paid',
    shown: 'sends fields in another form than the dialect says (44)',
  },
];

let kontor: Acquiring;
let shop: CardPaymentsShop;
/** One for each case, and one for many payments on one line. */
let hosts: readonly RunningTestAcquirer[];
beforeAll(async () => {
  kontor = await acquiring();
  const scripts = [
    ...CASES.map(({ does, type }) => ({ does, type, code: does === 'PartialOfUnknown' ? '002' : undefined })),
    { does: 'OtherFields', amount: AMOUNT },
  ];
  hosts = await Promise.all(
    scripts.map((line, index) => {
      const scriptFile = kontor.beside(`script${index}`);
      writeFileSync(scriptFile, `${JSON.stringify(line)}\n`);
      const journalFile = journalAt(index);
      return startTestAcquirer({ dialect: ISO93, port: 0, answerMs: ANSWER_MS, scriptFile, journalFile });
    }),
  );
  kontor.configure({
    acquirers: hosts.map(({ port }, index) =>
      simulated(port, { id: `host${index}`, answerMs: ANSWER_MS, connections: 1 }),
    ),
    agreements: hosts.map((_host, index) =>
      agreed(kontor.payeeId, { id: `at-${index}`, acquirer: `host${index}`, bins: [numberOf(index).slice(0, 9)] }),
    ),
  });
  const { baseUrl } = await kontor.serve();
  const own = { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } };
  shop = cardPaymentsShop({ send: (method, path, options) => sendTo(baseUrl, own, { method, path, ...options }) });
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await Promise.all(hosts.map((host) => host.close()));
});

const journalAt = (index: number) => join(kontor.installation.folder, `journal${index}`);
const signOns = (index: number) =>
  readFileSync(journalAt(index), 'utf8').match(/"received","type":"1804"[^\n]*"801"/g)?.length;

function numberOf(index: number): string {
  const start = `492500${String(index).padStart(3, '0')}000000`;
  return Array.from({ length: 10 }, (_, digit) => start + digit).find(hasCheckDigit) ?? '';
}

async function authorized(index: number, amount: number): Promise<{ readonly id: string; readonly state: string }> {
  const id = await shop.purchase(amount, { currency: 'NOK' });
  const { body } = await shop.authorize(id, { cardNumber: numberOf(index) });
  const { state, problem } = body.authorization.transaction;
  return { id, state: [state, problem?.type.split('/').at(-1)].filter(Boolean).join(' ') };
}

/** Held, captured and given back, of all payments at an acquirer. */
function books(index: number): number[] {
  const payments = new Set(hosts[index]?.acquirer.books.bookings().map(({ payment }) => payment));
  const sum = (of: (one: { held: number; captured: number; refunded: number }) => number) =>
    [...payments].reduce((total, one) => total + of(one), 0);
  return [sum(({ held }) => held), sum(({ captured }) => captured), sum(({ refunded }) => refunded)];
}

const cases = CASES.map((one, index) => ({ ...one, index }));

test.each(cases)(
  '$does: $outcome',
  async ({ outcome, index }) => {
    const { id, state } = await authorized(index, AMOUNT);
    if (outcome === 'TakenBack') {
      expect(state).toBe('Failed acquirergatewaytimeout');
      await until(() => books(index)[0] === 0, 20_000);
      expect(books(index)).toEqual(NOTHING);
    } else {
      expect(state).toBe('Completed');
      const step = (what: 'captures' | 'reversals') =>
        shop.follow(id, what, { amount: CAPTURED, vatAmount: 0, description: what, payeeReference: what + index });
      for (const what of ['captures', 'reversals'] as const) expect((await step(what)).status, what).toBe(200);
      expect(books(index)).toEqual(PAID);
    }
    expect(signOns(index)).toBe(1);
  },
  40_000,
);

describe('what hosts have shown', () => {
  test('is kept, and told by kontor doctor', async () => {
    const { stdout } = await kontor.installation.kontor(['doctor', '--offline']);
    const told = cases.flatMap(({ shown, index }) =>
      shown === undefined || stdout.includes(`Acquirer host${index}: its host ${shown}`) ? [] : [`${index} ${shown}`],
    );
    expect(told, stdout).toEqual([]);
  });

  test('is nothing where a host does as others do', async () => {
    const rows = await kontor.database.asAdmin(
      "select habit from acquirer_habit where acquirer = 'host8' and habit <> 'NotEchoed' order by habit",
    );
    expect(rows).toEqual([]);
  });
});

const MANY = IS_LONG_RUN ? 1_000 : 60;

test(`${MANY} answers with other fields beside payments of others: one line, one sign-on`, async () => {
  const index = CASES.length;
  const states: string[] = [];
  const turns = Array.from({ length: 2 * MANY }, (_, turn) => (turn % 2 === 0 ? AMOUNT : 300));
  const work = async () => {
    for (let amount = turns.pop(); amount !== undefined; amount = turns.pop()) {
      states.push((await authorized(index, amount)).state);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(states.filter((state) => state !== 'Completed')).toEqual([]);
  expect(states).toHaveLength(2 * MANY);
  expect(books(index)).toEqual([MANY * (AMOUNT + 300), 0, 0]);
  expect(signOns(index)).toBe(1);
}, 600_000);
