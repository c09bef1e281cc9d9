import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TraceRow } from '../../src/issuers/trace/trace.types.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import {
  aresTo,
  type HostileDirectory,
  hostileDirectory,
  rreqOf,
  type ThreeDSMembers,
} from '../support/issuer/hostile-directory.ts';
import { siteThreeDS } from '../support/issuer/site-three-ds.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { type Fields, type PayPage, pageAt, stateIn } from '../support/payer/pay-page.ts';
import { type SendOptions, sendTo } from '../support/service.ts';
import { until } from '../support/until.ts';

// Messages of 3-D Secure in the masked trace, with the real commands.

const PAYER = {
  payerReference: 'olivia',
  cardholder: {
    email: 'olivia.nyhuus@example.com',
    msisdn: '+4798765432',
    billingAddress: {
      streetAddress: 'Hemmelig vei 17',
      coAddress: 'c/o Ukjent',
      zipCode: '0184',
      city: 'Tynset',
      countryCode: 'NO',
    },
  },
};

let kontor: Acquiring;
let acquirer: number;
let baseUrl: string;
let resultsPort: number;
let log: () => string;
beforeAll(async () => {
  const settings = { KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_PAGES_PER_MINUTE: '0', KONTOR_LOG_LEVEL: 'trace' };
  kontor = await acquiring({ ...settings, KONTOR_ACQUIRER_TRACE_DAYS: '7' });
  acquirer = (await kontor.simulate('--answer-ms', '2000')).port;
}, 120_000);
afterAll(() => kontor.remove());

const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));

/** Serves with a directory server, until the work is done. */
async function serving(threeDS: object, merchant: object, work: () => Promise<void>): Promise<void> {
  kontor.configure({
    acquirers: [simulated(acquirer)],
    agreements: [agreed(kontor.payeeId, { threeDS: merchant })],
    threeDS,
  });
  const served = await kontor.serve();
  baseUrl = served.baseUrl;
  log = served.log;
  resultsPort = await served.resultsPort();
  try {
    await work();
  } finally {
    served.started.process.kill('SIGTERM');
    await served.started.ended;
  }
}

async function payable(others: object = {}): Promise<PayPage> {
  const { accessToken } = kontor;
  const send = (method: string, path: string, options: SendOptions = {}) =>
    sendTo(baseUrl, { accessToken, hmac: { user: '', secret: '' } }, { method, path, hmac: null, ...options });
  const made = await shop.create(12_500, others);
  const { id } = made.body.payment;
  const page = pageAt({ baseUrl, send }, href(made, 'redirect-authorization'));
  return { id, ...page, payment: () => send('GET', id) };
}

async function authenticationOf(page: PayPage) {
  const [row] = await kontor.database.asAdmin(
    `select three_ds_server_trans_id as ours, ds_trans_id as ds, acs_trans_id as acs from authentication
     where payment_id = '${page.id.split('/').at(-1)}'`,
  );
  return { ours: String(row?.['ours']), ds: String(row?.['ds']), acs: String(row?.['acs']) };
}

