import { readFileSync, writeFileSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import type { Config } from '../config.ts';
import { Trouble } from '../kit/work/trouble.ts';

// Keys and, for moments, card data lie in the memory of the process: nothing writes that down, or lets others read it
// (PCI DSS 4.0.1, 3.3.1 and 3.5.1).

/** Options of Node that write memory to files, open it to a debugger, or end the process with a core dump. */
const TELLING = /^--(inspect|heapsnapshot|heap-prof|report-|experimental-report|abort-on-uncaught-exception)/;
const FILTER = '/proc/self/coredump_filter';
const LIMITS = '/proc/self/limits';

/** What of this process is looked at. */
export interface ProcessOptions {
  /** Options of Node, of its command line and of NODE_OPTIONS. */
  readonly options: readonly string[];
  readonly hasDebugger: boolean;
  /** Whether a crash would write the memory to a file. */
  readonly dumpsCore: boolean;
}

/**
 * Keeps the memory of a production process to itself: refuses options that tell it, writes no reports and no memory into core dumps,
 * and opens no debugger to SIGUSR1, with which Node lets every program of the same user in.
 *
 * @param nodeOptions of the environment: `NODE_OPTIONS`
 * @throws Trouble where the process was started so that its memory is told
 */
export function keepMemory(config: Pick<Config, 'mode' | 'allowsMemoryDumps'>, nodeOptions = ''): void {
  if (config.mode !== 'production' || config.allowsMemoryDumps) return;
  const options = [...process.execArgv, ...nodeOptions.split(/\s+/)];
  // Before the look at the limit: what is left out of a core dump needs none.
  const dumpsCore = !emptyCoreDumps() && hasCoreLimit();
  const complaint = memoryComplaint({ options, hasDebugger: inspectorUrl() !== undefined, dumpsCore });
  if (complaint !== undefined) throw new Trouble(complaint);
  const { report } = process;
  report.reportOnFatalError = false;
  report.reportOnSignal = false;
  report.reportOnUncaughtException = false;
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => undefined);
}

/** What is wrong with how the process was started, with the remedy; undefined where nothing is. */
export function memoryComplaint({ options, hasDebugger, dumpsCore }: ProcessOptions): string | undefined {
  const telling = options.map((option) => option.replaceAll('_', '-')).find((option) => TELLING.test(option));
  const [name] = telling?.split('=') ?? [];
  if (name !== undefined) return `Node was started with ${name}, ${WHY} Leave it out, also of NODE_OPTIONS${OR_TOLD}`;
  if (hasDebugger) return `A debugger can be attached to this process, ${WHY} Start it without --inspect${OR_TOLD}`;
  if (dumpsCore) return `A crash would write the memory of this process to a file, ${WHY} Set ulimit -c 0${OR_TOLD}`;
  return undefined;
}

const WHY = 'and keys and card data are in its memory.';
const OR_TOLD = ', or KONTOR_ALLOW_MEMORY_DUMPS=true where that is meant.';

/** Leaves all memory out of a core dump, whatever the limit of its size is. False where the system does not let us. */
function emptyCoreDumps(): boolean {
  try {
    writeFileSync(FILTER, '0');
    return true;
  } catch {
    return false;
  }
}

/** Told by Linux alone. */
function hasCoreLimit(): boolean {
  if (process.platform !== 'linux') return false;
  const soft = /^Max core file size +(\S+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
  return soft !== undefined && soft !== '0';
}
