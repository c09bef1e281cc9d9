import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import {
  aresTo,
  challengeTo,
  type HostileDirectory,
  hostileDirectory,
  rreqOf,
  type ThreeDSMembers,
} from '../support/issuer/hostile-directory.ts';
import { type PayPage, pageAt, stateIn } from '../support/payer/pay-page.ts';
import { type SendOptions, sendTo } from '../support/service.ts';
import { until } from '../support/until.ts';

// A production service whose directory server answers whatever it likes. The acquirer takes attempts without a shift, so what is
// thought to be "not possible" would be charged.

let kontor: Acquiring;
let directory: HostileDirectory;
let baseUrl: string;
let resultsPort: number;
let journal: string;
beforeAll(async () => {
  kontor = await acquiring({ KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_PAGES_PER_MINUTE: '0' });
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  directory = await hostileDirectory();
  const acquirer = await kontor.simulate('--answer-ms', '2000', '--journal', journal);
  const known = { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' };
  kontor.configure({
    acquirers: [simulated(acquirer.port, { withoutShift: 'attempt' })],
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
  const served = await kontor.serve();
  baseUrl = served.baseUrl;
  resultsPort = await served.resultsPort();
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await directory.close();
});

const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));

/** Pays on a page whose directory server answers so; each time with another card. */
async function pay(answers: HostileDirectory['answers']): Promise<PayPage> {
  const { accessToken } = kontor;
  const send = (method: string, path: string, options: SendOptions = {}) =>
    sendTo(baseUrl, { accessToken, hmac: { user: '', secret: '' } }, { method, path, hmac: null, ...options });
  const made = await shop.create(1_500);
  const { id } = made.body.payment;
  const page = pageAt({ baseUrl, send }, href(made, 'redirect-authorization'));
  directory.answers = answers;
  const paid = await page.pay();
  expect([200, 303]).toContain(paid.status);
  return { id, ...page, payment: () => send('GET', id) };
}

async function authorizationOf({ id }: PayPage) {
  return (await shop.send(`${id}/authorizations`)).body.authorizations.authorizationList[0];
}

async function postResult(message: ThreeDSMembers): Promise<ThreeDSMembers> {
  const url = `http://127.0.0.1:${resultsPort}/3ds/results`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(message) });
  return (await answer.json()) as ThreeDSMembers;
}

describe('a payer whom the issuer refuses', () => {
  test.each([
    ['N with a proof that is none', { transStatus: 'N', authenticationValue: 'none' }],
    ['N with an empty proof', { transStatus: 'N', authenticationValue: '' }],
    ['R with null for a proof', { transStatus: 'R', authenticationValue: null }],
    ['N with words that the database does not take', { transStatus: 'N', cardholderInfo: 'Call\u0000us' }],
  ])('is not charged: %s', async (_what, members) => {
    const page = await pay((areq) => aresTo(areq, members));
    expect(stateIn(await page.open())).toBe('declined');
    const { transaction, authenticationStatus } = await authorizationOf(page);
    expect(transaction.problem.type).toMatch(/3dsecuredeclined$/);
    expect(authenticationStatus).toBe(members.transStatus);
  });
});

test.each(['https://]', 'https://acs.example:99999/', 'https://acs.example/\u0000'])(
  'a payer is not led to %j: the answer counts as none',
  async (acsURL) => {
    const page = await pay((areq) => challengeTo(areq, { acsURL }));
    expect(await authorizationOf(page)).toMatchObject({
      authenticationStatus: 'U',
      transaction: { state: 'Completed' },
    });
    const told = directory.came.filter(({ errorMessageType }) => errorMessageType === 'ARes').at(-1);
    expect(told).toMatchObject({ errorCode: '203', errorDetail: 'acsURL' });
  },
);

describe('the result of a challenge', () => {
  async function challenged() {
    let ares: ThreeDSMembers = {};
    const page = await pay((areq) => {
      ares = challengeTo(areq);
      return ares;
    });
    expect((await page.open({ below: '/challenge' })).status).toBe(200);
    return { page, ares };
  }
  const WITHOUT = { eci: undefined, authenticationValue: undefined };

  test('of a payer who gave up is theirs, also where it says that it was not possible', async () => {
    const { page, ares } = await challenged();
    const result = rreqOf(ares, { transStatus: 'U', challengeCancel: '01', ...WITHOUT });
    expect(await postResult(result)).toMatchObject({ messageType: 'RRes', resultsStatus: '01' });
    await page.post('/finish', {});
    expect((await authorizationOf(page)).transaction.problem.type).toMatch(/3dsecureusercancelled$/);
  });

  test('that comes after the try has ended changes nothing: the same again is acknowledged, another one refused', async () => {
    const { page, ares } = await challenged();
    await page.post('/finish', { closed: '1' });
    const late = rreqOf(ares);
    const acknowledged = { messageType: 'RRes', resultsStatus: '01' };
    expect(await postResult(late)).toMatchObject(acknowledged);
    expect(await postResult(late)).toMatchObject(acknowledged);
    expect(await postResult({ ...late, transStatus: 'N', ...WITHOUT })).toMatchObject({ errorCode: '305' });
    await page.post('/finish', {});
    expect((await authorizationOf(page)).transaction.problem.type).toMatch(/3dsecureusercancelled$/);
  });

  test('whose proof was erased, because the payer has closed the page, charges no card', async () => {
    const { page, ares } = await challenged();
    await postResult(rreqOf(ares));
    // As a process leaves it that is killed there.
    await kontor.database.asAdmin('update authentication set value_sealed = null, sealed_with = null');
    await page.post('/finish', {});
    const { transaction, ...shown } = await authorizationOf(page);
    expect(transaction.problem.type).toMatch(/3dsecuredeclined$/);
    expect(shown).not.toHaveProperty('liabilityShift');
  });

  test('N with a proof that is none is taken as N', async () => {
    const { page, ares } = await challenged();
    const result = rreqOf(ares, { transStatus: 'N', authenticationValue: 'none' });
    expect(await postResult(result)).toMatchObject({ messageType: 'RRes', resultsStatus: '01' });
    await page.post('/finish', {});
    expect((await authorizationOf(page)).transaction.problem.type).toMatch(/3dsecuredeclined$/);
  });
});

test('members that are left out are counted by directory server and member, for kontor doctor', async () => {
  const counted = async () => {
    const rows = await kontor.database.asAdmin(
      "select concat_ws(' ', scheme, message_type, member) as name, times::integer from three_ds_left_out",
    );
    return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
  };
  const before = await counted();
  const plus = (name: string, times: number) => Number(before[name] ?? 0) + times;
  let ares: ThreeDSMembers = {};
  await pay((areq) => {
    ares = challengeTo(areq, { eci: 'N2' });
    return ares;
  });
  await postResult(rreqOf(ares, { eci: 5, authenticationMethod: 'x' }));
  const expected = {
    'Visa ARes eci': plus('Visa ARes eci', 1),
    'Visa RReq eci': plus('Visa RReq eci', 1),
    'Visa RReq authenticationMethod': plus('Visa RReq authenticationMethod', 1),
  };
  await until(
    async () => (await counted())['Visa RReq authenticationMethod'] === expected['Visa RReq authenticationMethod'],
  );
  expect(await counted()).toMatchObject(expected);
  const { stdout } = await kontor.installation.kontor(['doctor', '--offline']);
  expect(stdout).toMatch(/Directory server Visa: of its messages .*left out.*eci of ARes \(\d+\)/);
});
