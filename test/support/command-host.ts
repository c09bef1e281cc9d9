import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { CHECKOUT } from './database/embedded.ts';
import { IS_LONG_RUN } from './long-run.ts';

/** How a program ended. */
export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is run with. */
export interface Setting {
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** A start of the service that is refused, and so comes to its end. */
  readonly isRefused?: boolean;
}

/** Commands that go on until they are ended: a process for each. */
const STAY = ['serve', 'listen', 'simulate'];

/** The process that runs commands for this one, from the first of them on. */
let host: ChildProcess | undefined;
let isBusy = false;

/**
 * Runs a command of the built Kontor to its end. Most of what a command of a second takes is to load what it needs, so one
 * process runs all of them, each with nothing but its own environment. A process of its own has a command beside another one,
 * one that stays, the first one of each group in a run, and all of them in `npm run test:faults`.
 *
 * @param main the built `main.js`
 */
export async function runBuilt(main: string, args: readonly string[], setting: Setting): Promise<Ended> {
  const stays = setting.isRefused !== true && args.some((word) => STAY.includes(word));
  if (stays || isBusy || IS_LONG_RUN || isFirst(args[0])) return runProcess(process.execPath, [main, ...args], setting);
  isBusy = true;
  try {
    host ??= await startHost();
    return await ask(host, { args, ...setting });
  } finally {
    isBusy = false;
  }
}

/** Whether no test of this run has run a command that begins with the word. */
function isFirst(word = ''): boolean {
  return mkdirSync(join(inject('sandbox').folder, `command-${word}`), { recursive: true }) !== undefined;
}

/** Runs any program to its end, in a process of its own that reads nothing. */
export async function runProcess(
  program: string,
  args: readonly string[],
  { environment, folder }: Setting,
): Promise<Ended> {
  const child = spawn(program, args, { env: environment, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

async function startHost(): Promise<ChildProcess> {
  const program = join(CHECKOUT, 'dist/modules/src/program.js');
  const started = fork(join(import.meta.dirname, 'command-host.mjs'), [program], {
    // None of those that the test's process has.
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.once('exit', () => {
    host = undefined;
  });
  await answerOf(started);
  rest(started);
  return started;
}

async function ask(asked: ChildProcess, command: { readonly args: readonly string[] } & Setting): Promise<Ended> {
  asked.ref();
  asked.channel?.ref();
  const answer = answerOf(asked);
  asked.send(command);
  const { status, ...written } = (await answer) as Omit<Ended, 'code'> & { readonly status: number };
  rest(asked);
  return { code: status, ...written };
}

/** What it says next. Where it ends instead, a command had an error that nothing has caught. */
function answerOf(asked: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onEnd = (code: number | null, signal: string | null): void => {
      reject(new Error(`The process that runs commands has ended (${signal ?? code}).`));
    };
    asked.once('exit', onEnd);
    asked.once('message', (message) => {
      asked.off('exit', onEnd);
      resolve(message);
    });
  });
}

/** It does not keep this process alive. */
function rest(started: ChildProcess): void {
  started.unref();
  started.channel?.unref();
}
