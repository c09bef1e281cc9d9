import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from '../../sandbox/postgres/embedded.ts';
import { type Connection, connect } from '../../src/db/server/connection.ts';
import { PERSONAL_DATA, personalColumns } from '../docs/judged-columns.ts';
import { CHECKOUT, killServer } from '../support/database/embedded.ts';
import { type Scanner, type Sought, scanFolder, scannerFor } from '../support/prober/scanner.ts';
import { columnsOf } from '../support/prober/stored.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { sendTo } from '../support/service.ts';
import { type Environment, runCommand, type ServiceProcess, startService } from '../support/service-process.ts';
import { openBrowser } from '../support/shop/portal.ts';
import { type Receiver, startReceiver } from '../support/shop/receiver.ts';
import { fileOf } from '../support/shop/tokens-lines.ts';
import { until } from '../support/until.ts';
import { accountSecrets, attackAccounts } from './account-secrets.ts';
import { attackGiftCards } from './gift-card-secrets.ts';
import {
  type Marked,
  markAccountPayments,
  markCardPayments,
  markedLines,
  markOrders,
  markTokens,
  markWebhook,
} from './marked-requests.ts';
import { type Mark, makeMarks } from './marks.ts';
import { attackPortal } from './portal-secrets.ts';
import type { Attack, Target } from './requests.ts';

// Some 200 values, each of them marked, go through every path by which something comes in. Then everything that is stored is
// searched for them in all spellings: what may be in the clear is in its columns and nowhere else, and the rest is nowhere.

// Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
const folder = mkdtempSync('/tmp/kontor-marked-');
const dataDir = join(folder, 'data');
const temporary = join(folder, 'tmp');
const importFile = join(folder, 'tokens.ndjson');
const environment: Environment = {
  KONTOR_DATA_DIR: dataDir,
  KONTOR_PORT: '0',
  KONTOR_LOG_LEVEL: 'trace',
  KONTOR_ACQUIRER_TRACE_DAYS: '7',
  KONTOR_REQUESTS_PER_MINUTE: '0',
  KONTOR_PAGES_PER_MINUTE: '0',
  KONTOR_CARD_TESTING_NUMBERS: '0',
  TMPDIR: temporary,
};
const marks = makeMarks();
/** Three digits stand in too many places to be sought alone; with the member's name before them they do not. */
const CODES = ['cardVerificationCode":"', 'cardVerificationCode\\":\\"', 'cvc=', '"cvc":"', '"cvc","'].map(
  (before): Sought => ({ name: `a code behind ${before}`, value: `${before}123`, kind: 'secret' }),
);
/** What others than these requests have marked: in no column. */
const others: Sought[] = [];
/** What was told by the service, by where. */
const told = new Map<string, Buffer>();
let service: ServiceProcess;
let receiver: Receiver;
let postgres: Awaited<ReturnType<typeof startEmbedded>>;
let admin: Connection;

const sandbox = () => readSandbox(dataDir);

beforeAll(async () => {
  chmodSync(folder, 0o711);
  mkdirSync(temporary, { mode: 0o777 });
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: CHECKOUT });
  receiver = await startReceiver();
  service = await startService(environment);
  await sendAll();
  await tellAll();
  postgres = await startEmbedded({ dataDir, as: 'command', log: () => undefined });
  admin = await connect(postgres.adminUrl);
}, 300_000);

afterAll(async () => {
  await admin?.end();
  await postgres?.stop();
  await service?.stop();
  await receiver.stop();
  await killServer(dataDir);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function sendAll(): Promise<void> {
  const { baseUrl } = service;
  const own = sandbox();
  const marked: Marked = {
    marks,
    baseUrl,
    send: (method, path, options = {}) => sendTo(baseUrl, own, { method, path, ...options }),
  };
  await markWebhook(marked, receiver.url);
  const lines = markedLines(marks) as readonly { readonly payerReference: string }[];
  writeFileSync(importFile, fileOf(lines));
  const imported = await runCommand(environment, ['tokens', 'import', importFile, '--json']);
  expect(JSON.parse(imported.split('\n')[0] ?? ''), imported).toMatchObject({ imported: lines.length });
  await markTokens(marked, lines[0]?.payerReference ?? '');
  await markCardPayments(marked);
  await markOrders(marked);
  await markAccountPayments(marked, sandbox().accounts[0]);
  await markPeople(marked);
  others.push(...CODES);
  others.push(...(await attackPortal({ baseUrl, payeeId: own.payeeId }, own.portal)));
  const exchange = (attack: Attack) => service.exchange(attack.bytes());
  others.push(...accountSecrets(sandbox().accounts[0]), ...(await attackGiftCards(target(), exchange)));
  // Last: wrong codes block the account.
  await attackAccounts(sandbox().accounts[0], target(), exchange);
}

/** A person who works with the portal. */
async function markPeople({ baseUrl }: Marked): Promise<void> {
  const { payeeId, portal } = sandbox();
  const browser = openBrowser(baseUrl);
  await browser.signIn({ email: portal.email, password: portal.password });
  const invited = await browser.post(`/portal/api/payees/${payeeId}/users`, {
    email: marks.email('e-mail address of a portal user'),
    name: marks.word('name of a portal user', 'portal_user.name'),
    role: 'support',
  });
  expect(invited.status, invited.text).toBe(200);
  const wrong = {
    email: marks.email('a wrong e-mail address'),
    password: marks.secret('a wrong password', 'Qzx-9-wrong-one'),
  };
  expect((await browser.signIn(wrong)).status).toBe(401);
}

function target(): Target {
  const { payeeId, accessToken, oauth, hmac } = sandbox();
  const { clientId, clientSecret } = oauth;
  return { host: new URL(service.baseUrl).host, accessToken, clientId, clientSecret, hmac, params: { payeeId } };
}

/** Has the service say all that it says by itself. */
async function tellAll(): Promise<void> {
  await until(() => receiver.taken.length > 10);
  const { accessToken } = sandbox();
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, service.baseUrl), { headers: { authorization: `Bearer ${accessToken}` } });
    return Buffer.from(await answer.text());
  };
  told.set('metrics', await get('/metrics'));
  told.set('the feed of events', await get('/events'));
  told.set('deliveries', Buffer.from(JSON.stringify(receiver.all)));
  for (const args of [['doctor'], ['payees', 'list'], ['ledger', 'verify'], ['acquirers', 'trace'], ['keys', 'list']]) {
    told.set(`kontor ${args.join(' ')}`, Buffer.from(await runCommand(environment, args)));
  }
  told.set('the log', service.output());
}

