import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import { ensureMode } from '../src/db/server/installation.ts';
import { Trouble } from '../src/kit/work/trouble.ts';
import { examine } from '../src/wiring/commands/doctor.ts';
import { serve } from '../src/wiring/serve.ts';
import { type TestDatabase, testDatabase } from './support/database/database.ts';
import { freePort } from './support/ports.ts';

// Settings, files and ports that are not as they should be: `serve` and `doctor` each name the cause and what to do, without a stack.
// What is about the database is in `surroundings.test.ts`.

type Environment = Readonly<Record<string, string>>;

let folder: string;
let database: TestDatabase;
let ring: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-surroundings-'));
  database = await testDatabase();
  ring = join(folder, 'ring.json');
  // The first start, which makes the key ring.
  await (await serve(readConfig(settings()), () => undefined)).stop();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function settings(environment: Environment = {}): Environment {
  return {
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATA_DIR: folder,
    KONTOR_KEY_FILE: ring,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    ...environment,
  };
}

/** What an operator reads: of what stops in words, and else nothing is amiss. */
async function wordsOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    // Anything else is printed with its stack.
    expect(error, (error as Error).stack).toBeInstanceOf(Trouble);
    return (error as Error).message;
  }
}

const served = (environment: Environment) =>
  wordsOf(async () => {
    await (await serve(readConfig(settings(environment)), () => undefined)).stop();
    return 'It starts.';
  });

const examined = (environment: Environment) =>
  wordsOf(async () => {
    const findings = await examine(readConfig(settings(environment)), true);
    return findings.flatMap(({ level, text }) => (level === 'problem' ? text : [])).join('\n') || 'All is right.';
  });

async function expectBoth(environment: Environment, words: RegExp): Promise<void> {
  for (const told of [await served(environment), await examined(environment)]) {
    expect(told).toMatch(words);
    expect(told).not.toMatch(/^ {4}at |geheim/m);
  }
}

test('the surroundings of these tests are right', async () => {
  expect(await served({})).toBe('It starts.');
  expect(await examined({})).toBe('All is right.');
});

test.each<readonly [cause: string, environment: Environment, words: RegExp]>([
  [
    'an unknown setting',
    { KONTOR_DATABSE_URL: 'x' },
    /^KONTOR_DATABSE_URL is not a setting of Kontor\. The settings are/,
  ],
  ['a mode that is none', { KONTOR_MODE: 'prod' }, /^KONTOR_MODE must be one of sandbox, production/],
  ['no mode beside a database', { KONTOR_MODE: '' }, /^KONTOR_MODE is missing.* Set it to production, or to sandbox/],
  ['a port that is none', { KONTOR_PORT: 'http' }, /^KONTOR_PORT must be a whole number from 0 to 65535/],
  [
    'a public address without a scheme',
    { KONTOR_PUBLIC_URL: 'pay.example.com' },
    /^KONTOR_PUBLIC_URL must be an http or https/,
  ],
  [
    'half of a certificate',
    { KONTOR_TLS_CERT: 'cert.pem' },
    /^KONTOR_TLS_CERT and KONTOR_TLS_KEY go together: set both/,
  ],
  [
    'a proxy by its name',
    { KONTOR_TRUSTED_PROXIES: 'proxy.local' },
    /^KONTOR_TRUSTED_PROXIES must be addresses and networks/,
  ],
  [
    'clear text to the network',
    { KONTOR_HOST: '0.0.0.0' },
    /does not speak clear text to the network\. Set KONTOR_TLS_CERT/,
  ],
  [
    'no key ring named',
    { KONTOR_KEY_FILE: '' },
    /^KONTOR_KEY_FILE is required in production: the path of the key ring/,
  ],
  ['a log level that is none', { KONTOR_LOG_LEVEL: 'verbose' }, /^KONTOR_LOG_LEVEL must be one of fatal, error/],
  [
    'a sign in a password that ends it',
    { KONTOR_DATABASE_URL: 'postgres://kontor_app:geheim#1@db.example.com/kontor' },
    /^KONTOR_DATABASE_URL /,
  ],
  [
    'a certificate that is not there',
    { KONTOR_TLS_CERT: '/none.pem', KONTOR_TLS_KEY: '/none.pem' },
    /none\.pem cannot be read \(ENOENT\)/,
  ],
])('%s', (_cause, environment, words) => expectBoth(environment, words));

