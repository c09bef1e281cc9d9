/** Starts the built service and its commands, and watches how much memory they take. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const main = join(root, 'dist', 'main.js');
const START_MS = 60_000;
/** What `docs/operating/production.md` starts the service with on a machine of one or two cores. */
export const FLAGS = availableParallelism() > 2 ? [] : ['--single-threaded-gc', '--max-semi-space-size=32'];
/** How often the memory is looked at. */
const SAMPLE_MS = 50;

/** Only what decides how it runs: a setting of the shell that starts the benchmark must not change the result. */
function environmentOf(dataDir, settings = {}) {
  return { KONTOR_DATA_DIR: dataDir, KONTOR_PORT: '0', ...settings };
}

/**
 * Starts the service and waits until it answers that it is ready.
 *
 * @param {string} dataDir
 * @param {{name?: string, settings?: Record<string, string>, flags?: string[]}} [options] what its files are called, for one of
 * several on one data directory, variables of its environment, and flags of Node in place of `FLAGS`
 * @returns its address, in a sandbox its credentials, `readyMs` from the start of the process, and `stop`
 */
export async function startKontor(dataDir, { name = 'service', settings, flags = FLAGS } = {}) {
  const startedAt = performance.now();
  const log = join(dataDir, '..', `${name}.log`);
  const errors = join(dataDir, '..', `${name}.err`);
  const child = spawn(process.execPath, [...flags, main, 'serve'], {
    cwd: '/',
    env: environmentOf(dataDir, settings),
    // To a file, as in production: a pipe would make this process part of the measurement.
    stdio: ['ignore', openSync(log, 'w'), openSync(errors, 'w')],
  });
  const exited = once(child, 'exit');
  let baseUrl;
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_MS) {
      throw new Error(`Kontor did not start: ${readFileSync(errors, 'utf8')}`);
    }
    await pause(5);
    baseUrl ??= READY.exec(readFileSync(log, 'utf8'))?.[1];
  }
  const readyMs = performance.now() - startedAt;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const sandbox = join(dataDir, 'sandbox.json');
  const { payeeId, accessToken, hmac } = existsSync(sandbox) ? JSON.parse(readFileSync(sandbox, 'utf8')) : {};
  return { baseUrl, payeeId, accessToken, hmac, readyMs, processId: child.pid, stop };
}

/** How a sandbox says where it is, and how production does. */
const READY = /(?:^ {2}API +|"Kontor is ready at )(http:\S+?)(?:\."|$)/m;

/**
 * Megabytes that the books of the test acquirer may grow by before they are looked through for garbage. A host elsewhere has cores
 * of its own for that; here it would take both of ours for a tenth of a second, while payments wait.
 */
const ACQUIRER_HEAP_MB = 4096;

/** Starts `kontor acquirers simulate`, and waits until it listens. */
export async function startAcquirer() {
  const args = [`--initial-old-space-size=${ACQUIRER_HEAP_MB}`, main, 'acquirers', 'simulate', '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let printed = '';
  while (!printed.includes('Ctrl-C')) printed += await Promise.race([once(child.stdout, 'data'), exited]);
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { port: Number(/127\.0\.0\.1:(\d+)/.exec(printed)?.[1]), processId: child.pid, stop };
}

/** Processor time of a process and its children, in milliseconds: of PostgreSQL all that it has done so far. */
export function treeMs(processId) {
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').split(' ').filter(Boolean);
  const { endedUser, endedSystem } = timesOf(processId);
  return children.reduce((sum, child) => sum + livingMs(child), processorMs(processId) + endedUser + endedSystem);
}

/** Of a child that may have ended meanwhile: then its time is among that of its parent's ended ones. */
export function livingMs(child) {
  try {
    return processorMs(child);
  } catch {
    return 0;
  }
}

/** The process of the PostgreSQL of a data directory. */
export function postgresOf(dataDir) {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
}

async function isReady(baseUrl) {
  if (baseUrl === undefined) return false;
  const answer = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

/** Runs a command to its end, and says how long it took, by the clock and of the processor, and what memory it had meanwhile. */
export async function runKontor(dataDir, args, settings) {
  const [startedAt, endedBefore] = [performance.now(), endedMs()];
  const child = spawn(process.execPath, [main, ...args], {
    cwd: '/',
    env: environmentOf(dataDir, settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const memory = watchMemory(child.pid);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`kontor ${args.join(' ')} failed (${code}).\n${printed}`);
  const seconds = (performance.now() - startedAt) / 1000;
  return { printed, seconds, processorMs: endedMs() - endedBefore, memory: memory.stop() };
}

/**
 * Looks at a process's resident memory again and again.
 *
 * @returns `stop`, which gives the samples in MiB, in the order of time
 */
export function watchMemory(processId) {
  const samples = [];
  const timer = setInterval(() => {
    const mib = residentMib(processId);
    if (mib !== undefined) samples.push(mib);
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

function residentMib(processId) {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Hundredths of a second: the clock tick of Linux, in which it counts the time of processes. */
const TICK_MS = 10;

/** Processor time that a process has used so far, in milliseconds. Unlike its speed, it hardly depends on who else runs. */
export function processorMs(processId) {
  const { user, system } = timesOf(processId);
  return user + system;
}

/** Processor time of our own processes that have ended. */
function endedMs() {
  const { endedUser, endedSystem } = timesOf('self');
  return endedUser + endedSystem;
}

function timesOf(processId) {
  // The name of the program, in parentheses, may hold blanks. Behind it, the times are the 12th to 15th field.
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_MS);
  return { user, system, endedUser, endedSystem };
}
