import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../support/certificates.ts';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import { formIn, testCard } from '../support/issuer/three-ds.ts';
import { type PayPage, pageAt, stateIn } from '../support/payer/pay-page.ts';
import { type SendOptions, sendTo } from '../support/service.ts';
import { until } from '../support/until.ts';

// All with the real commands and TLS on every line: acquirer, directory servers, and the address for results.

const AUTHORITY = makeCertificate({ name: 'Test CA' });
const HOST = makeCertificate({ name: 'localhost', by: AUTHORITY });
const US = makeCertificate({ name: 'localhost', by: AUTHORITY });
const STRANGER = makeCertificate({ name: 'localhost', by: makeCertificate({ name: 'Other CA' }) });

let kontor: Acquiring;
let baseUrl: string;
let journal: string;
let settlementFiles: string;
let ports: { acquirer: number; directory: number };
let resultsPort: number;
let served: Awaited<ReturnType<Acquiring['serve']>>;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  settlementFiles = join(kontor.installation.folder, 'settlement');
  kontor.keep('ca', AUTHORITY);
  kontor.keep('host', HOST);
  kontor.keep('us', US);
  kontor.keep('three-ds', US);
  const hostTls = [
    ...['--tls-cert', kontor.beside('host.pem'), '--tls-key', kontor.beside('host.key')],
    ...['--client-ca', kontor.beside('ca.pem')],
  ];
  const books = ['--answer-ms', '2000', '--journal', journal, '--settlement-dir', settlementFiles];
  const [acquirer, directory] = await Promise.all([
    kontor.simulate(...books, ...hostTls),
    kontor.simulateThreeDS(...hostTls),
  ]);
  ports = { acquirer: acquirer.port, directory: directory.port };
  kontor.configure(fileWith(ports));
  served = await kontor.serve();
  baseUrl = served.baseUrl;
  resultsPort = await served.resultsPort();
}, 120_000);
afterAll(() => kontor.remove());

/** Certificates on both sides of every line. Port 0 for results takes a free one. */
function fileWith(at: { acquirer: number; directory: number }, resultsOn = 0) {
  const tls = { ca: 'ca.pem', cert: 'us.pem', key: 'us.key' };
  const ours = { ca: 'ca.pem', cert: 'three-ds.pem', key: 'three-ds.key' };
  const known = { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' };
  return {
    // Whom the bank cannot authenticate is let through, so that the issuer may ask for it.
    acquirers: [simulated(at.acquirer, { withoutShift: 'attempt', tls: { ...tls, serverName: 'localhost' } })],
    agreements: [agreed(kontor.payeeId, { threeDS: { Visa: known } })],
    threeDS: {
      serverReferenceNumber: 'TEST',
      operatorId: 'TEST',
      resultsUrl: `https://localhost:${resultsOn}/3ds/results`,
      resultsPort: resultsOn,
      tls: ours,
      directoryServers: [{ scheme: 'Visa', url: `https://localhost:${at.directory}/visa`, tls: ours }],
    },
  };
}

const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));

/** Makes a payment, and gives its page. */
async function payable(amount: number): Promise<PayPage> {
  const { accessToken } = kontor;
  const send = (method: string, path: string, options: SendOptions = {}) =>
    sendTo(baseUrl, { accessToken, hmac: { user: '', secret: '' } }, { method, path, hmac: null, ...options });
  const made = await shop.create(amount);
  const { id } = made.body.payment;
  const page = pageAt({ baseUrl, send }, href(made, 'redirect-authorization'));
  return { id, ...page, payment: () => send('GET', id) };
}

async function authorizationOf({ id }: PayPage) {
  const { body } = await shop.send(`${id}/authorizations`);
  return body.authorizations.authorizationList[0];
}

/** How often the acquirer was asked to authorize. */
const timesAsked = () => readFileSync(journal, 'utf8').match(/"type":"1100"/g)?.length ?? 0;

