import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTestThreeDS, startTestThreeDS } from '../../sandbox/three-ds/start-three-ds.ts';
import type { ThreeDSServer } from '../../src/issuers/acquirers/acquirers.types.ts';
import { askDirectory, startAskingDirectories } from '../../src/issuers/authentication/ask-directories.job.ts';
import {
  AUTHENTICATION_VALUE_USE,
  beginAuthentication,
  findAuthentication,
  forgetValue,
  noteChallengeShown,
  openValue,
} from '../../src/issuers/authentication/authentications.ts';
import { answerResult, askForAuthentication } from '../../src/issuers/authentication/directory.flow.ts';
import { directoryLine } from '../../src/issuers/authentication/directory-line.adapter.ts';
import { selectDirectories } from '../../src/issuers/authentication/enrolled-ranges.store.ts';
import { findEnrolment, storeRanges } from '../../src/issuers/authentication/enrolled-ranges.ts';
import { type ResultsServer, startResultsServer } from '../../src/issuers/authentication/results-server.adapter.ts';
import type { Authentication, DirectoryFlows } from '../../src/issuers/authentication/three-ds.types.ts';
import { uuidV4 } from '../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../src/kit/money.ts';
import { Secret } from '../../src/kit/secret.ts';
import { createBackground } from '../../src/kit/work/background.ts';
import type { TransactionId } from '../../src/ledger/ledger.types.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { tlsFiles } from '../support/tls-files.ts';
import { until } from '../support/until.ts';

const files = tlsFiles();
const pem = (kind: 'ecdsa' | 'rsa') => ({
  cert: readFileSync(files.of(kind).certFile, 'utf8'),
  key: readFileSync(files.of(kind).keyFile, 'utf8'),
});
const ds = pem('ecdsa');
const us = pem('rsa');

let kontor: TestService;
let hosts: RunningTestThreeDS;
let results: ResultsServer;
let flows: DirectoryFlows;
const line = directoryLine();

beforeAll(async () => {
  kontor = await testService();
  hosts = await startTestThreeDS({ port: 0, tls: { ...ds, clientCa: us.cert } });
  const tls = { ...us, ca: ds.cert };
  const server: ThreeDSServer = {
    serverReferenceNumber: 'KONTOR',
    operatorId: 'OPERATOR',
    resultsUrl: 'https://127.0.0.1:1/3ds/results',
    resultsPort: 0,
    tls,
    directoryServers: ['Visa', 'Mastercard'].map((scheme) => ({
      scheme,
      url: `https://127.0.0.1:${hosts.port}/${scheme.toLowerCase()}`,
      tls,
      answerMs: 1_000,
    })),
  };
  const { transact } = kontor.service.database;
  const { keyRing } = kontor.service;
  const shared = { transact, keyRing, line, newServerTransactionId: uuidV4 };
  results = await startResultsServer({
    server,
    host: '127.0.0.1',
    boundConnections: () => undefined,
    answer: (text) => answerResult(shared, text),
  });
  flows = { ...shared, server: { ...server, resultsUrl: `https://127.0.0.1:${results.port}/3ds/results` } };
  // The sandbox has asked its own.
  await kontor.database.asAdmin('delete from three_ds_range; delete from three_ds_directory');
});
afterAll(async () => {
  line.close();
  await results.close();
  await hosts.close();
  await kontor.stop();
  files.remove();
});

const read: TestService['service']['database']['read'] = (...given) => kontor.service.database.read(...given);
const transact: DirectoryFlows['transact'] = (work) => flows.transact(work);

/** The authentication of a new payment's transaction. */
async function begin(isChallengeWanted = false): Promise<Authentication> {
  const shop = cardPaymentsShop(kontor);
  const paymentId = await shop.purchase(1500);
  await shop.authorize(paymentId);
  const [row] = await kontor.database.asAdmin(
    'select payment_id, transaction_id from card_transaction order by created_at desc limit 1',
  );
  return transact((transaction) =>
    beginAuthentication(transaction, {
      payeeId: kontor.payeeId,
      paymentId: row?.['payment_id'] as Authentication['paymentId'],
      transactionId: row?.['transaction_id'] as TransactionId,
      serverTransactionId: uuidV4(),
      scheme: 'Visa',
      version: '2.2.0',
      methodUrl: null,
      agreementId: null,
      isChallengeWanted,
    }),
  );
}

