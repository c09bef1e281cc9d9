import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Environment, type Installation, install } from '../support/kontor.ts';

// A key ring that opens with a passphrase alone, where it lies.

let database: TestDatabase;
let installation: Installation;
const path = (name: string) => join(installation.folder, name);
const SEALED: Environment = { KONTOR_KEY_PASSPHRASE_FILE: 'passphrase' };

beforeAll(async () => {
  database = await testDatabase({ of: 'empty' });
  installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_KEY_FILE: 'ring.json',
  });
  for (const [name, text] of [
    ['passphrase', 'correct horse battery staple\n'],
    ['other', 'a passphrase after that one'],
    ['short', 'eleven char\n'],
    ['two-lines', 'correct horse battery staple\nring\n'],
  ] as const)
    writeFileSync(path(name), text, { mode: 0o600 });
  await installation.kontor(['migrate']);
  await installation.firstStart();
  copyFileSync(path('ring.json'), path('ring-in-the-clear.json'));
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

const ring = () => readFileSync(path('ring.json'), 'utf8');
const materials = (): string[] =>
  JSON.parse(readFileSync(path('ring-in-the-clear.json'), 'utf8')).keys.map(
    (key: { material: string }) => key.material,
  );
const seal = (file: string, environment: Environment = {}) =>
  installation.kontor(['--as', 'Anna', 'keys', 'seal', '--passphrase-file', file], environment);

test('it is sealed by a command, with a passphrase that others cannot read', async () => {
  const refused = async (file: string) => {
    const { status, stderr } = await seal(file);
    expect(status).toBe(1);
    return stderr;
  };
  expect(await refused('no-file')).toMatch(
    /no-file, which holds the passphrase of the key ring, cannot be read \(ENOENT\)/,
  );
  expect(await refused('.')).toContain('is a folder');
  expect(await refused('short')).toContain('one line of 12 characters or more');
  expect(await refused('two-lines')).toContain('one line of 12 characters or more');
  chmodSync(path('passphrase'), 0o644);
  expect(await refused('passphrase')).toContain('chmod 0600');
  chmodSync(path('passphrase'), 0o600);
  for (const material of materials()) expect(ring()).toContain(material);

  expect(await seal('passphrase')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('ring.json is sealed.'),
  });
  for (const material of materials()) expect(ring()).not.toContain(material);
  const { rows } = await database.read<{ actor: string }>(
    {
      name: 'test-seal',
      text: `select concat_ws(':', actor_kind, actor_id) as actor from audit where action = 'seal-key'`,
    },
    [],
  );
  expect(rows).toHaveLength(materials().length);
  expect(rows[0]?.actor).toContain('Anna');
});

test('a start needs its passphrase, and says so', async () => {
  const refused = async (environment: Environment) => (await installation.refusedStart(environment)).stderr;
  expect(await refused({})).toContain('ring.json is sealed. Set KONTOR_KEY_PASSPHRASE_FILE');
  expect(await refused({ KONTOR_KEY_PASSPHRASE_FILE: 'other' })).toMatch(
    /ring\.json does not open with the passphrase in .*other/,
  );
  await installation.firstStart(SEALED);
  expect((await installation.kontor(['doctor'], SEALED)).stdout).toMatch(
    /ring\.json, sealed with the passphrase in .*passphrase/,
  );
});

test('a rotation and an import leave it sealed', async () => {
  const rotated = await installation.kontor(['--as', 'Anna', 'keys', 'rotate', '--json'], SEALED);
  expect(JSON.parse(rotated.stdout)).toMatchObject({ to: 'card-data-2' });
  expect(ring()).toContain('kontor-key-export-1');
  const listed = JSON.parse((await installation.kontor(['keys', 'list', '--json'], SEALED)).stdout);
  expect(listed).toContainEqual(expect.objectContaining({ id: 'card-data-2', isHeld: true }));

  // What lies there is an export of itself.
  copyFileSync(path('ring.json'), path('copy.json'));
  const imported = await installation.kontor(['--as', 'Anna', 'keys', 'import', 'copy.json', '--json'], {
    ...SEALED,
    KONTOR_PASSPHRASE: 'correct horse battery staple',
  });
  expect(JSON.parse(imported.stdout)).toEqual({ added: [] });
});

test('its passphrase comes from a file descriptor too', async () => {
  const listed = await installation.run(
    ['bash', '-c', `exec ${process.execPath} dist/main.js keys list --json 3< <(cat passphrase)`],
    { KONTOR_KEY_PASSPHRASE_FILE: '/dev/fd/3' },
  );
  expect(listed.stderr).toBe('');
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id: 'card-data-2', isHeld: true }));
});

test('it is sealed anew with another passphrase, and then the first opens it no more', async () => {
  expect(await seal('other', SEALED)).toMatchObject({ status: 0 });
  expect((await installation.refusedStart(SEALED)).stderr).toContain('does not open');
  await installation.firstStart({ KONTOR_KEY_PASSPHRASE_FILE: 'other' });
});

test('a ring in the clear is not taken where a sealed one is expected', async () => {
  chmodSync(path('ring.json'), 0o600);
  copyFileSync(path('ring-in-the-clear.json'), path('ring.json'));
  expect((await installation.refusedStart(SEALED)).stderr).toMatch(/lies in the clear.*Seal it.*keys seal/s);
});