async function run(...args: string[]) {
  const { status, stdout, stderr } = await kontor.installation.kontor(['--as', 'Test', ...args, '--json']);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe('a production service with a directory server', () => {
  test('charges a card whose holder was authenticated, with and without a challenge, and its day is settled', async () => {
    for (const [code, verdict] of [['02'], ['07', 'Approved']] as const) {
      const page = await payable(12_500);
      await page.pay({ number: testCard(code) });
      if (verdict !== undefined) await page.confirm(verdict);
      expect(stateIn(await page.open())).toBe('paid');
      expect(await authorizationOf(page)).toMatchObject({
        authenticationStatus: 'Y',
        eci: '05',
        liabilityShift: 'Issuer',
        transaction: { state: 'Completed' },
      });
      expect(shop.books()).toEqual([12_500, 0, 0]);
      await shop.follow(page.id, 'create-capture', { amount: 12_500, vatAmount: 0 });
      await shop.follow(page.id, 'create-reversal', { amount: 4_000, vatAmount: 0 });
      expect(shop.books()).toEqual([0, 12_500, 4_000]);
    }
    // The acquirer believes no proof that the directory server has not made.
    expect(readFileSync(journal, 'utf8')).not.toMatch(/4761730[27]0000000/);
    const day = await kontor.businessDay();
    expect(await run('settlements', 'close', '--day', day)).toMatchObject([{ salesNumber: 2, net: 17_000 }]);
    const reconciled = `select from settlement_day where day = '${day}' and state = 'Reconciled'`;
    await until(async () => (await kontor.database.asAdmin(reconciled)).length === 1, 60_000);
    const [file = ''] = readdirSync(settlementFiles);
    const imported = await run('settlements', 'import', join(settlementFiles, file), '--acquirer', 'north');
    expect(imported).toMatchObject({ matched: 4, differences: 0, refused: [] });
    expect(await run('settlements', 'show', day)).toMatchObject([{ state: 'Settled' }]);
  }, 120_000);
});

test('a soft decline is stepped up: the acquirer is asked again, with the proof of the challenge', async () => {
  const before = timesAsked();
  const amount = 900_365;
  const page = await payable(amount);
  const asked = await page.pay({ number: testCard('06') });
  expect(asked.headers.get('location')).toBe(`${page.path}/challenge`);
  expect(timesAsked()).toBe(before + 1);
  expect((await authorizationOf(page)).transaction).toMatchObject({ state: 'AwaitingActivity' });
  await page.confirm('Approved');
  expect(stateIn(await page.open())).toBe('paid');
  expect(timesAsked()).toBe(before + 2);
  const { body } = await shop.send(`${page.id}/authorizations`);
  expect(body.authorizations.authorizationList).toMatchObject([
    { authenticationStatus: 'Y', eci: '05', liabilityShift: 'Issuer', transaction: { state: 'Completed' } },
  ]);
  expect(shop.books()).toEqual([amount, 0, 0]);
  const answers = journalLines(journal)
    .filter(({ type, fields }) => type === '1110' && Number(fields['amount']) === amount)
    .map(({ fields }) => fields);
  expect(answers.map((fields) => fields['actionCode'])).toEqual(['180', '000']);
  expect(new Set(answers.map((fields) => fields['stan'])).size).toBe(2);
  await shop.follow(page.id, 'create-cancellation', {});
  expect(shop.books()).toEqual([0, 0, 0]);
});

describe('what a browser brings back proves nothing', () => {
  // Beside each other, because they wait for the directory server.
  test.concurrent.each([
    ['a result that was never sent', '11'],
    ['a return that the payer has made up', '07'],
  ])('%s pays nothing', async (_name, code) => {
    const before = timesAsked();
    const page = await payable(9_900);
    await page.pay({ number: testCard(code) });
    if (code === '11') await page.confirm('Approved');
    else await forgeReturn(page);
    expect(stateIn(await page.open())).toBe('declined');
    const { transaction } = await authorizationOf(page);
    expect(transaction).toMatchObject({ state: 'Failed' });
    expect(transaction.problem.type).toMatch(/3dsecuredeclined$/);
    expect(timesAsked()).toBe(before);
  });
});

/** Comes back from a challenge that was never answered, with a CRes that says that it was. */
async function forgeReturn(page: PayPage): Promise<void> {
  const { fields } = formIn((await page.open({ below: '/challenge' })).text, 'lead');
  const creq = JSON.parse(Buffer.from(fields['creq'] ?? '', 'base64url').toString());
  const cres = { ...creq, messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'Y' };
  const body = new URLSearchParams({
    cres: Buffer.from(JSON.stringify(cres)).toString('base64url'),
    threeDSSessionData: fields['threeDSSessionData'] ?? '',
  });
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'null' };
  await fetch(`${baseUrl}/3ds/challenge`, { method: 'POST', body, headers, redirect: 'manual' });
}