function ask(authentication: Authentication, number: string, by = flows): Promise<void> {
  return askForAuthentication(by, authentication, {
    merchant: { acquirerBin: '476173', merchantId: 'M', requestorId: 'R', requestorName: 'Demo' },
    agreement: {
      mcc: '5732',
      merchant: { name: 'Demo', street: 'S', city: 'Oslo', postalCode: '0155', country: 'NOR' },
    },
    card: { number: new Secret(number), expiryDate: '12/39', holderName: undefined },
    purchase: { amount: 1500 as AmountMinor, currency: 'SEK' as Currency, at: new Date().toISOString() },
    series: undefined,
    methodCompleted: 'U',
    notificationUrl: 'https://pay.example/n',
    requestorUrl: 'https://pay.example',
    browser: { acceptHeader: '*/*', userAgent: 'test', address: undefined, language: 'en', scripted: undefined },
    contact: {},
    billing: {},
  });
}

async function now(authentication: Authentication): Promise<Authentication> {
  const found = await findAuthentication(read, authentication);
  if (found === undefined) throw new Error('an authentication is gone');
  return found;
}

/** Posts to where results are taken. */
function post(body: string, tls: object = ds): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: us.cert, ...tls };
    const sent = request(flows.server.resultsUrl, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const askAll = () => Promise.all(flows.server.directoryServers.map((directory) => askDirectory(flows, directory)));

describe('the cards of a scheme', () => {
  test('are not known before its directory server has told them', async () => {
    expect(await findEnrolment(read, 'Visa', new Secret(testCard('01')))).toEqual({ is: 'NotPrepared' });
  });

  test('are asked for by mutual TLS, once for all instances, and found by their first digits', async () => {
    await Promise.all([askAll(), askAll()]);
    expect(hosts.directory.notes.filter(({ type }) => type === 'PReq')).toHaveLength(2);
    const enrolment = (number: string) => findEnrolment(read, 'Visa', new Secret(number));
    const methodUrl = expect.stringMatching(/method$/);
    expect(await enrolment(testCard('01'))).toMatchObject({ is: 'Enrolled', methodUrl });
    expect(await enrolment(testCard('02'))).toEqual({ is: 'Enrolled', methodUrl: undefined });
    expect(await enrolment(testCard('18'))).toEqual({ is: 'NotEnrolled' });
    expect(await enrolment('4925000000000004')).toEqual({ is: 'NotEnrolled' });
    // As long as a card of the range has other digits.
    expect(await enrolment(testCard('01').slice(0, 13))).toEqual({ is: 'NotEnrolled' });
  });

  test('are asked for again after a day with the name of their state, and after an error about it without', async () => {
    const age = (hours: number) =>
      kontor.database.asAdmin(
        `update three_ds_directory set asked_at = asked_at - interval '${hours} h', prepared_at = prepared_at - interval '${hours} h'`,
      );
    const asked = () => hosts.directory.notes.filter(({ type, scheme }) => type === 'PReq' && scheme === 'visa');
    await age(23);
    await askAll();
    expect(asked()).toHaveLength(1);
    await age(2);
    await askAll();
    expect(asked().map(({ members }) => members['serialNum'])).toEqual([undefined, '1']);
    expect(await findEnrolment(read, 'Visa', new Secret(testCard('01')))).toMatchObject({ is: 'Enrolled' });
    await age(25);
    await kontor.database.asAdmin("update three_ds_directory set serial_number = 'other'");
    await askAll();
    expect(asked().map(({ members }) => members['serialNum'])).toEqual([undefined, '1', 'other', undefined]);
  });

  test('stay as they are where the server is away, and it is said which', async () => {
    await kontor.database.asAdmin("update three_ds_directory set asked_at = '2020-01-01', prepared_at = '2020-01-01'");
    const away = flows.server.directoryServers.map((server) => ({ ...server, tls: { ...us, ca: us.cert } }));
    const alone = directoryLine();
    for (const directory of away) {
      const failing = askDirectory({ ...flows, line: alone }, directory);
      await expect(failing).rejects.toThrow(`${directory.scheme} has not told its cards: no answer`);
    }
    alone.close();
    expect(await findEnrolment(read, 'Visa', new Secret(testCard('01')))).toMatchObject({ is: 'Enrolled' });
  });
});

test('how many ranges of the last answer were left out is kept, for kontor doctor', async () => {
  const [visa] = flows.server.directoryServers;
  if (visa === undefined) throw new Error('there is a directory server');
  const answer = { serverTransactionId: uuidV4(), serialNumber: '7', ranges: [], leftOut: 3 };
  const nothing = { ...answer, leftOut: 0 };
  await transact((transaction) => storeRanges(transaction, visa, { answer, isWhole: false }));
  const kept = async () => (await selectDirectories(read)).find(({ scheme }) => scheme === visa.scheme)?.leftOut;
  expect(await kept()).toBe(3);
  await transact((transaction) => storeRanges(transaction, visa, { answer: nothing, isWhole: false }));
  expect(await kept()).toBe(0);
});

test('a directory server that does not answer delays no other one', async () => {
  await kontor.database.asAdmin("update three_ds_directory set asked_at = '2020-01-01', prepared_at = '2020-01-01'");
  const [silent, other] = flows.server.directoryServers;
  let release = () => {};
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const line: typeof flows.line = {
    ...flows.line,
    ask: async ({ scheme }) => (scheme === silent?.scheme ? released : undefined),
  };
  const looked: string[] = [];
  const background = createBackground((_work, error) => looked.push(String(error)));
  const asking = startAskingDirectories({ ...flows, line }, background);
  await until(() => looked.some((said) => said.includes(other?.scheme ?? '')));
  expect(looked).toHaveLength(1);
  release();
  await asking.stop();
  expect(looked).toHaveLength(2);
});

describe('an answer', () => {
  test.each([
    ['01', 'Succeeded', '05'],
    ['03', 'Attempted', '06'],
    ['04', 'Failed', null],
    ['05', 'Rejected', null],
    ['06', 'Unavailable', null],
    ['07', 'Challenge', null],
    ['08', 'Unavailable', null],
    ['09', 'Unavailable', null],
    ['13', 'Unavailable', null],
    ['14', 'Unavailable', null],
    ['15', 'Unavailable', null],
    ['16', 'Unavailable', null],
    ['19', 'Unavailable', '05'],
    ['20', 'Unavailable', null],
  ])('of the issuer of %s is %s', async (code, state, eci) => {
    const authentication = await begin();
    await ask(authentication, testCard(code));
    expect(await now(authentication)).toMatchObject({ state, eci });
  });

  test('is asked for once, whatever was answered', async () => {
    const authentication = await begin();
    await Promise.all([ask(authentication, testCard('08')), ask(authentication, testCard('01'))]);
    await ask(authentication, testCard('01'));
    const asked = hosts.directory.notes.filter(
      ({ type, serverTransactionId }) => type === 'AReq' && serverTransactionId === authentication.serverTransactionId,
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]?.refused).toBeUndefined();
  });

  test('is waited for no longer than it may take, also where the process that has asked is gone', async () => {
    const authentication = await begin();
    void ask(authentication, testCard('02'), { ...flows, line: { ask: () => new Promise(() => undefined) } });
    await until(async () => (await now(authentication)).state === 'Requested');
    // One second for the answer, and ten to store it.
    expect(Date.parse((await now(authentication)).expiresAt) - Date.now()).toBeLessThan(12_000);
  });

  test('that names another question is refused, and the directory server hears of it', async () => {
    const isTold = () =>
      hosts.directory.notes.some(({ type, members }) => type === 'Erro' && members['errorCode'] === '301');
    await until(async () => isTold());
  });

  test('keeps its value sealed until the acquirer has answered', async () => {
    const authentication = await begin();
    await ask(authentication, testCard('01'));
    const value = await openValue(flows.keyRing, await now(authentication));
    expect(Buffer.from(value?.reveal() ?? '', 'base64')).toHaveLength(20);
    const [dump] = await kontor.database.asAdmin("select string_agg(t::text, '') as text from authentication t");
    expect(dump?.['text']).not.toContain(value?.reveal());
    await transact((transaction) => forgetValue(transaction, authentication));
    expect(await now(authentication)).toMatchObject({ state: 'Succeeded', valueSealed: null, expiresAt: null });
  });

  test('has a value that comes under the next key of the ring', async () => {
    const authentication = await begin();
    await ask(authentication, testCard('01'));
    const { keyRing } = flows;
    const keyId = keyRing.current('secrets');
    const moved = await transact(async (transaction) => {
      expect(await AUTHENTICATION_VALUE_USE.count(transaction, keyId)).toBeGreaterThan(0);
      return AUTHENTICATION_VALUE_USE.move(transaction, keyRing, { from: keyId, to: keyId });
    });
    expect(moved).toBeGreaterThan(0);
    expect(await openValue(flows.keyRing, await now(authentication))).toBeDefined();
  });
});

