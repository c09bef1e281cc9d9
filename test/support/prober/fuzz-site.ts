import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended } from '../command-host.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { CHECKOUT } from '../database/embedded.ts';
import { readSandbox, type Sandbox } from '../sandbox-file.ts';
import { NO_CODE_FROM_TEXTS } from '../service-process.ts';
import { builtCommand, kontor } from '../shop/tokens-command.ts';
import { until } from '../until.ts';
import { FUZZ_CARDS } from './fuzz-values.ts';
import { type Scanner, type Sought, scannerFor } from './scanner.ts';

/** A service to be fuzzed: a process of its own, on a database of its own. */
export interface FuzzSite {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  /** What leads a command to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** How the process has ended, with the last that it wrote; undefined while it runs. */
  ended(): string | undefined;
  /** Whether it takes no connections any more; then waits until it has ended. */
  isEnding(): Promise<boolean>;
  /** Finds what no answer, no line of the log and no table may have: the cards that are sent, and the sandbox's secrets. */
  readonly scanner: Scanner;
  /** What the log had since it was asked last that it must not have: errors, and card numbers. */
  faultsInLog(): string[];
  /** Bytes that are left on the heap after a collection of garbage. */
  heapBytes(): Promise<number>;
  /** Runs a command of the installation. */
  command(...args: readonly string[]): Promise<Ended>;
  stop(): Promise<void>;
}

const START_MS = 60_000;
const HEAP_MS = 30_000;
/** Longer than a service lets the requests under way finish. */
const END_MS = 40_000;
/** Text of the end of the outputs that a report shows. */
const SHOWN = 4_000;

/**
 * Starts the built service.
 *
 * @param main the program that serves, where it is not the built one
 */
export async function openFuzzSite(main = builtCommand()): Promise<FuzzSite> {
  const database = await testDatabase();
  const dataDir = await mkdtemp('/tmp/kontor-fuzz-');
  const settings = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'info',
  };
  const child = spawn(
    process.execPath,
    [
      NO_CODE_FROM_TEXTS,
      '--expose-gc',
      '--import',
      join(CHECKOUT, 'test/support/prober/fuzz-probe.mjs'),
      main,
      'serve',
    ],
    { env: { PATH: process.env['PATH'], ...settings }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const output = readOutput(child);
  await until(() => output.baseUrl() !== undefined || child.exitCode !== null, START_MS);
  const baseUrl = output.baseUrl();
  if (baseUrl === undefined) throw new Error(`The service did not start: ${output.tail()}`);
  await until(async () => (await fetch(`${baseUrl}/health/ready`)).status === 200, START_MS);
  const sandbox = readSandbox(dataDir);
  const scanner = scannerFor(soughtOf(sandbox));
  output.watchFor(scanner);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    baseUrl,
    database,
    sandbox,
    scanner,
    settings,
    ended: () => (hasEnded() ? `code ${child.exitCode}, signal ${child.signalCode}: ${output.tail()}` : undefined),
    isEnding: async () => {
      const isListening = await fetch(`${baseUrl}/health/live`).then(
        () => true,
        () => false,
      );
      if (!isListening) await until(hasEnded, END_MS);
      return !isListening;
    },
    faultsInLog: output.takeFaults,
    heapBytes: () => askForHeap(child),
    command: (...args) => kontor(args, settings),
    stop: async () => {
      if (!hasEnded()) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function soughtOf({ accessToken, hmac, oauth, callbackSecret, portal }: Sandbox): Sought[] {
  const secrets = {
    'access token': accessToken,
    'HMAC secret': hmac.secret,
    'client secret': oauth.clientSecret,
    'secret of callbacks': callbackSecret,
    "administrator's password": portal.password,
    "operator's password": portal.operator.password,
  };
  return [
    ...FUZZ_CARDS.map((value, index): Sought => ({ name: `number ${index}`, value, kind: 'card number' })),
    ...Object.entries(secrets).map(([name, value]): Sought => ({ name, value, kind: 'secret' })),
  ];
}

interface Output {
  baseUrl(): string | undefined;
  /** From now on: a first start shows an access token once. */
  watchFor(scanner: Scanner): void;
  takeFaults(): string[];
  tail(): string;
}

/** Reads what the process writes as it comes, and keeps of it what is wrong, and the end. */
function readOutput(child: ChildProcess): Output {
  let scanner: Scanner | undefined;
  const faults: string[] = [];
  let address: string | undefined;
  let said = '';
  let lastError = '';
  let complained = '';
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-SHOWN);
    // A chunk ends anywhere: what is no whole line waits for the rest.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    address ??= /^ {2}API +(http:\S+)$/m.exec(lines.join('\n'))?.[1];
    lastError = lines.findLast(isError) ?? lastError;
    faults.push(...lines.filter(isError).map((line) => `the log has: ${line.slice(0, SHOWN)}`));
    const secrets = scanner?.scan(Buffer.from(lines.join('\n'))) ?? [];
    faults.push(...secrets.map((found) => `the log has a ${found}`));
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complained = (complained + chunk).slice(-SHOWN);
    faults.push(`the error output has: ${chunk.slice(0, SHOWN)}`);
  });
  return {
    baseUrl: () => address,
    watchFor: (wanted) => {
      scanner = wanted;
    },
    takeFaults: () => faults.splice(0),
    tail: () => complained || lastError || said,
  };
}

/** A request or a round of work that had to be put off is written down as an error; it is answered 503 or 504, or comes again. */
function isError(line: string): boolean {
  if (!/^\{"level":"(error|fatal)"/.test(line)) return false;
  // On a machine with much else to do a job may get no connection in time.
  const isPutOff =
    /"type":"ConnectionLost"/.test(line) && /"msg":"Background work failed; it comes again\."/.test(line);
  return !isPutOff && !/"(msg|code)":"(unavailable|gatewaytimeout)"/.test(line);
}

async function askForHeap(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(HEAP_MS) });
  child.send('heap');
  const [{ bytes }] = (await answer) as [{ bytes: number }];
  return bytes;
}