describe('the address for results', () => {
  const MESSAGE = JSON.stringify({ messageType: 'RReq' });
  test('answers a client whose certificate is signed by who must have', async () => {
    expect(await post(US)).toMatchObject({ messageType: 'Erro', errorComponent: 'S' });
  });

  test.each([
    ['without a certificate', undefined],
    ['with one that someone else has signed', STRANGER],
  ])('speaks to no client %s', async (_name, shown) => {
    await expect(post(shown)).rejects.toThrow(/certificate|alert|reset|hang up/i);
  });

  function post(shown: { cert: string; key: string } | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', ca: AUTHORITY.cert, ...(shown && { cert: shown.cert, key: shown.key }) };
      const asking = request(`https://localhost:${resultsPort}/3ds/results`, options, (answer) => {
        json(answer).then(resolve, reject);
      });
      asking.on('error', reject);
      asking.end(MESSAGE);
    });
  }
});

test('SIGHUP renews the certificates for directory servers, and no authentication under way is lost', async () => {
  const { process: service } = served.started;
  const said = (text: string) => {
    const from = served.log().length;
    return () => until(() => served.log().slice(from).includes(text), 40_000);
  };
  const hangUp = async (text: string) => {
    const isSaid = said(text);
    service.kill('SIGHUP');
    await isSaid();
  };
  const statusOfOne = async () => {
    const page = await payable(1_000);
    await page.pay({ number: testCard('02') });
    return (await authorizationOf(page)).authenticationStatus;
  };
  // The bank asks: its result comes behind the renewal, to the address for results.
  const challenged = await payable(1_100);
  await challenged.pay({ number: testCard('07') });
  const beside = Array.from({ length: 5 }, statusOfOne);
  const renewed = makeCertificate({ name: 'localhost', by: AUTHORITY });
  kontor.keep('three-ds', renewed);
  await hangUp('The certificates of 3-D Secure were read again.');
  await challenged.confirm('Approved');
  expect(stateIn(await challenged.open())).toBe('paid');
  expect(await authorizationOf(challenged)).toMatchObject({ authenticationStatus: 'Y' });
  expect(await Promise.all(beside)).toEqual(Array(5).fill('Y'));
  expect(await statusOfOne()).toBe('Y');
  expect(await shownForResults()).toBe(new X509Certificate(renewed.cert).fingerprint256);
  // What cannot be used changes nothing.
  chmodSync(kontor.beside('three-ds.key'), 0o644);
  await hangUp('The certificates of 3-D Secure cannot be used');
  expect(await statusOfOne()).toBe('Y');
  expect(await shownForResults()).toBe(new X509Certificate(renewed.cert).fingerprint256);
  // That the directory server is spoken to by what lies there now: one that it does not know is refused.
  chmodSync(kontor.beside('three-ds.key'), 0o600);
  kontor.keep('three-ds', STRANGER);
  await hangUp('The certificates of 3-D Secure were read again.');
  expect(await statusOfOne()).toBe('U');
  kontor.keep('three-ds', US);
  await hangUp('The certificates of 3-D Secure were read again.');
  expect(await statusOfOne()).toBe('Y');

  /** The certificate that clients see where results are taken. */
  async function shownForResults(): Promise<string> {
    const socket = connect({ host: 'localhost', port: resultsPort, ca: AUTHORITY.cert, cert: US.cert, key: US.key });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }
}, 120_000);

