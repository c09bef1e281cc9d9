import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Installation, install } from '../support/kontor.ts';

let database: TestDatabase;
let installation: Installation;
let keyFile: string;
beforeAll(async () => {
  database = await testDatabase({ of: 'empty' });
  installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_KEY_FILE: 'ring.json',
  });
  keyFile = join(installation.folder, 'ring.json');
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

test('a production start waits for an operator to migrate', async () => {
  const refused = await installation.refusedStart();
  expect(refused.stderr).toMatch(/^kontor: The database lacks \d+ migrations of this version\. Run: kontor migrate\n$/);
  expect(refused.status).toBe(1);
  // Its log is all of the standard output, and says the same.
  expect(
    refused.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ level: 'fatal', time: expect.any(String), msg: refused.stderr.replace(/^kontor: |\n$/g, '') }]);
  const stranger = await installation.kontor(['migrate'], { KONTOR_DATABASE_OWNER_URL: '' });
  expect(stranger.stderr).toMatch(/^kontor: The role .* may not .* KONTOR_DATABASE_OWNER_URL/);
  expect(stranger.stderr).not.toMatch(/^ {4}at /m);
  const { stdout } = await installation.kontor(['migrate', '--json']);
  expect(JSON.parse(stdout).applied).toContain('000001-payees');
  expect(await installation.kontor(['migrate'])).toMatchObject({
    status: 0,
    stdout: 'The database is of this version already.\n',
  });
});

test('the key ring is made by the first start of the service, and by no command', async () => {
  for (const words of [
    ['payees', 'create', '--name', 'Shop'],
    ['--as', 'Anna', 'keys', 'export', '--out', 'copy.json'],
    ['doctor'],
  ]) {
    const { status, stderr } = await installation.kontor(words, { KONTOR_PASSPHRASE: 'correct horse battery staple' });
    expect(stderr).toContain('There is nothing in this database yet: no service was ever started on it.');
    expect(status).toBe(1);
  }
  expect(readdirSync(installation.folder)).not.toContain('copy.json');
  expect(existsSync(keyFile)).toBe(false);
  await installation.firstStart();
  expect(statSync(keyFile).mode & 0o777).toBe(0o400);
});

test('credentials are made by commands', async () => {
  const payee = JSON.parse((await installation.kontor(['payees', 'create', '--name', 'Shop', '--json'])).stdout);
  expect(payee).toEqual({ payeeId: expect.any(String) });
  const words = ['access-tokens', 'create', '--scopes', 'tokens:read', '--json'];
  const nameless = await installation.kontor(words);
  expect(nameless).toEqual({
    status: 1,
    stdout: '',
    stderr: 'kontor: Production writes down who does this. Say who you are: add --as NAME.\n',
  });
  const created = await installation.kontor([...words, '--as', 'Anna Berg'], { SUDO_USER: 'anna' });
  const { username } = userInfo();
  const said = `operator:cli:Anna Berg/anna/${username}@${hostname()}`;
  expect(
    await database.asAdmin(`
      select concat_ws(':', a.actor_kind, a.actor_id) as actor, t.created_by from audit a join access_token t on t.access_token_id::text = a.object_id
      where a.action = 'create-access-token'`),
  ).toEqual([{ actor: said, created_by: said }]);
  expect(JSON.parse(created.stdout)).toEqual({
    id: expect.any(String),
    accessToken: expect.stringMatching(/^kt_live_/),
  });
  const wrong = await installation.kontor(['--as=Anna', 'access-tokens', 'create', '--scopes', 'tokens:read,bogus']);
  expect(wrong.stderr).toMatch(/^kontor: scopes /);
  expect(wrong.status).toBe(1);
});

test('accounts are opened in production too, and the issuers are listed', async () => {
  const words = ['accounts', 'create', '--currency', 'NOK', '--balance', '5000', '--json'];
  expect((await installation.kontor(words)).stderr).toMatch(/add --as NAME/);
  const opened = await installation.kontor(['--as', 'Anna', ...words]);
  expect(JSON.parse(opened.stdout)).toMatchObject({ currency: 'NOK', balance: 5000, instrument: 'prepaid' });
  const listed = await installation.kontor(['accounts', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ available: 5000, issuer: 'ledger' }]);
  const issuers = await installation.kontor(['issuers', 'list', '--json']);
  expect(JSON.parse(issuers.stdout)).toMatchObject([{ issuerId: 'ledger', kind: 'Ledger' }]);
});

test('a sandbox is not to be had in production', async () => {
  const { status, stderr } = await installation.kontor(['sandbox']);
  expect(stderr).toBe('kontor: This is not a sandbox: KONTOR_MODE is production.\n');
  expect(status).toBe(1);
});

