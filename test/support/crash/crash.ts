import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startEmbedded } from '../../../sandbox/postgres/embedded.ts';
import { query, serverProcessId } from '../database/embedded.ts';
import { builtCommand } from '../shop/tokens-command.ts';
import { until } from '../until.ts';

// What tests share that kill the service and its embedded PostgreSQL.

/** The settings of an installation, as its environment has them. */
export type Settings = Readonly<Record<string, string>>;

/** Runs a statement as the database's superuser. */
export type AsAdmin = (sql: string) => Promise<Record<string, unknown>[]>;

/** A service in a process of its own, ready to answer. */
export interface RunningService {
  readonly process: ChildProcess;
  readonly baseUrl: string;
}

/** Generous: PostgreSQL recovers first, and others may use the machine. */
const START_TIMEOUT_MS = 120_000;

/**
 * Starts `kontor …` in a process group of its own.
 *
 * @param main the built program to run, where it is not this checkout's
 */
export function spawnKontor(args: readonly string[], settings: Settings, main = builtCommand()): ChildProcess {
  const env = { PATH: process.env['PATH'], ...settings };
  return spawn(process.execPath, [main, ...args], {
    env,
    // What a command says when it is killed, or its database, is no news.
    stdio: ['ignore', 'pipe', args[0] === 'serve' ? 'inherit' : 'ignore'],
    detached: true,
  });
}

/** Starts `kontor serve` and waits until it is ready. */
export async function startKillableService(settings: Settings, main?: string): Promise<RunningService> {
  const child = spawnKontor(['serve'], settings, main);
  if (child.stdout === null) throw new Error('the service has an output');
  for await (const line of createInterface(child.stdout)) {
    const [baseUrl] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (baseUrl === undefined) continue;
    child.stdout.resume();
    await untilReady(baseUrl);
    return { process: child, baseUrl };
  }
  throw new Error('The service did not start.');
}

/** Waits until a service is ready, for the first time or again after its database was killed. */
export async function untilReady(baseUrl: string): Promise<void> {
  await until(async () => (await fetch(`${baseUrl}/health/ready`)).status === 200, START_TIMEOUT_MS);
}

/** The embedded PostgreSQL's process and all its children; none where it does not run. */
export async function postgresTree(dataDir: string): Promise<number[]> {
  const postmaster = await serverProcessId(dataDir);
  return postmaster === undefined ? [] : [postmaster, ...(await childrenOf(postmaster))];
}

async function childrenOf(processId: number): Promise<number[]> {
  const text = await readFile(`/proc/${processId}/task/${processId}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Sends signal 9 to all of them by one command, as near to one moment as the system offers. */
export async function kill(processIds: readonly number[]): Promise<void> {
  try {
    await promisify(execFile)('kill', ['-9', ...processIds.map(String)]);
  } catch {
    // One of PostgreSQL's processes ended by itself between the look and the signal.
  }
}

/** Sends a signal and waits for the end. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await gone(child);
}

/** Waits until a process has ended. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The rows of one statement, run as the superuser of an embedded PostgreSQL, whether it runs or not. */
export async function queryEmbedded(dataDir: string, sql: string): Promise<Record<string, unknown>[]> {
  const postgres = await startEmbedded({ dataDir, as: 'command', log: () => undefined });
  try {
    return await query<Record<string, unknown>>(postgres.adminUrl, sql);
  } finally {
    await postgres.stop();
  }
}
