import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MadeCertificate, makeCertificate } from '../support/certificates.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { VECTORS } from '../support/issuer/iso8583-vectors.ts';
import { until } from '../support/until.ts';

// Each with the real commands: `kontor acquirers simulate` with its TLS options, `acquirers echo` and `doctor`.

const DAY_MS = 86_400_000;
const AUTHORITY = makeCertificate({ name: 'Test CA' });
const OTHER = makeCertificate({ name: 'Other CA' });
const HOST = makeCertificate({ name: 'localhost', by: AUTHORITY });
const US = makeCertificate({ name: 'kontor', by: AUTHORITY });

let kontor: Acquiring;
beforeAll(async () => {
  kontor = await acquiring();
}, 120_000);
afterAll(() => kontor.remove());

/** Starts an acquirer with a certificate, and writes acquirers.json for it. */
async function between(
  host: MadeCertificate,
  tls: { ca?: MadeCertificate; us?: MadeCertificate; serverName?: string },
) {
  kontor.keep('host', host);
  kontor.keep('authority', AUTHORITY);
  kontor.keep('ca', tls.ca ?? AUTHORITY);
  const own = kontor.keep('us', tls.us ?? US);
  const { port } = await kontor.simulate(
    ...['--tls-cert', kontor.beside('host.pem'), '--tls-key', kontor.beside('host.key')],
    ...['--client-ca', kontor.beside('authority.pem')],
  );
  const north = simulated(port, { tls: { ca: 'ca.pem', ...own, serverName: tls.serverName ?? 'localhost' } });
  kontor.configure({ acquirers: [north], agreements: [agreed(kontor.payeeId)] });
}

test('certificates on both sides: connected, signed on, echoed, and doctor says how long it took', async () => {
  await between(HOST, {});
  const echoed = await kontor.installation.kontor(['acquirers', 'echo', 'north']);
  expect(echoed).toMatchObject({ status: 0 });
  expect(echoed.stdout).toMatch(/^✓ Acquirer north: signed on, and answered an echo after \d+\.\d ms\.\n$/);
  const looked = await kontor.installation.kontor(['doctor']);
  expect(looked.stdout).toMatch(/^✓ Acquirer north: certificates and key can be used\.$/m);
  expect(looked.stdout).toMatch(/^✓ Acquirer north: signed on/m);
  expect(looked.stdout).toMatch(/^✗ Acquirer north is marked as a test host: no card is charged there\.$/m);
  const offline = await kontor.installation.kontor(['doctor', '--offline']);
  expect(offline.stdout).not.toContain('signed on');
}, 60_000);

test.each([
  ['signed by another CA', HOST, { ca: OTHER }, 'its certificate is not signed by ca'],
  ['with another name', HOST, { serverName: 'h2h.example.com' }, 'its certificate has another name than serverName'],
  [
    'that has expired',
    makeCertificate({ name: 'localhost', by: AUTHORITY, to: new Date(Date.now() - DAY_MS / 2) }),
    {},
    'its certificate has expired',
  ],
  [
    'that is right, for one of ours that it does not know',
    HOST,
    { us: makeCertificate({ name: 'kontor', by: OTHER }) },
    'it may not know our certificate',
  ],
])(
  'a certificate %s: not connected, and it is said why',
  async (_name, host, tls, because) => {
    await between(host, tls);
    const looked = await kontor.installation.kontor(['doctor']);
    expect(looked.status).toBe(1);
    expect(looked.stdout).toMatch(/^✗ Acquirer north: not connected: /m);
    expect(looked.stdout).toContain(because);
    expect(looked.stderr).toContain(because);
    const echoed = await kontor.installation.kontor(['acquirers', 'echo', 'north']);
    expect(echoed).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^kontor: Acquirer north: not connected: /),
    });
    expect(echoed.stderr).toContain(because);
  },
  60_000,
);

test('a client without any certificate hears nothing of the test acquirer', async () => {
  kontor.keep('host', HOST);
  kontor.keep('authority', AUTHORITY);
  const { port } = await kontor.simulate(
    ...['--tls-cert', kontor.beside('host.pem'), '--tls-key', kontor.beside('host.key')],
    ...['--client-ca', kontor.beside('authority.pem')],
  );
  const heard: Buffer[] = [];
  const socket = connect({ host: '127.0.0.1', port, ca: AUTHORITY.cert, servername: 'localhost' });
  socket.on('data', (bytes) => heard.push(bytes));
  socket.on('error', () => undefined);
  socket.write(Buffer.from(VECTORS.V1, 'hex'));
  await new Promise((resolve) => socket.on('close', resolve));
  expect(heard).toEqual([]);
}, 60_000);

