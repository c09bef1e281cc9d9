import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { runBuilt } from './command-host.ts';
import { CHECKOUT } from './database/embedded.ts';
import { until } from './until.ts';

/** The service as an operator runs it: a process of its own, with its own PostgreSQL in the data directory. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly processId: number;
  /** All that it has written so far. */
  output(): Buffer;
  /** Sends bytes to it and returns all that comes back before the connection ends. */
  exchange(bytes: Buffer): Promise<Buffer>;
  stop(): Promise<void>;
  kill(): void;
}

export type Environment = Readonly<Record<string, string>>;

/** As `npm start` runs Node.js: what makes code from a text fails. */
export const NO_CODE_FROM_TEXTS = '--disallow-code-generation-from-strings';
const MAIN = join(CHECKOUT, 'dist', 'main.js');
/** Far more than a start takes, also beside much other work. */
const START_MS = 90_000;
/**
 * How long nothing must come before the service is told that nothing more will be sent: it may wait for the rest. Far longer
 * than an answer takes on a machine with much else to do, because what is told so is not answered any more.
 */
const IDLE_MS = 1_500;
const EXCHANGE_MS = 20_000;

/**
 * Starts the built service and waits until it is ready.
 *
 * @param flags of Node.js, as in `--trace-gc`
 * @param main the program, where it is not that of this checkout
 */
export async function startService(
  environment: Environment,
  flags: readonly string[] = [],
  main = MAIN,
): Promise<ServiceProcess> {
  const chunks: Buffer[] = [];
  const child = spawn(process.execPath, [NO_CODE_FROM_TEXTS, ...flags, main, 'serve'], {
    cwd: '/',
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks);
  const address = () => /^ {2}API +(http:\S+)$/m.exec(output().toString())?.[1];
  await until(() => address() !== undefined || child.exitCode !== null, START_MS);
  const baseUrl = address();
  if (baseUrl === undefined) throw new Error(`The service did not start:\n${output()}`);
  return {
    baseUrl,
    processId: child.pid ?? 0,
    output,
    exchange: (bytes) => exchange(Number(new URL(baseUrl).port), bytes),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(IDLE_MS, () => socket.end());
    const giveUp = setTimeout(() => socket.destroy(), EXCHANGE_MS);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A request that the server gives up on may end with a reset: what it said before counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Runs a command of the built service; it may fail. Returns what it printed, on both streams. */
export async function runCommand(environment: Environment, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runBuilt(MAIN, args, { environment, folder: '/' });
  return stdout + stderr;
}
