import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/schema/migrate.ts';
import { ensureMode, readMode } from '../../src/db/server/installation.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { databaseBefore } from '../support/database/older-database.ts';
import { type Installation, install } from '../support/kontor.ts';

// A database says what it is for, and settings can be lost: a second shell, a cron job, a forgotten line.

const PRODUCTION = 'This is a production database, and KONTOR_MODE is sandbox, or is missing.';
const SANDBOX = 'This is the database of a sandbox, and KONTOR_MODE is production.';

let installation: Installation;
let database: TestDatabase;
beforeAll(async () => {
  installation = install();
  database = await testDatabase();
  await database.transact((transaction) => ensureMode(transaction, 'production'));
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

describe('a production database whose mode is lost', () => {
  const lost = () => ({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
  });
  const rows = () =>
    database.asAdmin(`
      select (select count(*) from payee) as payees, (select count(*) from portal_user) as users,
        (select count(*) from card_range) as ranges, (select count(*) from key_check) as keys`);

  test.each([['serve'], ['migrate'], ['sandbox'], ['payees', 'create', '--name', 'Shop']])(
    'is not used by kontor %s, and has nothing new in it',
    async (...words) => {
      const before = await rows();
      const run = words[0] === 'serve' ? installation.refusedStart(lost()) : installation.kontor(words, lost());
      const { status, stderr } = await run;
      expect(stderr).toContain(PRODUCTION);
      expect(stderr).not.toMatch(/^ {4}at /m);
      expect(status).toBe(1);
      expect(await rows()).toEqual(before);
    },
  );

  test('is not used without a mode either', async () => {
    for (const words of [['serve'], ['migrate'], ['doctor']]) {
      const settings = { ...lost(), KONTOR_MODE: '' };
      const run = words[0] === 'serve' ? installation.refusedStart(settings) : installation.kontor(words, settings);
      const { status, stderr } = await run;
      expect(stderr).toMatch(/^kontor: KONTOR_MODE is missing, and KONTOR_DATABASE_URL names a database\. Set it/);
      expect(status).toBe(1);
    }
  });

  test('cannot be told to be something else', async () => {
    const change = `update installation set mode = 'sandbox'`;
    await expect(database.asAdmin(change)).rejects.toThrow('stay as they are');
    await expect(database.transact((transaction) => ensureMode(transaction, 'sandbox'))).rejects.toThrow(PRODUCTION);
  });
});

test('an embedded production database whose mode is lost is not deleted by a reset, and neither are its keys', async () => {
  const dataDir = join(installation.folder, 'data');
  const production = {
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: 'embedded',
    KONTOR_KEY_FILE: join(dataDir, 'keys.json'),
  };
  onTestFinished(() => rm(dataDir, { recursive: true }));
  expect(await installation.kontor(['migrate'], production)).toMatchObject({ status: 0 });
  writeFileSync(production.KONTOR_KEY_FILE, 'a key ring');
  const reset = await installation.kontor(['sandbox', '--reset'], { KONTOR_DATABASE_URL: 'embedded' });
  expect(reset).toMatchObject({ status: 1, stderr: expect.stringContaining(PRODUCTION) });
  expect(existsSync(production.KONTOR_KEY_FILE)).toBe(true);
  const { stdout } = await installation.kontor(['migrate'], production);
  expect(stdout).toBe('The database is of this version already.\n');
});

describe('a database of a version that did not write it down', () => {
  /** The migration with which a database says what it is for. */
  const INSTALLATION = 73;
  const OLDEST_SHOP = `
    insert into payee (payee_id, name) values ('11111111-1111-4111-8111-111111111111', 'The oldest shop')`;
  const TOKEN_OF_SERVICE = `
    insert into access_token (payee_id, access_token_id, secret_hash, name, scopes, created_by, expires_at)
    values ('11111111-1111-4111-8111-111111111111', gen_random_uuid(), sha256('x'), 'Sandbox', '{accounts}', 'service', kontor_now() + interval '1 day')`;

  test.each([
    ['sandbox', 'the service made the credentials of its oldest payee', TOKEN_OF_SERVICE],
    ['production', 'people made them', TOKEN_OF_SERVICE.replace(`'service'`, `'operator:cli'`)],
    [
      'production',
      'a sandbox was started on it once, later',
      `${TOKEN_OF_SERVICE.replaceAll('11111111-1', '22222222-1')};`.replace(
        'insert into',
        `insert into payee (payee_id, name, created_at)
         values ('22222222-1111-4111-8111-111111111111', 'Demo shop', kontor_now() + interval '1 day');
         insert into`,
      ),
    ],
  ])('is for %s where %s', async (mode, _why, sql) => {
    const older = await databaseBefore(INSTALLATION);
    await older.asAdmin(`${OLDEST_SHOP}; ${sql}`);
    expect(await readMode(older.read)).toBe(mode);
    await migrate(older);
    expect(await older.asAdmin('select mode from installation')).toEqual([{ mode }]);
  });

  test('is for what its first start says where it has no payees', async () => {
    const older = await databaseBefore(INSTALLATION);
    expect(await readMode(older.read)).toBeUndefined();
    await migrate(older);
    await older.transact((transaction) => ensureMode(transaction, 'sandbox'));
    expect(await readMode(older.read)).toBe('sandbox');
  });
});

test('a key ring beside no database is not deleted by a reset', async () => {
  const dataDir = join(installation.folder, 'data');
  onTestFinished(() => rm(dataDir, { recursive: true }));
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'keys.json'), 'a key ring');
  const { status, stderr } = await installation.kontor(['sandbox', '--reset']);
  expect(stderr).toMatch(
    /^kontor: There is no sandbox in .*keys\.json may belong to another database\. Nothing was deleted\./,
  );
  expect(status).toBe(1);
  expect(existsSync(join(dataDir, 'keys.json'))).toBe(true);
});

test('production refuses the database of a sandbox', async () => {
  const sandbox = await testDatabase();
  onTestFinished(() => sandbox.drop());
  await sandbox.transact((transaction) => ensureMode(transaction, 'sandbox'));
  const settings = {
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: sandbox.appUrl,
    KONTOR_KEY_FILE: join(installation.folder, 'ring.json'),
  };
  expect((await installation.refusedStart(settings)).stderr).toContain(SANDBOX);
  expect(existsSync(settings.KONTOR_KEY_FILE)).toBe(false);
});
