import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../sandbox/postgres/embedded.ts';
import { connect } from '../../src/db/server/connection.ts';
import { CHECKOUT, killServer } from '../support/database/embedded.ts';
import { testCardNumber } from '../support/numbers.ts';
import { type Environment, runCommand, type ServiceProcess, startService } from '../support/service-process.ts';
import { accountSecrets, attackAccounts, type Payable } from './account-secrets.ts';
import { attacksOn, SENDS_ALL } from './attacks.ts';
import { makeBait } from './bait.ts';
import { type DisguisesSent, sendDisguises, soughtInDisguise } from './disguise-attacks.ts';
import { formsOfCardNumber } from './forms.ts';
import { framingAttacks, misplacedSecrets } from './framing-attacks.ts';
import { attackGiftCards } from './gift-card-secrets.ts';
import {
  ACCOUNT_ID,
  ACCOUNT_LIKE_CARD,
  badLines,
  disguisedLines,
  EMAIL,
  goodLines,
  MOBILE,
  outsideOfTestRanges,
} from './import-lines.ts';
import { operationsOf } from './openapi-operations.ts';
import { attackPages, PAGE_SECRETS } from './page-attacks.ts';
import { attackPortal, type PortalUserOfSandbox } from './portal-secrets.ts';
import type { Attack, Operation, Target } from './requests.ts';
import { type Scanner, type Sought, scanFolder, scannerFor } from './scanner.ts';

/** Addresses that are no operations of the API and stand in no document. */
const PAGES: readonly Operation[] = [
  '/',
  '/portal',
  '/docs',
  '/openapi.json',
  '/metrics',
  '/errordetail/{code}',
  '/assets/page.css',
].map((path) => ({
  method: 'GET',
  path,
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path' })),
  contentType: undefined,
  members: [],
}));
/** Connections at once: enough to keep the service busy. */
const LANES = 8;

// Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
const folder = mkdtempSync('/tmp/kontor-leak-');
const dataDir = join(folder, 'data');
const LOG = join(dataDir, 'postgres/data/pg_wal');
const importFile = join(folder, 'tokens.ndjson');
const environment: Environment = { KONTOR_DATA_DIR: dataDir, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'trace' };
const bait = makeBait();

/** What the service let out, apart from its data directory. */
const said = {
  output: [] as Buffer[],
  answers: [] as { attack: Attack; answer: Buffer }[],
  commands: [] as string[],
  ofAccounts: [] as string[],
  ofPages: [] as readonly string[],
  ofDisguises: undefined as DisguisesSent | undefined,
  ofGiftCards: [] as { attack: Attack; answer: Buffer }[],
};
let secrets: Sought[] = [];
/** The file of the write-ahead log in which all that follows begins. */
let firstOfLog: string | undefined;
/** Of a gift card, which answers show on purpose. */
let ofGiftCard: readonly Sought[] = [];

beforeAll(async () => {
  chmodSync(folder, 0o711);
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: CHECKOUT });
  await makeSandbox();
  const service = await startService(environment);
  try {
    await runCommands();
    await attack(service);
  } finally {
    await service.stop();
    said.output.push(service.output());
  }
}, 300_000);