const all = (): readonly Mark[] => [
  ...marks.all(),
  ...others.map((one): Mark => ({ ...one, columns: [], isPersonal: true })),
];
const read = async (sql: string) => (await admin.query(sql)).rows as readonly Readonly<Record<string, unknown>>[];

/** Where each mark was found, by its name; the spelling is left out. */
function placesOf(found: readonly string[]): ReadonlyMap<string, string[]> {
  const places = new Map<string, Set<string>>();
  for (const line of found) {
    const [, place = '', name = ''] = /^(.*?): (?:card number|guessable|secret) \((.*)\) (?:as|in) /.exec(line) ?? [];
    places.set(name, (places.get(name) ?? new Set()).add(place.replace(/^public\./, '')));
  }
  return new Map([...places].map(([name, of]) => [name, [...of].sort()]));
}

const scan = (place: string, bytes: Buffer, scanner: Scanner) => scanner.scan(bytes).map((what) => `${place}: ${what}`);

test('so many values were sent, each of them another one', () => {
  const values = all().map(({ value }) => value);
  expect(new Set(values).size).toBe(values.length);
  expect(values.length).toBeGreaterThan(166);
});

test('what may be in the clear stands in columns that tell of a person by the page of personal data', () => {
  const judged = personalColumns(readFileSync(join(CHECKOUT, PERSONAL_DATA), 'utf8'));
  const columns = all().flatMap((mark) => (mark.isPersonal ? mark.columns : []));
  expect(columns.filter((column) => !judged.includes(column))).toEqual([]);
});

test('in all columns of all tables, each value is where it may be, and nowhere else', async () => {
  const { found, tables, rows } = await columnsOf(read, scannerFor(all()));
  const expected = all().filter(({ columns }) => columns.length > 0);
  expect(Object.fromEntries(placesOf(found))).toEqual(
    Object.fromEntries(expected.map(({ name, columns }) => [name, [...columns].sort()])),
  );
  expect(tables).toBeGreaterThan(80);
  for (const table of ['api_call', 'acquirer_trace', 'authentication', 'order_payer', 'delivery_try', 'audit']) {
    expect(rows[`public.${table}`], table).toBeGreaterThan(0);
  }
}, 60_000);

test('none is in what the service says by itself: log, metrics, events, deliveries, commands', () => {
  const scanner = scannerFor(all().filter(({ isPersonal }) => isPersonal));
  expect([...told].flatMap(([place, bytes]) => scan(place, bytes, scanner))).toEqual([]);
  for (const [place, bytes] of told) expect(bytes.length, place).toBeGreaterThan(20);
});

test('none that is in no column is in the data folder or in temporary files', async () => {
  const scanner = scannerFor(all().filter(({ columns }) => columns.length === 0));
  await admin.query('checkpoint');
  expect(scanFolder(dataDir, scanner, (path) => path === 'sandbox.json')).toEqual([]);
  expect(scanFolder(temporary, scanner)).toEqual([]);
}, 120_000);

test('what is planted is found: where a sealed value stood, in a text, and on the disk', async () => {
  const value = (name: string) => all().find((mark) => mark.name === name)?.value ?? 'none';
  const [card, name] = [value('a payer of an order'), value('first name of a payer of an order')];
  writeFileSync(join(dataDir, 'forgotten.log'), Buffer.from(`seen: ${card}`).toString('base64'));
  await admin.query(`update order_payer set sealed = convert_to('{"firstName":"${name}"}', 'UTF8')`);
  await admin.query(`update webhook set description = '${Buffer.from(card).toString('hex')}'`);
  const scanner = scannerFor(all().filter(({ columns }) => columns.length === 0));
  expect(Object.fromEntries(placesOf((await columnsOf(read, scanner)).found))).toEqual({
    'a payer of an order': ['webhook.description'],
    'first name of a payer of an order': ['order_payer.sealed'],
  });
  await admin.query('checkpoint');
  const onDisk = placesOf(scanFolder(dataDir, scanner, (path) => path === 'sandbox.json'));
  expect([...onDisk.keys()].sort()).toEqual(['a payer of an order', 'first name of a payer of an order']);
  expect(onDisk.get('a payer of an order')).toContain('forgotten.log');
}, 120_000);