test('serve and doctor refuse a database that could lose what it confirmed', async () => {
  await database.asAdmin(`alter database ${database.name} set synchronous_commit = off`);
  const refused = await installation.refusedStart();
  expect(refused.stderr).toContain('synchronous_commit is off');
  expect(refused.status).toBe(1);
  const looked = await installation.kontor(['doctor']);
  expect(looked.stdout).toMatch(/^✗ .*not safe for production\.\n.*synchronous_commit is off: a crash loses/m);
  expect(looked.status).toBe(1);
  await database.asAdmin(`alter database ${database.name} reset synchronous_commit`);
});

test.each([
  ['a role that owns the tables', () => ({ KONTOR_DATABASE_URL: database.ownerUrl }), 'owns its tables'],
  ['a superuser', () => ({ KONTOR_DATABASE_URL: database.adminUrl }), 'is a superuser'],
])('serve, doctor and commands refuse %s', async (_, environment, complaint) => {
  const { refusedStart, kontor } = installation;
  for (const refused of [await refusedStart(environment()), await kontor(['payees', 'list'], environment())]) {
    expect(refused.stderr).toContain(complaint);
    expect(refused.status).toBe(1);
  }
  expect((await installation.kontor(['doctor'], environment())).stdout).toContain(complaint);
});

test('serve and doctor refuse credentials that a sandbox has left, and say how to end them', async () => {
  await database.asAdmin(`
    insert into hmac_key (payee_id, key_id, secret_sealed, sealed_with, created_by)
      select payee_id, 'left', 'x', 'secrets-1', 'service' from payee where name = 'Shop';
    insert into portal_user (payee_id, user_id, name, role, email_sealed, sealed_with, created_by)
      values ('00000000-0000-0000-0000-000000000000', '11111111-1111-4111-8111-111111111111', 'Sandbox operator', 'operator',
        'x', 'secrets-1', 'service')`);
  const ends = [
    /The database has a credential of a sandbox\. End it: kontor (hmac-keys revoke left --payee [0-9a-f-]{36}) --as NAME$/m,
    /End it: kontor (portal-users disable 11111111-1111-4111-8111-111111111111 --operator) --as NAME$/m,
  ];
  const refused = await installation.refusedStart();
  const looked = await installation.kontor(['doctor']);
  for (const end of ends) {
    expect(refused.stderr).toMatch(end);
    expect(looked.stdout).toMatch(end);
  }
  const [, revoke = ''] = ends[0]?.exec(refused.stderr) ?? [];
  expect(await installation.kontor([...revoke.split(' '), '--as', 'Anna'])).toMatchObject({ status: 0 });
  const after = await installation.kontor(['doctor']);
  expect(after.stdout).not.toContain('hmac-keys revoke');
  await database.asAdmin(`update portal_user set disabled_at = kontor_now() where name = 'Sandbox operator'`);
});

test('serve refuses a server that logs what is stored', async () => {
  await database.asAdmin(`alter database ${database.name} set log_statement = 'all'`);
  await database.asAdmin(`alter database ${database.name} set log_parameter_max_length = -1`);
  const refused = await installation.refusedStart();
  expect(refused.stderr).toContain('log_statement is all');
  expect(refused.status).toBe(1);
  await database.asAdmin(`alter database ${database.name} reset log_statement`);
  await database.asAdmin(`alter database ${database.name} reset log_parameter_max_length`);
});

test('doctor says that card payments wait for an acquirer', async () => {
  const looked = await installation.kontor(['doctor']);
  expect(looked.stdout).toContain('No acquirer is connected: card payments are refused with noacquirer.');
});

test('serve refuses a key ring that others may read', async () => {
  chmodSync(keyFile, 0o644);
  const refused = await installation.refusedStart();
  expect(refused.stderr).toContain('Run: chmod 0400');
  expect(refused.status).toBe(1);
  chmodSync(keyFile, 0o400);
});

test('doctor and the list of keys say which of them are old', async () => {
  const age = (days: number) =>
    database.asAdmin(
      `update key_check set created_at = created_at - interval '${days} days' where key_id = 'card-data-1'`,
    );
  await age(91);
  const looked = await installation.kontor(['doctor']);
  expect(looked.stdout).toMatch(
    /The key card-data-1 is in use since .* longer than 90 days: kontor keys rotate --purpose card-data/,
  );
  const { stdout } = await installation.kontor(['keys', 'list']);
  expect(stdout).toMatch(/^card-data-1 +Current, in use since \d{4}-\d\d-\d\d, older than 90 days: rotate it$/m);
  expect(stdout).toMatch(/^secrets-1 +Current, in use since \d{4}-\d\d-\d\d$/m);
  await age(-91);
});

test('doctor finds everything right, then misses the key ring', async () => {
  const looked = await installation.kontor(['doctor', '--json']);
  const levels = JSON.parse(looked.stdout).map(({ level }: { level: string }) => level);
  expect(levels).toContain('ok');
  expect(levels).not.toContain('problem');
  expect(looked.status).toBe(0);
  rmSync(keyFile);
  const missed = await installation.kontor(['doctor']);
  expect(missed.stdout).toContain('wanted, and missing: card-data-1');
  expect(missed.status).toBe(1);
});
