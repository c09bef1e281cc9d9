import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../sandbox/postgres/embedded.ts';
import { connect } from '../../src/db/server/connection.ts';
import { groupBy } from '../../src/kit/group-by.ts';
import { queryEmbedded } from '../support/crash/crash.ts';
import { CHECKOUT, killServer } from '../support/database/embedded.ts';
import { testCardNumber } from '../support/numbers.ts';
import { faultsOf } from '../support/prober/answers.ts';
import { inLanes } from '../support/prober/bytes.ts';
import { formsOfCardNumber } from '../support/prober/forms.ts';
import { operationAt, readApi } from '../support/prober/operations.ts';
import { REFUSALS_ARE_NOTED, writtenByRefused } from '../support/prober/refusals.ts';
import { type Scanner, type Sought, scanFolder, scannerFor } from '../support/prober/scanner.ts';
import { readAnswers } from '../support/prober/sockets.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { type Environment, runCommand, type ServiceProcess, startService } from '../support/service-process.ts';
import { accountSecrets, attackAccounts } from './account-secrets.ts';
import { type Attacked, attacksOn, SENDS_ALL } from './attacks.ts';
import { makeBait } from './bait.ts';
import { disguiseAttacks, soughtInDisguise } from './disguise-attacks.ts';
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
import { attackPages, PAGE_SECRETS } from './page-attacks.ts';
import { attackPortal } from './portal-secrets.ts';
import { type Attack, attackBy, type Target } from './requests.ts';

/** Addresses that are no operations of the API and stand in no document. */
const PAGES: readonly Attacked[] = [
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
  params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  query: {},
  body: undefined,
}));

// Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
const folder = mkdtempSync('/tmp/kontor-leak-');
const dataDir = join(folder, 'data');
const LOG = join(dataDir, 'postgres/data/pg_wal');
const importFile = join(folder, 'tokens.ndjson');
const environment: Environment = { KONTOR_DATA_DIR: dataDir, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'trace' };
const bait = makeBait();

/** What the service let out, apart from its data directory. */
const said = {
  written: [] as string[],
  again: 0,
  output: [] as Buffer[],
  answers: [] as { attack: Attack; answer: Buffer }[],
  commands: [] as string[],
  ofAccounts: [] as string[],
  ofPages: [] as readonly string[],
  ofDisguises: 0,
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

const sandbox = () => readSandbox(dataDir);

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
  const values = secrets.map(({ value }) => value);
  const disguises = disguiseAttacks(target, bait);
  said.ofDisguises = disguises.length;
  const attacks = [
    ...misplacedSecrets(values, target),
    ...framingAttacks(target, bait),
    ...attacksOn([...readApi(), ...PAGES], target, bait),
    ...[
      '/metrics',
      '/openapi.json',
      '/docs',
      '/health/ready',
      `/online/payer/payees/${target.params['payeeId']}/payers/doris/tokens`,
    ].map((path) => attackBy(path, { method: 'GET', path }, target)),
  ];
  const sendTo = (answers: typeof said.answers) => async (attack: Attack) => {
    const answer = await service.exchange(attack.bytes());
    answers.push({ attack, answer });
    return answer;
  };
  const send = sendTo(said.answers);
  await inLanes(attacks, send);
  await attackAccounts(sandbox().accounts[0], target, async (attack) => {
    const answer = await send(attack);
    said.ofAccounts.push(`${answer.subarray(9, 12)} ${attack.name}`);
    return answer;
  });
  said.ofPages = await attackPages(target, bait, send);
  await inLanes(disguises, send);
  await lookAtRefused(service);
  ofGiftCard = await attackGiftCards(target, sendTo(said.ofGiftCards));
  const { payeeId, portal } = sandbox();
  secrets.push(...(await attackPortal({ baseUrl: service.baseUrl, payeeId }, portal)));
}

/** Refusals that are sent again, of those with one status from one operation: most of them are alike. */
const REFUSED_AGAIN = SENDS_ALL ? 12 : 2;

/** Sends some of what was refused again: no table may have it. */
async function lookAtRefused(service: ServiceProcess): Promise<void> {
  const changing = said.answers.flatMap(({ attack, answer }) => {
    const { method = 'GET', path = '' } = attack.request ?? {};
    const { id } = operationAt(method, path) ?? { id: undefined };
    if (!refuses(answer) || method === 'GET' || id === undefined || REFUSALS_ARE_NOTED.includes(id)) return [];
    return [{ attack, kind: `${id} ${answer.subarray(9, 12)}` }];
  });
  const again = [...groupBy(changing, ({ kind }) => kind).values()].flatMap((alike) =>
    alike.slice(-REFUSED_AGAIN).map(({ attack }) => attack),
  );
  const refusedOf = async (attacks: readonly Attack[]) => {
    const refused: Attack[] = [];
    await inLanes(attacks, async (attack) => {
      if (refuses(await service.exchange(attack.bytes()))) refused.push(attack);
    });
    return refused;
  };
  const database = { asAdmin: (sql: string) => queryEmbedded(dataDir, sql) };
  const written = await writtenByRefused({ database, refusedOf }, again);
  said.written = written.map(({ table, request }) => `${request.name}: ${table}`);
  said.again = again.length;
}

const refuses = (answer: Buffer) => Number(answer.subarray(9, 12)) >= 400;

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
  forAll ??= scannerFor([
    ...numbers(),
    ...sealed(),
    ...secrets,
    ...accountSecrets(sandbox().accounts[0]),
    ...ofGiftCard,
  ]);
  return forAll;
}

/** Members that lines of the import were refused for. */
function refusedMembers(): string[] {
  const lines = readFileSync(`${importFile}.rejected`, 'utf8').trim().split('\n');
  return [...new Set(lines.map((line) => String((JSON.parse(line) as { member?: string }).member)))];
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
    expect(said.ofDisguises).toBeGreaterThan(500);
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

  test('each answer is one that the documents describe, and what is refused has written nothing', () => {
    const judged = said.answers.flatMap(({ attack: { name, request }, answer }) => {
      const operation = request && operationAt(request.method, request.path);
      const read = readAnswers(answer.toString('latin1'), { isOver: true }).find(({ status }) => status >= 200);
      if (request === undefined || operation === undefined || read === undefined) return [];
      return [{ name, faults: faultsOf({ method: request.method, judged: operation }, read) }];
    });
    expect(judged.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(judged.length).toBeGreaterThan(2_000);
    expect(said.again).toBeGreaterThan(150);
    expect(said.written).toEqual([]);
  });

  test('no card number and no secret is in an answer', () => {
    const scanner = scannerFor([
      ...numbers().filter(({ name }) => name !== ACCOUNT_LIKE_CARD),
      ...secrets,
      ...accountSecrets(sandbox().accounts[0]),
    ]);
    const found = said.answers.flatMap(({ attack, answer }) =>
      scanner.scan(answer).map((what) => `${attack.name}: ${what}`),
    );
    expect(found).toEqual([]);
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