test('doctor looks at our own files: expired, expiring, exposed, and payees that are not there', async () => {
  const soon = makeCertificate({ name: 'kontor', by: AUTHORITY, to: new Date(Date.now() + 10 * DAY_MS) });
  await between(HOST, { us: soon });
  const doctor = async () => (await kontor.installation.kontor(['doctor', '--offline'])).stdout;
  expect(await doctor()).toMatch(/^! Acquirer north: the certificate of CN=kontor is valid for 9 more days\.$/m);
  kontor.keep('us', makeCertificate({ name: 'kontor', by: AUTHORITY, to: new Date(Date.now() - DAY_MS / 2) }));
  expect(await doctor()).toMatch(/^✗ Acquirer north: the certificate of CN=kontor has expired\.$/m);
  chmodSync(kontor.beside('us.key'), 0o644);
  expect(await doctor()).toMatch(/^✗ Acquirer north: Others than its owner may use the key in .*us\.key/m);
  const refused = await kontor.installation.refusedStart();
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('Run: chmod 0600') });
  const stranger = agreed('0195b2a0-0000-7000-8000-000000000001', { id: 'other' });
  kontor.configure({ acquirers: [simulated(1)], agreements: [stranger] });
  const looked = await doctor();
  expect(looked).toMatch(/^✗ Agreement other: there is no payee of this id\.$/m);
  expect(looked).toMatch(/^! Without agreement, so without card payments: Demo AS\.$/m);
}, 60_000);

test('the list names acquirers and agreements', async () => {
  const listed = await kontor.installation.kontor(['acquirers', 'list']);
  expect(listed.stdout).toMatch(/north +North Acquiring +127\.0\.0\.1:1 /);
  expect(listed.stdout).toMatch(/other +0195b2a0-\S+ +north +000012345678901 +NOK +Visa +open/);
}, 60_000);

test('SIGHUP renews certificates, and no payment under way is lost; one that the host does not take changes nothing', async () => {
  await between(HOST, {});
  const { baseUrl, started, log } = await kontor.serve();
  const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));
  const paid = async (amount = 1_000) => (await shop.authorize(amount)).tried.body.authorization.transaction.state;
  const since = () => {
    const from = log().length;
    return (text: string) => until(() => log().slice(from).includes(text), 40_000);
  };
  expect(await paid()).toBe('Completed');
  const renewed = makeCertificate({ name: 'kontor', by: AUTHORITY });
  kontor.keep('us', renewed);
  // Approved after a second: asked on the lines before, and answered there.
  const slow = paid(900_305);
  const hears = since();
  started.process.kill('SIGHUP');
  const beside: Promise<string>[] = [];
  for (let count = 0; count < 20; count++) beside.push(paid());
  await hears('The certificates and keys of an acquirer were read again.');
  expect([await slow, ...(await Promise.all(beside))]).toEqual(Array(21).fill('Completed'));
  expect(await paid()).toBe('Completed');
  const hearsMore = since();
  chmodSync(kontor.beside('us.key'), 0o644);
  started.process.kill('SIGHUP');
  await hearsMore('The certificates and keys of an acquirer cannot be used');
  expect(await paid()).toBe('Completed');
  const hearsLast = since();
  chmodSync(kontor.beside('us.key'), 0o600);
  kontor.keep('us', makeCertificate({ name: 'kontor', by: OTHER }));
  started.process.kill('SIGHUP');
  await hearsLast('No line to the acquirer could be signed on');
  expect(await paid()).toBe('Completed');
}, 120_000);

test('SIGHUP reads the key of message authentication codes again', async () => {
  const dialect = join(import.meta.dirname, '../../examples/dialect-h2h93.json');
  const hostWith = (key: string, ...options: string[]) => {
    kontor.keep('seal', { cert: '', key });
    return kontor.simulate('--dialect', dialect, '--mac-key', kontor.beside('seal.key'), ...options);
  };
  const { port, started: host } = await hostWith('0123456789abcdeffedcba9876543210');
  const sealed = simulated(port, { dialect, macKey: 'seal.key' });
  kontor.configure({ acquirers: [sealed], agreements: [agreed(kontor.payeeId)] });
  const { baseUrl, started, log } = await kontor.serve();
  const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));
  const paid = async () => (await shop.authorize(1_000)).tried.body.authorization?.transaction.state;
  expect(await paid()).toBe('Completed');
  host.process.kill('SIGTERM');
  await host.ended;
  // The same host, which has agreed on another key.
  await hostWith('fedcba98765432100123456789abcdef', '--port', String(port));
  started.process.kill('SIGHUP');
  await until(() => log().includes('The certificates and keys of an acquirer were read again.'), 40_000);
  expect(await paid()).toBe('Completed');
}, 120_000);