async function shown(...options: string[]): Promise<readonly TraceRow[]> {
  const { status, stdout, stderr } = await kontor.installation.kontor(['acquirers', 'trace', '--json', ...options]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const passed = (rows: readonly TraceRow[]) => rows.map(({ isOurs, type }) => `${isOurs ? 'sent' : 'received'} ${type}`);
const said = (row: TraceRow | undefined, name: string) => row?.fields.find(([, known]) => known === name)?.[2];

/** Posts what a browser would bring back from a bank. */
async function bringBack(cres: object): Promise<void> {
  const body = new URLSearchParams({ cres: Buffer.from(JSON.stringify(cres)).toString('base64url') });
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'null' };
  expect((await fetch(`${baseUrl}/3ds/challenge`, { method: 'POST', body, headers })).status).toBe(200);
}

function cresOf(ours: string, acs: string): ThreeDSMembers {
  const ids = { threeDSServerTransID: ours, acsTransID: acs };
  return { messageType: 'CRes', messageVersion: '2.2.0', ...ids, challengeCompletionInd: 'Y', transStatus: 'Y' };
}

/** Waits until there are so many messages of an authentication: each is written about a second after it passed. */
async function written(ours: string, count: number): Promise<void> {
  const rows = `select from acquirer_trace where three_ds_server_trans_id = '${ours}'`;
  await until(async () => (await kontor.database.asAdmin(rows)).length >= count, 20_000);
}

test('a whole flow without a challenge, and one with it, are kept and shown', async () => {
  const { file, merchant } = await siteThreeDS(kontor);
  await serving(file, merchant, async () => {
    const frictionless = await payable();
    await frictionless.pay({ number: testCard('02') });
    expect(stateIn(await frictionless.open())).toBe('paid');
    const challenged = await payable();
    await challenged.pay({ number: testCard('07') });
    const names = await authenticationOf(challenged);
    // Before a browser was led there it can have brought nothing back.
    await bringBack(cresOf(names.ours, names.acs));
    await challenged.confirm('Approved');
    expect(stateIn(await challenged.open())).toBe('paid');
    // Strangers can post one: of no transaction, and of one whose ids they have guessed in part.
    await bringBack(cresOf(randomUUID(), randomUUID()));
    await bringBack(cresOf(names.ours, randomUUID()));
    await written(names.ours, 5);

    const asked = await authenticationOf(frictionless);
    const [areq, ares, ...others] = await shown('--transaction', asked.ours);
    expect(passed([areq, ares, ...others] as TraceRow[])).toEqual(['sent AReq', 'received ARes']);
    expect(areq).toMatchObject({ acquirerId: null, scheme: 'Visa', serverTransactionId: asked.ours, leftOut: 0 });
    expect(areq?.site).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(['acctNumber', 'purchaseAmount', 'cardExpiryDate'].map((name) => said(areq, name))).toEqual([
      '476173******0000'.replace('0000', testCard('02').slice(-4)),
      '12500',
      '***',
    ]);
    expect(ares).toMatchObject({ scheme: 'Visa', dsTransactionId: asked.ds });
    expect(['transStatus', 'eci', 'authenticationValue'].map((name) => said(ares, name))).toEqual(['Y', '05', '***']);
    // By the id that the payee is shown, too: with the question, which does not have it yet.
    expect(passed(await shown('--transaction', asked.ds.toUpperCase()))).toEqual(['sent AReq', 'received ARes']);

    const flow = await shown('--transaction', names.ours);
    expect(passed(flow).toSorted()).toEqual(
      ['sent AReq', 'received ARes', 'received RReq', 'sent RRes', 'received CRes'].toSorted(),
    );
    const of = (type: string) => flow.find((row) => row.type === type);
    expect([said(of('ARes'), 'transStatus'), said(of('RReq'), 'transStatus')]).toEqual(['C', 'Y']);
    expect([said(of('RRes'), 'resultsStatus'), said(of('CRes'), 'transStatus')]).toEqual(['01', 'Y']);
    expect(of('RReq')).toMatchObject({ site: 'results', scheme: 'Visa' });
    expect(of('CRes')).toMatchObject({ site: 'browser', scheme: 'Visa', dsTransactionId: names.ds });

    const ofScheme = await shown('--scheme', 'Visa');
    expect(passed(ofScheme).slice(0, 2)).toEqual(['sent PReq', 'received PRes']);
    expect(said(ofScheme[1], 'cardRangeData')).toMatch(/^\d+ ranges$/);
    expect(ofScheme.filter(({ type }) => type === 'CRes')).toHaveLength(1);
    expect(await shown('--scheme', 'Mastercard')).toEqual([]);
    // Beside those of acquirers, which are of no scheme.
    const all = await shown();
    expect(all.some(({ type, scheme }) => type === '1100' && scheme === null)).toBe(true);
    expect((await shown('--acquirer', 'north')).every(({ scheme }) => scheme === null)).toBe(true);
    const { stdout } = await kontor.installation.kontor(['acquirers', 'trace', '--scheme', 'Visa']);
    expect(stdout).toMatch(/^\S+ {2}Visa 127\.0\.0\.1:\d+ {2}sent AReq\n {5,}messageVersion +2\.2\.0$/m);
    const refused = await kontor.installation.kontor(['acquirers', 'trace', '--transaction', 'x']);
    expect([refused.status === 0, refused.stderr]).toEqual([false, expect.stringContaining('It is a UUID.')]);
  });
}, 180_000);

describe('with a directory server that answers whatever it likes', () => {
  let directory: HostileDirectory;
  beforeAll(async () => {
    directory = await hostileDirectory();
  });
  afterAll(() => directory.close());

  test('no secret of an exchange is in the trace or the log, and errors are kept both ways', async () => {
    const merchant = { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' };
    const threeDS = {
      serverReferenceNumber: 'TEST',
      operatorId: 'TEST',
      resultsUrl: 'http://127.0.0.1:0/3ds/results',
      resultsPort: 0,
      tls: 'none',
      directoryServers: [{ scheme: 'Visa', url: `http://127.0.0.1:${directory.port}/3ds`, tls: 'none' }],
    };
    await kontor.database.asAdmin('delete from three_ds_range; delete from three_ds_directory');
    await kontor.database.asAdmin('delete from acquirer_trace');
    await serving(threeDS, { Visa: merchant }, async () => {
      const answers: ThreeDSMembers[] = [];
      directory.answers = (areq) => {
        const echoed = String(areq['acctNumber']);
        const answer = aresTo(areq, {
          cardholderInfo: 'Ring Olivia on 815 00 000',
          acsURL: 'https://acs.example.com/secret-path?token=secret-token',
          acsReferenceNumber: `PAN-${echoed}`,
          transStatusReason: '01',
          // Members of no list, and a number for a name.
          [echoed]: 'x',
          ourOwn: { of: areq['cardholderName'] },
        });
        answers.push(answer);
        return answer;
      };
      const typed: Fields = { number: testCard('02'), name: 'Olivia Nyhuus', cvc: '739' };
      const page = await payable(PAYER);
      await page.pay(typed, { headers: { 'user-agent': 'Olivias nettleser', 'accept-language': 'nn-NO' } });
      const { ours } = await authenticationOf(page);
      // It refuses our question, and echoes what it refuses.
      directory.answers = (areq) => ({
        messageType: 'Erro',
        messageVersion: '2.2.0',
        errorCode: '203',
        errorComponent: 'D',
        errorDescription: `cardholderName ${areq['cardholderName']}`,
        errorDetail: `acctNumber ${areq['acctNumber']}`,
        threeDSServerTransID: areq['threeDSServerTransID'],
      });
      const refused = await payable(PAYER);
      await refused.pay(typed);
      const names = await authenticationOf(refused);
      // We refuse its answer.
      directory.answers = (areq) => aresTo(areq, { transStatus: 'X', authenticationValue: 'no proof of anything' });
      const unread = await payable(PAYER);
      await unread.pay(typed);
      const last = await authenticationOf(unread);
      // It sends a result of nothing that we know, with a proof.
      const strange = rreqOf({ threeDSServerTransID: randomUUID(), dsTransID: randomUUID(), acsTransID: randomUUID() });
      const url = `http://127.0.0.1:${resultsPort}/3ds/results`;
      for (const body of [`no message ${testCard('02')}`, JSON.stringify(strange)]) {
        expect(await (await fetch(url, { method: 'POST', body })).json()).toMatchObject({ messageType: 'Erro' });
      }
      await written(last.ours, 3);
      await written(String(strange['threeDSServerTransID']), 2);

      expect(passed(await shown('--transaction', names.ours))).toEqual(['sent AReq', 'received Erro']);
      const [, ares, erro] = await shown('--transaction', last.ours);
      expect([said(ares, 'transStatus'), erro?.type, erro?.isOurs]).toEqual(['X', 'Erro', true]);
      expect([said(erro, 'errorCode'), said(erro, 'errorDetail')]).toEqual(['203', 'transStatus']);
      const unknown = await shown('--transaction', String(strange['threeDSServerTransID']));
      expect(passed(unknown)).toEqual(['received RReq', 'sent Erro']);
      expect(unknown[0]).toMatchObject({ scheme: null, acquirerId: null });
      expect(passed(await shown())).toContain('received other');

      // Each value that went over the line and is on no list, as the directory server has seen and made it.
      const areq = directory.came.find(({ threeDSServerTransID }) => threeDSServerTransID === ours) ?? {};
      const answer = answers[0] ?? {};
      const phone = areq['mobilePhone'] as { readonly subscriber: string };
      const secrets = [
        ...['acctNumber', 'cardholderName', 'email', 'billAddrLine1', 'billAddrLine2', 'billAddrCity'].map(
          (name) => areq[name],
        ),
        ...['browserUserAgent', 'browserIP', 'browserLanguage', 'browserAcceptHeader'].map((name) => areq[name]),
        `"${areq['cardExpiryDate']}"`,
        `"${areq['billAddrPostCode']}"`,
        phone.subscriber,
        ...['authenticationValue', 'cardholderInfo', 'acsURL'].map((name) => answer[name]),
        'secret-token',
        strange['authenticationValue'],
        'no proof of anything',
      ].map(String);
      // The address of this machine is where the directory server is, too.
      const sought = secrets.filter((value) => value !== '127.0.0.1' && value !== '*/*');
      expect(sought.length).toBeGreaterThanOrEqual(15);
      const rows = await kontor.database.asAdmin('select row_to_json(t)::text as row from acquirer_trace t');
      const kept = rows.map(({ row }) => String(row)).join('\n');
      const foundIn = (text: string) => sought.filter((value) => text.includes(value));
      expect(foundIn(kept)).toEqual([]);
      expect(foundIn(log())).toEqual([]);
      // The same search finds each where it is, and in a trace that shows it.
      const unmasked = [...directory.came, ...answers, strange, { x: 'no proof of anything' }];
      expect(foundIn(unmasked.map((message) => JSON.stringify(message)).join('\n'))).toEqual(sought);
      const leak = kept.replace('"***"', JSON.stringify(answer['authenticationValue']));
      expect(foundIn(leak)).toEqual([answer['authenticationValue']]);
      // And the members that carry them are named.
      for (const name of ['acctNumber', 'cardholderName', 'billAddrLine1', 'authenticationValue', 'cardholderInfo']) {
        expect(kept).toContain(`"${name}"`);
      }
    });
  }, 180_000);
});
