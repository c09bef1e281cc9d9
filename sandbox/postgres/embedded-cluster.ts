import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret } from '../../src/kit/secret.ts';
import type { Binaries } from './embedded-binaries.ts';
import { cannotRun, EmbeddedFailure, failedWith } from './embedded-failure.ts';
import { type EmbeddedPaths, layout } from './embedded-paths.ts';
import type { ServerUser } from './embedded-user.ts';

/** The roles of the database, by name. */
export interface Passwords {
  readonly postgres: string;
  readonly kontor_owner: string;
  readonly kontor_app: string;
}

/** What it takes to run the server. */
export interface Host {
  readonly paths: EmbeddedPaths;
  readonly binaries: Binaries;
  /** Undefined: the server runs as our own user. */
  readonly user: ServerUser | undefined;
  /** The number in the name of the server's socket. */
  readonly socketNumber: number;
}

/** Every client gives a password, also through the socket: on its own, a user id proves too little. */
const ACCESS_RULES = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n';

/**
 * Makes the database files where there are none, with the database `kontor` and its roles.
 *
 * All is built aside and moved to its place by one rename. So a start that is killed half-way leaves no trace that
 * matters, and of two first starts at once one wins and the other finds the work done.
 *
 * @throws EmbeddedFailure where the files are of another major version, or something else lies in their place
 */
export async function prepareCluster(host: Host, log: (line: string) => void): Promise<Passwords> {
  const { paths } = host;
  if ((await readMajor(paths)) === undefined) {
    log(`Making a new database in ${paths.home}.`);
    try {
      await makeCluster(host);
    } catch (error) {
      if ((await readMajor(paths)) === undefined) throw error;
    }
  }
  await checkMajor(host);
  return readPasswords(paths);
}

/** Removes what first starts that were killed have left. Only to be called once the database is in its place. */
export async function sweepUnfinished({ dataDir }: EmbeddedPaths): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  for (const name of names) {
    // Another first start, which has lost the race, may still be writing there: it finds out, and the next start sweeps.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function readMajor(paths: EmbeddedPaths): Promise<string | undefined> {
  try {
    return (await readFile(join(paths.cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * The number that initdb gave the cluster, as `pg_control_system()` writes it. It is the first field of `pg_control` in every
 * version, in the byte order of this machine.
 */
export async function readSystemIdentifier({ cluster }: EmbeddedPaths): Promise<string> {
  const content = await readFile(join(cluster, 'global/pg_control'));
  return String(content.readBigInt64LE());
}

async function checkMajor({ paths, binaries }: Host): Promise<void> {
  const major = await readMajor(paths);
  if (major === binaries.major) return;
  throw new EmbeddedFailure(
    `The database in ${paths.home} is of PostgreSQL ${major}; this Kontor brings PostgreSQL ${binaries.major}, which cannot ` +
      'read it. Start the version of Kontor that made it; or, to move on, start that version, dump the database with ' +
      `pg_dump of PostgreSQL ${major} and restore it into a new KONTOR_DATA_DIR; or run these files with a PostgreSQL ` +
      `${major} of your own and set KONTOR_DATABASE_URL to it.`,
  );
}

async function readPasswords({ home, passwords }: EmbeddedPaths): Promise<Passwords> {
  try {
    return JSON.parse(await readFile(passwords, 'utf8')) as Passwords;
  } catch {
    // Without the parser's own message: it may quote what it could not read.
    throw new EmbeddedFailure(
      `The passwords of the database in ${home} cannot be read: ${passwords} is missing, damaged or not yours. ` +
        'Restore the file from your backup of the data directory.',
    );
  }
}

async function makeCluster(host: Host): Promise<void> {
  const { dataDir, home } = host.paths;
  const building = layout(dataDir, await mkdtemp(join(dataDir, 'postgres.new-')));
  try {
    await fillCluster({ ...host, paths: building });
    await rename(building.home, home);
    await syncDirectory(dataDir);
  } catch (error) {
    await rm(building.home, { recursive: true, force: true });
    if (!failedWith(error, 'EEXIST', 'ENOTEMPTY', 'ENOTDIR')) throw error;
    throw new EmbeddedFailure(`${home} is in the way: it holds no database of Kontor's. Move it elsewhere.`);
  }
}

async function fillCluster(host: Host): Promise<void> {
  const { paths, binaries, user } = host;
  const passwords: Passwords = { postgres: randomSecret(), kontor_owner: randomSecret(), kontor_app: randomSecret() };
  await writeFile(paths.passwords, JSON.stringify(passwords), { mode: 0o600, flush: true });
  await mkdir(paths.cluster, { mode: 0o700 });
  if (user !== undefined) {
    await chmod(paths.home, 0o711);
    await chown(paths.cluster, user.userId, user.groupId);
  }
  // No client gets in until the rules below are written: a first password would need a file, or a flag that others can
  // read.
  const flags = ['--username=postgres', '--auth=reject', '--encoding=UTF8', '--data-checksums', '--no-instructions'];
  // A new file of the journal is filled with zeros while all commits wait: 60 ms for the usual 16 MB.
  const journal = ['--wal-segsize=1'];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run(host, binaries.initdb, ['--pgdata', paths.cluster, ...flags, ...journal, ...locale]);
  await writeFile(join(paths.cluster, 'pg_hba.conf'), ACCESS_RULES, { flush: true });
  // A single-user server reads one statement a line. It never logs them: they hold the passwords.
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  const statements = rolesAndDatabase(passwords).join('\n');
  await run(host, binaries.postgres, ['--single', '-D', paths.cluster, ...settings, 'postgres'], statements);
}

/** The passwords are letters and digits, so nothing needs quoting. */
function rolesAndDatabase(passwords: Passwords): string[] {
  return [
    `alter role postgres password '${passwords.postgres}'`,
    `create role kontor_owner login password '${passwords.kontor_owner}'`,
    `create role kontor_app login password '${passwords.kontor_app}'`,
    'create database kontor owner kontor_owner',
    '',
  ];
}

/** Runs a program as the server's user and waits for its end. What it printed is part of the failure. */
async function run(
  { paths, binaries, user }: Host,
  program: string,
  flags: readonly string[],
  input = '',
): Promise<void> {
  const child = spawn(program, flags, {
    cwd: paths.dataDir,
    env: binaries.environment,
    ...(user !== undefined && { uid: user.userId, gid: user.groupId }),
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stdin.on('error', () => undefined); // It may end before it has read all: then its exit code tells.
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', (cause) => reject(cannotRun(program, cause)));
  });
  if (code !== 0) throw new EmbeddedFailure(`${program} failed (exit code ${code}):\n${printed.slice(-2000).trim()}`);
}

/** Makes a rename in this directory outlast a power failure. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
