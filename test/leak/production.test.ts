import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import {
  aresTo,
  challengeTo,
  type HostileDirectory,
  hostileDirectory,
  type ThreeDSMembers,
} from '../support/issuer/hostile-directory.ts';
import { pageAt } from '../support/payer/pay-page.ts';
import { type Sought, scannerFor } from '../support/prober/scanner.ts';
import { columnsOf } from '../support/prober/stored.ts';
import { type SendOptions, sendTo } from '../support/service.ts';
import { fileOf } from '../support/settlements.ts';
import { makeBait } from './bait.ts';

// What a sandbox does not have: a directory server that says what it likes, and settlement files of an acquirer.

const bait = makeBait();
/** Numbers that the directory server was asked about, and that it repeats. */
const asked: string[] = [];
const values: string[] = [];
let kontor: Acquiring;
let directory: HostileDirectory;
let baseUrl: string;
let log: () => string;

beforeAll(async () => {
  const settings = { KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_PAGES_PER_MINUTE: '0', KONTOR_CARD_TESTING_NUMBERS: '0' };
  kontor = await acquiring({ ...settings, KONTOR_LOG_LEVEL: 'trace', KONTOR_ACQUIRER_TRACE_DAYS: '7' });
  directory = await hostileDirectory();
  const { port } = await kontor.simulate('--answer-ms', '2000');
  const known = { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' };
  kontor.configure({
    acquirers: [simulated(port, { withoutShift: 'attempt' })],
    agreements: [agreed(kontor.payeeId, { threeDS: { Visa: known } })],
    threeDS: {
      serverReferenceNumber: 'TEST',
      operatorId: 'TEST',
      resultsUrl: 'http://127.0.0.1:0/3ds/results',
      resultsPort: 0,
      tls: 'none',
      directoryServers: [{ scheme: 'Visa', url: `http://127.0.0.1:${directory.port}/visa`, tls: 'none' }],
    },
  });
  ({ baseUrl, log } = await kontor.serve());
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await directory.close();
});

/** Answers of the directory server with another card number, or the payer's, where its words may be. */
const ANSWERS: Readonly<Record<string, (number: string) => ThreeDSMembers>> = {
  'text for the payer': (number) => ({ cardholderInfo: `Call us about ${number}` }),
  'text for the payer, in groups': (number) => ({ cardholderInfo: `Card ${number.replace(/(.{4})(?=.)/g, '$1 ')}` }),
  'text for a payer who is refused': (number) => ({ transStatus: 'N', cardholderInfo: `${number} is lost` }),
  'reference of the bank': (number) => ({ acsReferenceNumber: number }),
  'reference of the server': (number) => ({ dsReferenceNumber: number }),
  'an id': (number) => ({ acsTransID: number }),
  'a reason': (number) => ({ transStatus: 'N', transStatusReason: number }),
  'a proof': (number) => ({ authenticationValue: number }),
  'an indicator': (number) => ({ eci: number }),
  'another member': (number) => ({ [number]: number, acctNumber: number }),
};

async function pay(answer: HostileDirectory['answers'], number: string): Promise<void> {
  const send = (method: string, path: string, options: SendOptions = {}) =>
    sendTo(
      baseUrl,
      { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } },
      { method, path, hmac: null, ...options },
    );
  const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));
  const made = await shop.create(1_500);
  const page = pageAt({ baseUrl, send }, href(made, 'redirect-authorization'));
  directory.answers = answer;
  expect((await page.pay({ number })).status).toBeLessThan(400);
  await page.open();
  await send('GET', made.body.payment.id);
  await send('GET', `${made.body.payment.id}/authorizations`);
}

test('no number and no proof from directory servers, acquirers and settlement files is in a table or in the log', async () => {
  for (const [name, members] of Object.entries(ANSWERS)) {
    const other = bait.number(`directory server: ${name}`);
    await pay((areq) => {
      asked.push(String(areq['acctNumber']));
      const ares = aresTo(areq, members(other));
      values.push(String(ares['authenticationValue']));
      return ares;
    }, VISA);
    await pay((areq) => aresTo(areq, members(String(areq['acctNumber']))), VISA);
  }
  await pay((areq) => challengeTo(areq, { cardholderInfo: bait.number('directory server: a challenge') }), VISA);
  await pay(() => `${bait.number('directory server: no JSON')}`, VISA);
  await pay(
    () => ({ messageType: 'Erro', errorDetail: bait.number('directory server: an error'), errorDescription: VISA }),
    VISA,
  );

  const printed: string[] = [];
  for (const column of ['no column', ...COLUMNS]) {
    const file = join(kontor.installation.folder, `${column}.csv`);
    const line = {
      type: 'Sale',
      retrievalReference: '000000000001',
      grossAmount: 100,
      [column]: bait.number(`settlement file: ${column}`),
    };
    writeFileSync(file, fileOf(`batch-${column}`, [line]));
    const ran = await kontor.installation.kontor([
      '--as',
      'Test',
      'settlements',
      'import',
      file,
      '--acquirer',
      'north',
      '--json',
    ]);
    printed.push(ran.stdout, ran.stderr);
  }
  for (const args of [['settlements', 'differences'], ['settlements', 'export'], ['acquirers', 'trace'], ['doctor']]) {
    const ran = await kontor.installation.kontor(['--as', 'Test', ...args]);
    printed.push(ran.stdout, ran.stderr);
  }

  expect(asked.length).toBe(Object.keys(ANSWERS).length);
  const isProof = (value: string) => /^[A-Za-z0-9+/]{27}=$/.test(value);
  const scanner = scannerFor([
    ...bait.sought(),
    { name: 'number of the payer', value: VISA, kind: 'card number' },
    ...values.filter(isProof).map((value): Sought => ({ name: 'a proof', value, kind: 'secret' })),
    { name: 'a code in a frame', value: '09003123', kind: 'secret' },
    { name: 'a code in the trace', value: '"cvc", "123"', kind: 'secret' },
    { name: 'an expiry in the trace', value: '"expiry", "3912"', kind: 'secret' },
    { name: 'the name on the card', value: 'Olivia Nyhuus', kind: 'guessable' },
  ]);
  const { found, rows } = await columnsOf((sql) => kontor.database.asAdmin(sql), scanner);
  expect(found).toEqual([]);
  for (const table of ['acquirer_trace', 'authentication', 'card_transaction', 'settlement_line']) {
    expect(rows[`public.${table}`], table).toBeGreaterThan(0);
  }
  expect(scanner.scan(Buffer.from(log()))).toEqual([]);
  expect(scanner.scan(Buffer.from(printed.join('\n')))).toEqual([]);
  expect(log().length).toBeGreaterThan(1_000);
}, 120_000);

/** A Visa card: of the sandbox's test ranges, which production charges at a test host. */
const VISA = '4925000000000004';
/** Cells of a settlement file. */
const COLUMNS = [
  'lineId',
  'acquirerReference',
  'retrievalReference',
  'attemptReference',
  'cardLast4',
  'brand',
  'reasonCode',
  'caseId',
  'type',
  'merchantId',
  'currency',
] as const;
