import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry, type Registry, type RegistryContentType } from 'prom-client';
import type { Config } from '../config.ts';
import { Refusal } from '../kit/errors.ts';
import { Trouble } from '../kit/work/trouble.ts';
import type { Ended } from './endings.ts';

/** Milliseconds until another process takes the place of one that ended, and the most where none comes up. */
const RESTART_MS = 1_000;
const RESTART_MS_MAX = 30_000;
/** Milliseconds in which the first process, which waits for the others, ends after the last of them. */
const LAST_TO_END_MS = 1_000;
/** The end of a line in UTF-8. */
const LINE_END = 10;

/** What a process tells the one that has started it. */
type Told = ({ readonly kontor: 'ready' } & Ready) | { readonly kontor: 'metrics-wanted'; readonly ask: number };

/** What is told of a process that serves. */
interface Ready {
  readonly baseUrl: string;
  /** Milliseconds that its end may last. */
  readonly endMs: number;
}

/** What it is answered. */
interface Measured {
  readonly kontor: 'metrics';
  readonly ask: number;
  /** Undefined where not all processes have answered. */
  readonly text: string | undefined;
}

/** How processes are to serve together. */
export interface ProcessesOptions {
  readonly count: number;
  readonly config: Pick<Config, 'mode' | 'databaseUrl'>;
  /** Writes for people. */
  readonly print: (text: string) => void;
  /** Writes what the processes log. */
  readonly write: (lines: Buffer) => void;
}

/** Processes that serve together. `stop` lets the requests of each finish. */
export interface Processes extends Ended {
  /** Has each read its certificate again. */
  reloadCertificate(): void;
}

/**
 * Starts processes that share one port. Each takes connections in turn, and has a queue of money, connections to the database
 * and lines to acquirers of its own, as instances have. The first one starts alone, so that what keeps it from serving is said
 * once. One that ends is replaced.
 *
 * @returns undefined where the first process did not come up; it has said why
 * @throws Trouble in a sandbox, and with an embedded database: what lives in one process is not shared
 */
export async function serveInProcesses(options: ProcessesOptions): Promise<Processes | undefined> {
  const { count, config, print, write } = options;
  if (config.mode === 'sandbox') throw new Trouble('A sandbox is one process: leave --processes out.');
  if (config.databaseUrl === undefined) {
    throw new Trouble(
      'Several processes need a database beside them: set KONTOR_DATABASE_URL, or leave --processes out.',
    );
  }
  const aggregator = new AggregatorRegistry();
  cluster.setupPrimary({ args: ['serve'], stdio: ['inherit', 'pipe', 'inherit', 'ipc'] });
  cluster.on('message', (worker, told: Told) => {
    if (told.kontor === 'metrics-wanted') void sendMetrics(worker, told.ask, aggregator);
  });
  let isStopping = false;
  let failures = 0;
  const start = (): Worker => {
    const worker = cluster.fork();
    worker.process.stdout?.on('data', wholeLines(write));
    worker.on('message', ({ kontor }: Told) => {
      if (kontor === 'ready') failures = 0;
    });
    return worker;
  };
  const keep = (worker: Worker): void => {
    worker.once('exit', async (code, signal) => {
      if (isStopping) return;
      print(`A process has ended (${signal ?? `exit code ${code}`}). Another one takes its place.`);
      await pause(Math.min(RESTART_MS * 2 ** failures++, RESTART_MS_MAX));
      if (!isStopping) keep(start());
    });
  };
  const first = start();
  const ready = await readyAt(first);
  if (ready === undefined) return undefined;
  keep(first);
  for (let started = 1; started < count; started++) keep(start());
  print(`Kontor is ready at ${ready.baseUrl}, in ${count} processes.`);
  return {
    endMs: ready.endMs + LAST_TO_END_MS,
    stop: async () => {
      isStopping = true;
      await Promise.all(workers().map(ended));
    },
    tellUnknown: (error) => {
      process.stderr.write(`kontor: ${error instanceof Error ? error.stack : String(error)}\n`);
    },
    reloadCertificate: () => {
      for (const worker of workers()) worker.process.kill('SIGHUP');
    },
  };
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
}

/** Where the first process listens, and how long its end may last; undefined where it has ended before. */
function readyAt(worker: Worker): Promise<Ready | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (told: Told) => {
      if (told.kontor === 'ready') resolve(told);
    });
    worker.once('exit', () => resolve(undefined));
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}

/** Passes on what a process writes line by line: a pipe takes longer pieces of several writers mixed. */
function wholeLines(write: (lines: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer[] = [];
  return (bytes) => {
    const end = bytes.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      write(Buffer.concat([...rest, bytes.subarray(0, end)]));
      rest = [];
    }
    if (end < bytes.length) rest.push(bytes.subarray(end));
  };
}

async function sendMetrics(
  worker: Worker,
  ask: number,
  aggregator: AggregatorRegistry<RegistryContentType>,
): Promise<void> {
  const text = await aggregator.clusterMetrics().catch(() => undefined);
  const measured: Measured = { kontor: 'metrics', ask, text };
  if (worker.isConnected()) worker.send(measured);
}

/** Tells the process that has started this one that it is ready. */
export function tellReady({ baseUrl, endMs }: Ready): void {
  const told: Told = { kontor: 'ready', baseUrl, endMs };
  process.send?.(told);
}

/** Lets go of the process that has started this one, which would keep this one from ending. */
export function leaveProcesses(): void {
  cluster.worker?.disconnect();
}

/**
 * The metrics of all processes that serve together, added up; of this one where it is the only one.
 *
 * @throws Refusal `unavailable` where a process has not answered in time
 */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  // Has this process answer for its own part.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | undefined) => void>();
  process.on('message', ({ kontor, ask, text }: Measured) => {
    if (kontor !== 'metrics') return;
    waiting.get(ask)?.(text);
    waiting.delete(ask);
  });
  let asks = 0;
  return async () => {
    const ask = ++asks;
    const wanted: Told = { kontor: 'metrics-wanted', ask };
    const text = await new Promise<string | undefined>((resolve) => {
      waiting.set(ask, resolve);
      process.send?.(wanted);
    });
    if (text === undefined) throw new Refusal('unavailable', 'A process has not told its metrics in time.');
    return text;
  };
}