afterAll(async () => {
  await killServer(dataDir);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

/** The first start shows an access token once, on purpose. Afterwards the write-ahead log is kept from its beginning. */
async function makeSandbox(): Promise<void> {
  const { stop } = await startService(environment);
  await stop();
  firstOfLog = readdirSync(LOG)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .sort()[0];
  appendFileSync(join(dataDir, 'postgres/data/postgresql.auto.conf'), "wal_keep_size = '4GB'\n");
  const { accessToken, oauth, hmac } = sandbox();
  secrets = [
    { name: "the sandbox's access token", value: accessToken, kind: 'secret' },
    { name: "the sandbox's client secret", value: oauth.clientSecret, kind: 'secret' },
    { name: "the sandbox's HMAC secret", value: hmac.secret, kind: 'secret' },
  ];
}

function sandbox() {
  return JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as {
    readonly payeeId: string;
    readonly accessToken: string;
    readonly oauth: { readonly clientId: string; readonly clientSecret: string };
    readonly hmac: { readonly user: string; readonly secret: string };
    readonly accounts: readonly Payable[];
    readonly portal: PortalUserOfSandbox;
  };
}

function linesOfImport(): readonly string[] {
  return [...goodLines(bait).map((line) => JSON.stringify(line)), ...badLines(bait), ...disguisedLines(bait)];
}

async function runCommands(): Promise<void> {
  writeFileSync(importFile, `${linesOfImport().join('\n')}\n`);
  const number = (place: string) => bait.number(`command line: ${place}`);
  const ranges = join(folder, 'ranges.csv');
  writeFileSync(ranges, `prefix,brand,cardType,holderType,issuerName,countryCode\n${number('range')},Visa,,,,\n`);
  const scoped = ['--scopes', 'tokens:read', '--payee', sandbox().payeeId];
  for (const args of [
    ['tokens', 'import', importFile, '--payee', number('payee')],
    ['tokens', 'import', importFile, '--json'],
    ['card-ranges', 'load', ranges],
    ['payees', 'create', '--name', number('name of a payee')],
    ['payees', 'list'],
    ['access-tokens', 'create', '--name', number('name of a token'), ...scoped],
    ['access-tokens', 'revoke', number('id of a token'), '--payee', sandbox().payeeId],
    ['access-tokens', 'list', '--payee', sandbox().payeeId],
    ['hmac-keys', 'revoke', number('id of a key'), '--payee', sandbox().payeeId],
    ['doctor'],
  ]) {
    said.commands.push(await runCommand(environment, args));
  }
  await collectSecret(['access-tokens', 'create', ...scoped, '--json'], 'accessToken');
  await collectSecret(['oauth-clients', 'create', ...scoped, '--json'], 'clientSecret');
  await collectSecret(['hmac-keys', 'create', '--payee', sandbox().payeeId, '--json'], 'secret');
}

/** What these commands print is shown once, on purpose; nowhere else. */
async function collectSecret(args: readonly string[], member: string): Promise<void> {
  const printed = JSON.parse(await runCommand(environment, args)) as Record<string, string>;
  secrets.push({ name: args.slice(0, 2).join(' '), value: printed[member] ?? 'none', kind: 'secret' });
}

async function attack(service: ServiceProcess): Promise<void> {
  const target = targetOf(service);
  const document = await fetch(`${service.baseUrl}/openapi.json`).then((answer) => answer.text());
  const values = secrets.map(({ value }) => value);
  const attacks = [
    ...misplacedSecrets(values, target),
    ...framingAttacks(target, bait),
    ...attacksOn([...operationsOf(JSON.parse(document)), ...PAGES], target, bait),
    ...[
      '/metrics',
      '/openapi.json',
      '/docs',
      '/health/ready',
      `/online/payer/payees/${target.params['payeeId']}/payers/doris/tokens`,
    ].map((path) => ({ name: path, bytes: getOf(path, target) })),
  ];
  const waiting = attacks[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const attack of waiting) said.answers.push({ attack, answer: await service.exchange(attack.bytes) });
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await attackAccounts(payable(), target, async (made) => {
    const answer = await service.exchange(made.bytes);
    said.answers.push({ attack: made, answer });
    said.ofAccounts.push(`${answer.subarray(9, 12)} ${made.name}`);
    return answer;
  });
  said.ofPages = await attackPages(target, bait, async (made) => {
    const answer = await service.exchange(made.bytes);
    said.answers.push({ attack: made, answer });
    return answer;
  });
  said.ofDisguises = await sendDisguises(service.baseUrl, target, bait);
  ofGiftCard = await attackGiftCards(target, async (made) => {
    const answer = await service.exchange(made.bytes);
    said.ofGiftCards.push({ attack: made, answer });
    return answer;
  });
  const { payeeId, portal } = sandbox();
  secrets.push(...(await attackPortal({ baseUrl: service.baseUrl, payeeId }, portal)));
}

function targetOf({ baseUrl }: ServiceProcess): Target {
  const { payeeId, accessToken, oauth, hmac } = sandbox();
  const [payment = '', recurrence = '', unscheduled = ''] = goodLines(bait).map(({ token }) => token);
  return {
    host: new URL(baseUrl).host,
    accessToken,
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    hmac,
    params: {
      payeeId,
      payerReference: 'anna',
      tokenId: `${payment}-Payment`,
      'paymentTokens/{token}': payment,
      'recurrenceTokens/{token}': recurrence,
      'unscheduledTokens/{token}': unscheduled,
    },
  };
}

function getOf(path: string, { host, accessToken }: Target): Buffer {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${accessToken}`, 'Connection: close'];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

const numbers = (): Sought[] => [
  ...bait.sought(),
  ...soughtInDisguise(bait),
  ...PAGE_SECRETS,
  { name: 'outside of the test ranges', value: outsideOfTestRanges(), kind: 'card number' },
];
/** Sealed in the vault, and shown only to who may read the token. */
const sealed = (): Sought[] => [
  { name: 'a bank account', value: ACCOUNT_ID, kind: 'secret' },
  { name: 'an e-mail address', value: EMAIL, kind: 'secret' },
  { name: 'a mobile number', value: MOBILE, kind: 'secret' },
];

let forAll: Scanner | undefined;

/** Of what may be nowhere but in answers that show it. To make one takes half a second: there are some hundred thousand forms. */
function scannerForAll(): Scanner {
  forAll ??= scannerFor([...numbers(), ...sealed(), ...secrets, ...accountSecrets(payable()), ...ofGiftCard]);
  return forAll;
}

/** Members that lines of the import were refused for. */
function refusedMembers(): string[] {
  const lines = readFileSync(`${importFile}.rejected`, 'utf8').trim().split('\n');
  return [...new Set(lines.map((line) => String((JSON.parse(line) as { member?: string }).member)))];
}

/** The account that secrets are sent about. */
function payable(): Payable {
  const [account] = sandbox().accounts;
  if (account === undefined) throw new Error('The sandbox has an account.');
  return account;
}

describe('after card numbers and secrets were sent everywhere', () => {
  test('the attack has reached what it was meant for', () => {
    const [, summary = ''] = said.commands;
    const good = goodLines(bait).length;
    // Two of those with a number where none should be have it where no check looks: in a member that a card, or an invoice,
    // does not have. It is ignored, and nothing of it is kept. The others like them are then known.
    // Behind the summary stands what to do with the refused lines.
    expect(JSON.parse(summary.split('\n')[0] ?? '')).toMatchObject({ imported: good + 2 });
    // What an invoice keeps is sealed. A card number in its zip code or e-mail address is refused all the same, as in every
    // text: one must not be found under the seal.
    expect(refusedMembers()).toEqual(expect.arrayContaining(['zipCode', 'email', 'instrumentParameters']));
    expect(said.ofDisguises?.places).toBeGreaterThan(250);
    expect(Object.keys(said.ofDisguises?.statuses ?? {})).not.toContain('500');
    const statuses = new Set(said.answers.map(({ answer }) => answer.subarray(9, 12).toString()));
    expect([...statuses]).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '405', '406', '413', '415', '431']),
    );
    expect(statuses).not.toContain('500');
    const paid = said.ofAccounts.filter((line) => /good: |in the query: /.test(line));
    expect(paid.filter((line) => line.startsWith('200'))).toEqual(paid);
    expect(paid).toHaveLength(12);
    expect(said.ofPages.filter((line) => line.endsWith(' 303'))).toEqual(
      expect.arrayContaining(['paid: 303', 'stored: 303', '3-D Secure: 303', 'challenge: 303']),
    );
    expect(said.ofPages.filter((line) => line.endsWith(' 422')).length).toBeGreaterThan(6);
    expect(readdirSync(LOG)).toContain(firstOfLog);
    expect(Buffer.concat(said.output).toString()).toMatch(/"level":"(debug|trace|info)"/);
  });

  test('no card number and no secret is in an answer', () => {
    const scanner = scannerFor([
      ...numbers().filter(({ name }) => name !== ACCOUNT_LIKE_CARD),
      ...secrets,
      ...accountSecrets(payable()),
    ]);
    const found = said.answers.flatMap(({ attack, answer }) =>
      scanner.scan(answer).map((what) => `${attack.name}: ${what}`),
    );
    expect(found).toEqual([]);
    const ofDisguises = said.ofDisguises?.answers.flatMap(({ name, answer }) =>
      scanner.scan(answer).map((what) => `${name}: ${what}`),
    );
    expect(ofDisguises).toEqual([]);
  });

  test('of a gift card, number and code are in the two answers that show it, and in no other', () => {
    const [number] = ofGiftCard;
    if (number === undefined) throw new Error('A gift card was issued.');
    const scanner = scannerFor([number]);
    const shown = said.ofGiftCards.filter(({ answer }) => scanner.scan(answer).length > 0);
    expect(shown.map(({ attack }) => attack.name)).toEqual(
      Array(2).fill('gift card: /api/payments/gift-card/get-new-gift-card'),
    );
    const statuses = said.ofGiftCards.map(({ answer }) => answer.subarray(9, 12).toString());
    expect([...new Set(statuses)].sort()).toEqual(['200', '400', '404']);
  });

  test('none is in what the service and the commands print', () => {
    const scanner = scannerForAll();
    expect(scanner.scan(Buffer.concat(said.output))).toEqual([]);
    expect(said.commands.flatMap((printed) => scanner.scan(Buffer.from(printed)))).toEqual([]);
  });

  test('none is in the file of refused lines', () => {
    const scanner = scannerForAll();
    const rejected = readFileSync(`${importFile}.rejected`);
    expect(rejected.length).toBeGreaterThan(100);
    expect(scanner.scan(rejected)).toEqual([]);
  });

  test('none is in the data directory: tables, write-ahead log, logs', () => {
    const scanner = scannerForAll();
    const isMeantToHoldSecrets = (path: string) => path === 'sandbox.json';
    expect(scanFolder(dataDir, scanner, isMeantToHoldSecrets)).toEqual([]);
    expect(scannerFor(numbers()).scan(readFileSync(join(dataDir, 'sandbox.json')))).toEqual([]);
    // Hundreds of megabytes, on a machine that may have much else to do.
  }, 120_000);
});

// In `npm run test:fuzz` alone: the scanner's tests find each form in bytes, and to read all of this again takes as long as half of the rest.
test.runIf(SENDS_ALL)(
  'what is planted is found in the tables and in the write-ahead log, in every form',
  async () => {
    const planted = testCardNumber(6);
    const forms = formsOfCardNumber(planted);
    const postgres = await startEmbedded({ dataDir, as: 'command', log: () => undefined });
    try {
      const admin = await connect(postgres.adminUrl);
      await admin.command('create table planted (bytes bytea)');
      // Twice: one may lie across two pages of the write-ahead log, with a header in its middle.
      await admin.command('begin');
      for (const { bytes } of [...forms, ...forms]) {
        await admin.command(`insert into planted values ('\\x${bytes.toString('hex')}')`);
      }
      await admin.command('commit');
      await admin.command('checkpoint');
      await admin.end();
    } finally {
      await postgres.stop();
    }
    const found = scanFolder(dataDir, scannerFor([{ name: 'planted', value: planted, kind: 'card number' }]));
    for (const { name } of forms) {
      for (const place of ['pg_wal', 'base']) {
        const finding = expect.stringMatching(new RegExp(`^postgres/data/${place}/.*\\(planted\\) as ${name}$`));
        expect(found, `${name} in ${place}`).toContainEqual(finding);
      }
    }
  },
  60_000,
);