describe('a key ring', () => {
  /** A ring of its own for one test. */
  async function another(name: string): Promise<string> {
    const path = join(folder, name);
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    await copyFile(ring, path);
    await chmod(path, 0o600);
    return path;
  }

  test('that is missing', async () => {
    await expectBoth(
      { KONTOR_KEY_FILE: join(folder, 'nowhere.json') },
      /looked for in: .*nowhere\.json \(there is nothing there\)\n.* {2}wanted, and missing: card-data-1.*kontor keys import FILE/s,
    );
  });

  test('of another database', async () => {
    const path = await another('other.json');
    const keys = JSON.parse(await readFile(path, 'utf8'));
    for (const key of keys.keys) key.material = Buffer.alloc(32, 7).toString('base64');
    await writeFile(path, JSON.stringify(keys));
    await expectBoth(
      { KONTOR_KEY_FILE: path },
      /the ring has another key of that name: card-data-1.*Put the ring back/s,
    );
  });

  test('that ends in the middle', async () => {
    const path = await another('short.json');
    await writeFile(path, (await readFile(ring, 'utf8')).slice(0, 100));
    await expectBoth({ KONTOR_KEY_FILE: path }, /short\.json/);
  });

  test('that others may read', async () => {
    const path = await another('open.json');
    await chmod(path, 0o644);
    await expectBoth({ KONTOR_KEY_FILE: path }, /^Others than its owner may use the key ring .* Run: chmod 0400/);
  });

  test('that is a folder', async () => {
    const path = join(folder, 'folder.json');
    await mkdir(path);
    await expectBoth({ KONTOR_KEY_FILE: path }, /folder\.json is a folder.*KONTOR_KEY_FILE/);
  });
});

test('a data directory below a file', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const environment = { KONTOR_MODE: 'sandbox', KONTOR_DATABASE_URL: 'embedded', KONTOR_DATA_DIR: join(file, 'data') };
  expect(await served(environment)).toMatch(
    /cannot be made or written\. Set KONTOR_DATA_DIR to a directory of your own/,
  );
  expect(await examined(environment)).toMatch(/^There is no database in .* Load the settings with kontor --env FILE/);
});

test('a database that was migrated, and never served, which doctor says', async () => {
  const fresh = await testDatabase();
  onTestFinished(() => fresh.drop());
  const environment = { KONTOR_DATABASE_URL: fresh.appUrl, KONTOR_KEY_FILE: join(folder, 'fresh.json') };
  expect(await examined(environment)).toMatch(
    /^There is nothing in this database yet: no service was ever started on it\. .* or start kontor serve once/,
  );
});

test('a port that another program has', async () => {
  const port = await freePort();
  const taker = createServer();
  await new Promise<void>((resolve) => taker.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void taker.close());
  expect(await served({ KONTOR_PORT: String(port) })).toMatch(/KONTOR_PORT/);
});

test('a database of a sandbox', async () => {
  const sandbox = await testDatabase();
  onTestFinished(() => sandbox.drop());
  await sandbox.transact((transaction) => ensureMode(transaction, 'sandbox'));
  await expectBoth(
    { KONTOR_DATABASE_URL: sandbox.appUrl },
    /^This is the database of a sandbox, and KONTOR_MODE is production\. Nothing was changed\. Name another database/,
  );
});

test('a database that gives the role too few connections, which doctor says', async () => {
  const small = await testDatabase();
  onTestFinished(() => small.drop());
  const environment = { KONTOR_DATABASE_URL: small.appUrl, KONTOR_KEY_FILE: join(folder, 'small.json') };
  expect(await served(environment)).toBe('It starts.');
  await small.asAdmin(`alter database ${small.name} connection limit 15`);
  expect(await examined(environment)).toMatch(/opens up to \d+ connections, .* 15\. Raise max_connections/);
});

describe('a database that takes no changes, or two connections', () => {
  test.each<readonly [cause: string, sql: (name: string) => string, words: RegExp]>([
    [
      'default_transaction_read_only is on',
      (name) => `alter database ${name} set default_transaction_read_only = on`,
      /^The database takes no changes: default_transaction_read_only is on .*\(25006/,
    ],
    [
      'the limit of its connections is 2',
      (name) => `alter database ${name} connection limit 2`,
      /^PostgreSQL has no connection left\. Raise max_connections .*53300/,
    ],
  ])('since %s', async (_cause, sql, words) => {
    const made = await testDatabase();
    onTestFinished(() => made.drop());
    const environment = { KONTOR_DATABASE_URL: made.appUrl, KONTOR_KEY_FILE: join(folder, `${made.name}.json`) };
    expect(await served(environment)).toBe('It starts.');
    await made.asAdmin(sql(made.name));
    expect(await served(environment)).toMatch(words);
  });
});

test.each([
  [60, 'behind'],
  [-60, 'ahead of'],
])('a clock that is %i seconds from the database, which doctor says', async (seconds, words) => {
  vi.spyOn(Date, 'now').mockImplementation(
    () => Math.round(performance.timeOrigin + performance.now()) + 1000 * seconds,
  );
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await examined({})).toMatch(
    new RegExp(`^The clock of the database is \\d+ seconds ${words} that of this machine`),
  );
});

test('a file of acquirers that is no JSON', async () => {
  const path = join(folder, 'acquirers-broken.json');
  await writeFile(path, '{"acquirers": [');
  await chmod(path, 0o600);
  await expectBoth({ KONTOR_ACQUIRERS_FILE: path }, /acquirers-broken\.json/);
});
