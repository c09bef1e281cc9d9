import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { runBuilt } from './command-host.ts';
import { testDatabase } from './database/database.ts';
import { killServer } from './database/embedded.ts';
import { copySandboxFiles } from './sandbox-template.ts';
import { NO_CODE_FROM_TEXTS } from './service-process.ts';
import { builtCommand } from './shop/tokens-command.ts';

const PROJECT = join(import.meta.dirname, '../..');
const LINKED = ['dist', 'node_modules', 'scripts'];

export type Environment = Readonly<Record<string, string>>;

/** Where an installation lies. */
export interface Place {
  readonly below?: string;
  readonly name?: string;
}

/** What a command did. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built service and its commands, in a folder of their own, as an operator sees them. */
export interface Installation {
  readonly folder: string;
  /** Runs `kontor …` to its end. */
  kontor(args: readonly string[], environment?: Environment): Promise<Outcome>;
  /** Runs `kontor serve …`, which must refuse to start. */
  refusedStart(environment?: Environment, options?: readonly string[]): Promise<Outcome>;
  /** Starts the service in production for the first time, and ends it once it is ready: it has made the keys. */
  firstStart(environment?: Environment): Promise<void>;
  /** Runs any program in the folder. */
  run(program: readonly [string, ...string[]], environment?: Environment): Promise<Outcome>;
  /** Starts a program that goes on, in a process group of its own; `inside` is a folder below. */
  start(program: readonly [string, ...string[]], environment?: Environment, inside?: string): Started;
  /** Processes of programs in the folder, and the database's. */
  processes(): readonly string[];
  /** `data/sandbox.json`, once the service is ready. */
  ready(): Promise<Record<string, unknown> & { baseUrl: string; accessToken: string; payeeId: string }>;
  /** Kills what still runs and removes the folder. For `afterAll`. */
  remove(): Promise<void>;
}

export interface Started {
  readonly process: ChildProcess;
  /** Of the end: its status, and all that it wrote. */
  readonly ended: Promise<Outcome>;
  /** To the whole group, as a terminal does at Ctrl-C. */
  signalGroup(signal: NodeJS.Signals): void;
}

/**
 * A folder that looks like a checkout whose packages are installed. Nothing of the machine's settings gets in.
 *
 * @param place the folder `name`, in a new one `below` another
 */
export function install(settings: Environment = {}, place: Place = {}): Installation {
  const { below = tmpdir(), name = '' } = place;
  builtCommand();
  const root = mkdtempSync(join(below, 'kontor-installed-'));
  // As root the embedded PostgreSQL runs as another user, who must get through.
  chmodSync(root, 0o711);
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  for (const name of LINKED) symlinkSync(join(PROJECT, name), join(folder, name));
  const base = { PATH: process.env['PATH'] ?? '', HOME: folder, KONTOR_PORT: '0', ...settings };
  const running: ChildProcess[] = [];

  const start: Installation['start'] = ([program, ...args], environment = {}, inside = '.') => {
    const env = { ...base, ...environment };
    const child = spawn(program, args, {
      cwd: join(folder, inside),
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    return { process: child, ended: outcomeOf(child), signalGroup: (signal) => signalGroup(child, signal) };
  };
  const kontor = async (args: readonly string[], environment: Environment = {}, isRefused = false) => {
    const setting = { environment: { ...base, ...environment }, folder, isRefused };
    const { code: status, ...written } = await runBuilt('dist/main.js', args, setting);
    return { status, ...written };
  };
  const run: Installation['run'] = (program, environment) => start(program, environment).ended;
  return {
    folder,
    start,
    run,
    kontor: (args, environment) => kontor(args, environment),
    refusedStart: (environment, options = []) => kontor(['serve', ...options], environment, true),
    async firstStart(environment) {
      const { process: child, ended } = start([process.execPath, join(folder, 'dist/main.js'), 'serve'], environment);
      let written = '';
      child.stdout?.on('data', (bytes: Buffer) => {
        written += bytes.toString();
        if (written.includes('Kontor is ready')) child.kill('SIGTERM');
      });
      const { status, stderr } = await ended;
      if (status !== 0) throw new Error(stderr);
    },
    processes: () =>
      execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(folder)),
    ready: () => vi.waitFor(() => readyService(folder), { timeout: 25_000, interval: 50 }),
    async remove() {
      for (const child of running) signalGroup(child, 'SIGKILL');
      await killServer(join(folder, 'data'));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The same with the sandbox of the run, on a copy of its database and started: to make one takes longer than to use it. */
export async function installSandbox(
  settings: Environment = {},
  program?: readonly [string, ...string[]],
): Promise<Installation & { readonly adminUrl: string }> {
  const [files, database] = [await copySandboxFiles(), await testDatabase({ of: 'sandbox' })];
  const installation = install({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    ...settings,
  });
  const data = join(installation.folder, 'data');
  await cp(files, data, { recursive: true });
  await rm(files, { recursive: true });
  // What it says is of an earlier start: another service may have that address by now.
  const file = join(data, 'sandbox.json');
  const { baseUrl: _, ...content } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(content));
  installation.start(
    program ?? [process.execPath, NO_CODE_FROM_TEXTS, join(installation.folder, 'dist/main.js'), 'serve'],
  );
  return {
    ...installation,
    adminUrl: database.adminUrl,
    async remove() {
      await installation.remove();
      await database.drop();
    },
  };
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the outputs are piped');
  const [written, complained, [status]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { status, stdout: written, stderr: complained };
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

async function readyService(folder: string) {
  const sandbox = JSON.parse(readFileSync(join(folder, 'data/sandbox.json'), 'utf8'));
  const answer = await fetch(`${sandbox.baseUrl}/health/ready`);
  if (answer.status !== 200) throw new Error('the service is not ready');
  return sandbox;
}
