import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { startEmbedded } from '../../../sandbox/postgres/embedded.ts';
import type { EmbeddedPostgres } from '../../../sandbox/postgres/embedded.types.ts';
import { parseLockFile } from '../../../sandbox/postgres/embedded-process.ts';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** A new data directory, which goes when the test ends, with the server that runs on it. */
export async function makeDataDir(): Promise<string> {
  // Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
  const dataDir = await mkdtemp('/tmp/kontor-embedded-');
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

async function removeDataDir(dataDir: string): Promise<void> {
  await killServer(dataDir);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/**
 * A data directory whose database an earlier start has made, one for all tests of a file: to make one takes longer than
 * most of these tests. Each gets it stopped. What a test breaks in it, it mends.
 */
export function sharedDataDir(): () => Promise<string> {
  let made: Promise<string> | undefined;
  afterAll(async () => {
    if (made !== undefined) await removeDataDir(await made);
  });
  const make = async () => {
    const dataDir = await mkdtemp('/tmp/kontor-embedded-');
    await (await startEmbedded({ dataDir, as: 'serve', log: () => undefined })).stop();
    return dataDir;
  };
  return async () => {
    made ??= make();
    const dataDir = await made;
    onTestFinished(() => killServer(dataDir));
    return dataDir;
  };
}

/** Writes something else into a file until the test ends. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const before = await readFile(path);
  onTestFinished(() => writeFile(path, before));
  await writeFile(path, content);
}

export interface Started extends EmbeddedPostgres {
  readonly log: readonly string[];
}

/** Starts in this process; stops when the test ends. */
export async function start(dataDir: string, as: 'serve' | 'command' = 'serve'): Promise<Started> {
  const log: string[] = [];
  const postgres = await startEmbedded({ dataDir, as, log: (line) => log.push(line) });
  onTestFinished(() => postgres.stop());
  return { ...postgres, log };
}

export interface Child {
  readonly process: ChildProcess;
  /** Of the first line that it printed. */
  readonly adminUrl: string | undefined;
  readonly failure: string | undefined;
  /** Kills it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ChildOptions {
  readonly as?: 'serve' | 'command';
  /** Where the built service lies; without it, this checkout. */
  readonly installation?: string;
  /** The system's user to run as, where that is not ours. */
  readonly userId?: number;
}

/** Starts in a process of its own, in a process group of its own; it is killed when the test ends. */
export async function startChild(dataDir: string, options: ChildOptions = {}): Promise<Child> {
  const { as = 'serve', installation = CHECKOUT, userId } = options;
  const child = spawn(process.execPath, [join(installation, 'test/support/database/embedded-child.mjs'), dataDir, as], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...(userId !== undefined && { uid: userId, gid: userId }),
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { adminUrl, failure } = JSON.parse(line) as { adminUrl?: string; failure?: string };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return { process: child, adminUrl, failure, end };
}

/** The rows of one statement, on a connection of its own. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The process id in PostgreSQL's lock file; undefined where there is none, or it is being written. */
export async function serverProcessId(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseLockFile(text)?.processId;
}

/** kill -9 of the server and its whole session, as a power failure would. */
export async function killServer(dataDir: string): Promise<void> {
  const processId = await serverProcessId(dataDir);
  if (processId === undefined || !(await isAlive(processId))) return;
  process.kill(-processId, 'SIGKILL');
  await until(async () => !(await isAlive(processId)));
}

/** Not ended, and not a zombie. */
export async function isAlive(processId: number): Promise<boolean> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => undefined);
  return status !== undefined && !/^State:\s+[ZX]/m.test(status);
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${holds}`);
    await sleep(10);
  }
}