describe('a result', () => {
  async function challenge(code = '07'): Promise<Authentication> {
    const authentication = await begin();
    await ask(authentication, testCard(code));
    await transact((transaction) => noteChallengeShown(transaction, authentication));
    return now(authentication);
  }
  const rreq = ({ serverTransactionId, dsTransactionId, acsTransactionId }: Authentication, members: object = {}) =>
    JSON.stringify({
      messageType: 'RReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: serverTransactionId,
      dsTransID: dsTransactionId,
      acsTransID: acsTransactionId,
      messageCategory: '01',
      transStatus: 'Y',
      interactionCounter: '01',
      authenticationType: '02',
      eci: '05',
      authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
      ...members,
    });
  const NO = { transStatus: 'N', authenticationValue: undefined, eci: undefined };

  test('is taken once; the same again is acknowledged, another one refused', async () => {
    const authentication = await challenge();
    const first = await post(rreq(authentication));
    expect(JSON.parse(first.text)).toMatchObject({ messageType: 'RRes', resultsStatus: '01' });
    expect(JSON.parse((await post(rreq(authentication))).text)).toMatchObject({
      messageType: 'RRes',
      resultsStatus: '01',
    });
    expect(JSON.parse((await post(rreq(authentication, NO))).text)).toMatchObject({
      messageType: 'Erro',
      errorCode: '305',
    });
    expect(await now(authentication)).toMatchObject({ state: 'Succeeded', eci: '05' });
  });

  test('is taken once, also where ten come at the same time', async () => {
    const authentication = await challenge();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(rreq(authentication))));
    expect(answers.map(({ text }) => JSON.parse(text).messageType)).toEqual(Array(10).fill('RRes'));
  });

  test.each([
    ['an unknown id', (known: Authentication) => rreq({ ...known, serverTransactionId: uuidV4() }), '301'],
    [
      'another id of the directory server',
      (known: Authentication) => rreq({ ...known, dsTransactionId: uuidV4() }),
      '301',
    ],
    ['another id of the issuer', (known: Authentication) => rreq({ ...known, acsTransactionId: uuidV4() }), '301'],
    ['a status that cannot be', (known: Authentication) => rreq(known, { transStatus: 'C' }), '203'],
    ['another type', (known: Authentication) => rreq(known, { messageType: 'ARes' }), '101'],
    ['no JSON', () => '{', '203'],
  ])('with %s is refused, and changes nothing', async (_what, message, errorCode) => {
    const authentication = await challenge();
    const answer = await post(message(authentication));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ messageType: 'Erro', errorCode, errorComponent: 'S' });
    expect((await now(authentication)).state).toBe('Challenge');
  });

  test('before any browser was led to the challenge is no success', async () => {
    const authentication = await begin();
    await ask(authentication, testCard('07'));
    const answer = await post(rreq(await now(authentication)));
    expect(JSON.parse(answer.text)).toMatchObject({ resultsStatus: '02' });
    expect((await now(authentication)).state).toBe('Failed');
  });

  test('of a payer who gave up is theirs', async () => {
    const authentication = await challenge();
    await post(rreq(authentication, { ...NO, challengeCancel: '01' }));
    expect((await now(authentication)).state).toBe('Cancelled');
  });

  test('of a client without a certificate, or with one that another has signed, is refused', async () => {
    const authentication = await challenge();
    await expect(post(rreq(authentication), {})).rejects.toThrow();
    await expect(post(rreq(authentication), us)).rejects.toThrow();
    expect((await now(authentication)).state).toBe('Challenge');
  });

  test('that is too long is not read', async () => {
    const authentication = await challenge();
    const answer = await post(rreq(authentication, { filler: 'x'.repeat(70_000) })).catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
    expect((await now(authentication)).state).toBe('Challenge');
  });
});