describe('kontor doctor', () => {
  async function looked(): Promise<string> {
    const { stdout, stderr } = await kontor.installation.kontor(['doctor']);
    // The standard error has each problem too: a supervisor may show nothing else.
    const problems = stdout.split('\n').filter((line) => line.startsWith('✗ '));
    expect(problems).not.toEqual([]);
    for (const line of problems) expect(stderr).toContain(line.slice(2));
    return stdout;
  }

  test('sees that payers can be authenticated', async () => {
    kontor.configure(fileWith(ports, resultsPort));
    const told = await looked();
    expect(told).toMatch(/^✓ Directory server Visa: it answers after \d+\.\d ms\.$/m);
    expect(told).toMatch(/^✓ Directory server Visa: it has told 99 ranges of cards, \d+ (seconds|minutes) ago\.$/m);
    expect(told).toMatch(new RegExp(`^✓ 3-D Secure: port ${resultsPort} for results is ours\\.$`, 'm'));
    expect(told).not.toMatch(/Without 3-D Secure/);
    // 5 s, 12 s for the directory server, 1 s and 2 s for the acquirer.
    expect(told).toMatch(
      /^✓ A request may take 20 s: a proxy must wait longer for its answer\. A stop may take 35 s:/m,
    );
  });

  test('says what is in the way', async () => {
    kontor.keep('stranger', STRANGER);
    const { threeDS, ...file } = fileWith({ ...ports, directory: 1 }, ports.acquirer);
    const unknown = { ca: 'ca.pem', cert: 'stranger.pem', key: 'stranger.key' };
    const mastercard = { scheme: 'Mastercard', url: `https://localhost:${ports.directory}/mastercard`, tls: unknown };
    const directoryServers = [...threeDS.directoryServers, mastercard];
    const resultsUrl = 'https://pay.example.com/3ds/results';
    kontor.configure({ ...file, threeDS: { ...threeDS, directoryServers, resultsUrl } });
    const told = await looked();
    expect(told).toMatch(/^✗ Directory server Visa: no answer: nothing listens there\./m);
    expect(told).toMatch(/^✗ Directory server Mastercard: no answer: .*it may not know our certificate\./m);
    expect(told).toMatch(/^! Directory server Mastercard: not asked for its cards yet\./m);
    expect(told).toMatch(/^✗ 3-D Secure: the certificate in threeDS\.tls is not for pay\.example\.com/m);
    expect(told).toMatch(/^✗ 3-D Secure: port \d+ for results shows another certificate/m);
  });
});

test('a start is refused where the port for results is taken, and the process ends', async () => {
  kontor.configure(fileWith(ports, resultsPort));
  const refused = await kontor.installation.kontor(['serve']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`The port ${resultsPort} for results of 3-D Secure cannot be used (EADDRINUSE).`);
});

test('a start waits for no directory server that is silent, and neither does an end', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const directory = (silent.address() as AddressInfo).port;
  const asked = once(silent, 'connection');
  const file = fileWith({ ...ports, directory });
  const [server] = file.threeDS.directoryServers;
  // Longer than this test may take: were the answer waited for, there would be no start in it.
  kontor.configure({ ...file, threeDS: { ...file.threeDS, directoryServers: [{ ...server, answerMs: 30_000 }] } });
  const { started } = await kontor.serve();
  const [socket] = await asked;
  started.process.kill('SIGTERM');
  expect((await started.ended).status).toBe(0);
  socket.destroy();
  silent.close();
}, 29_000);
