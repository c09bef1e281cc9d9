import { chownSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../support/database/database.ts';
import { type Installation, install } from '../support/kontor.ts';
import { type TestService, testService } from '../support/service.ts';
import { settingsOf } from '../support/shop/tokens-command.ts';

// A second shell, cron and sudo have not the settings of the service. A command that made an empty sandbox then would find
// everything right in it.

let installation: Installation;
beforeAll(() => {
  installation = install();
});
afterAll(() => installation.remove());

const COMMANDS: readonly (readonly string[])[] = [
  ['doctor'],
  ['ledger', 'verify'],
  ['keys', 'export', '--out', 'copy.json'],
  ['keys', 'list'],
  ['payees', 'create', '--name', 'Shop'],
  ['migrate'],
];
const PASSPHRASE = { KONTOR_PASSPHRASE: 'correct horse battery staple' };

describe('where nothing was ever started', () => {
  test.each(COMMANDS)('kontor %s %s says so, and makes nothing', async (...words) => {
    const before = readdirSync(installation.folder);
    const { status, stderr } = await installation.kontor(
      words.filter((word) => word !== undefined),
      PASSPHRASE,
    );
    expect(stderr).toMatch(/^kontor: There is no database in .*\/data\. Load the settings with kontor --env FILE/);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
    expect(readdirSync(installation.folder)).toEqual(before);
  });
});

test('a database without tables gets none from a command', async () => {
  const empty = await testDatabase({ of: 'empty' });
  onTestFinished(() => empty.drop());
  const settings = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: empty.appUrl,
    KONTOR_DATABASE_OWNER_URL: empty.ownerUrl,
  };
  for (const words of COMMANDS.slice(0, -1)) {
    const { status, stderr } = await installation.kontor(words, { ...settings, ...PASSPHRASE });
    expect(stderr).toMatch(/^kontor: The database lacks \d+ migrations of this version/);
    expect(status).toBe(1);
  }
  expect(await empty.asAdmin(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
  expect(readdirSync(installation.folder)).not.toContain('data');
});

describe('a file of settings', () => {
  let service: TestService;
  let file: string;
  beforeAll(async () => {
    service = await testService();
    file = join(installation.folder, 'kontor.env');
    const lines = Object.entries({ ...settingsOf(service), TZ: 'Mars/Olympus' }).map(
      ([name, value]) => `${name}="${value}"`,
    );
    writeFileSync(file, `# Of the service\n${lines.join('\n')}\n`);
  });
  afterAll(() => service.stop());

  test.each([
    ['--env before the command', (path: string) => [['--env', path, 'payees', 'list', '--json'], {}]],
    ['--env=FILE', (path: string) => [[`--env=${path}`, 'payees', 'list', '--json'], {}]],
    ['--env behind the command', (path: string) => [['payees', 'list', '--json', '--env', path], {}]],
    ['KONTOR_ENV_FILE', (path: string) => [['payees', 'list', '--json'], { KONTOR_ENV_FILE: path }]],
  ] as const)('is taken: %s', async (_how, call) => {
    const [words, environment] = call(file);
    const { status, stdout, stderr } = await installation.kontor(
      words as string[],
      environment as Record<string, string>,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ payeeId: service.payeeId }]);
  });

  test('may repeat what the environment says, and not contradict it', async () => {
    const words = ['--env', file, 'payees', 'list', '--json'];
    const same = await installation.kontor(words, settingsOf(service));
    expect(same).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await installation.kontor(words, {
      KONTOR_DATABASE_URL: 'postgres://a:geheim@b/c',
    });
    expect(stderr).toMatch(
      /^kontor: KONTOR_DATABASE_URL differs between .*kontor\.env and the environment\. Take it out of one/,
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).not.toContain('geheim');
  });

  test('is one', async () => {
    const { status, stderr } = await installation.kontor(['--env', file, '--env', 'other.env', 'payees', 'list']);
    expect(stderr).toMatch(/option '--env <file>'.* It may be given once\./);
    expect(status).toBe(1);
  });

  test('that is not there is named', async () => {
    const { status, stderr } = await installation.kontor(['--env', 'none.env', 'doctor']);
    expect(stderr).toBe('kontor: The file of settings none.env cannot be read (ENOENT).\n');
    expect(status).toBe(1);
  });

  test('that has no name is refused: a variable of the shell was empty', async () => {
    const { status, stderr } = await installation.kontor(['--env', '', 'doctor']);
    expect(stderr).toBe('kontor: --env names no file: is a variable of your shell empty?\n');
    expect(status).toBe(1);
  });

  test.skipIf(process.getuid?.() !== 0)('leads doctor to the service of another user, which it says', async () => {
    const { dataDir, keyFile } = service.config;
    const doctor = async () => (await installation.kontor(['--env', file, 'doctor'])).stdout;
    const words = '! The data directory or the key ring belongs to the user 12345, and this is run by the user 0';
    expect(await doctor()).not.toContain('belongs to the user');
    chownSync(keyFile, 12345, 12345);
    expect(await doctor()).not.toContain('belongs to the user');
    chownSync(dataDir, 12345, 12345);
    onTestFinished(() => {
      for (const path of [dataDir, keyFile]) chownSync(path, 0, 0);
    });
    expect(await doctor()).toContain(words);
  });
});
