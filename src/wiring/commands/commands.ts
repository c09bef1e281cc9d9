import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { readConfig, readNodeOptions, readStartedByNpm } from '../../config.ts';
import { type Command, type CommandRuntime, command, flag, optional, usually } from '../../kit/command.ts';
import { showFindings } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { listenForEndings } from '../endings.ts';
import { logLine } from '../log-line.ts';
import { keepMemory } from '../process-memory.ts';
import { readSandbox } from './read-sandbox.ts';

/**
 * Percent that the service's heap may grow after a full collection before the next one. By itself V8 lets it grow to a
 * multiple on a machine with much memory: 190 MiB resident under load instead of 145, for no measurable time.
 */
const HEAP_GROWING_PERCENT = 100;

/** More processes than any machine has cores to spare for one service. */
const PROCESSES_MAX = 128;

/** Milliseconds that the end waits for the reader of the log. */
const FLUSH_WAIT_MS = 2_000;
/** The end of a line in UTF-8. */
const LINE_END = 10;

/** Says what production has to say: all of its standard output is the log. */
const announce = (text: string): void => {
  process.stdout.write(logLine('info', text));
};

/** What these commands get of this machine. */
export interface InstallationRuntime extends Pick<CommandRuntime<never>, 'print'> {
  /** Ends the process at once, where nothing else helps. */
  exit(status: number): void;
}

const serve = command({
  name: 'serve',
  about: 'run the service until it is told to stop (Ctrl-C, SIGTERM); SIGHUP reads certificates again',
  takes: {
    processes: usually(
      '<n>',
      'how many processes share the port: as many as the machine has cores to spare',
      1,
      readCount,
    ),
  },
  run: (runtime: InstallationRuntime, { processes }) =>
    processes === 1 ? runService(runtime) : runServices(processes, runtime),
});

const migrate = command({
  name: 'migrate',
  about: 'bring the database up to this version; needed before serve in production',
  json: 'print {"applied"}',
  run: async (_: InstallationRuntime) => {
    const { migrateOnly } = await import('../service.ts');
    return { applied: await migrateOnly(readConfig(), (line) => process.stderr.write(`${line}\n`)) };
  },
  show: ({ applied }) =>
    applied.length === 0 ? 'The database is of this version already.' : `Applied: ${applied.join(', ')}`,
});

const sandbox = command({
  name: 'sandbox',
  about: "print the sandbox's addresses and credentials as JSON",
  takes: { reset: flag('forget all that the sandbox has stored, and begin afresh') },
  json: 'print JSON; it always does',
  run: async ({ print }: InstallationRuntime, { reset }) =>
    print(JSON.stringify(await sandboxContent(reset), undefined, 2)),
});

const doctor = command({
  name: 'doctor',
  about: 'look whether everything is right, and say what to do where it is not',
  takes: { offline: flag('connect to no acquirer') },
  json: 'print an array of {"level", "text"}',
  run: async ({ print }: InstallationRuntime, { json, offline }) => {
    const { examine } = await import('./doctor.ts');
    showFindings(await examine(readConfig(), offline), { json, print });
  },
});

const openapi = command({
  name: 'openapi',
  about: 'print the OpenAPI document of the API',
  takes: {
    portal: flag('of what the portal needs beyond the API'),
    write: optional('<file>', 'write it to a file instead'),
  },
  json: 'print JSON; it always does',
  run: async ({ print }: InstallationRuntime, { portal, write }) => {
    const { describeApi, describePortal } = await import('../describe-api.ts');
    const document = JSON.stringify(portal ? describePortal() : describeApi(), undefined, 2);
    if (write === undefined) return print(document);
    await writeFile(write, `${document}\n`);
  },
});

/** Those that are about the installation as a whole. */
export const installationCommands: readonly Command<InstallationRuntime>[] = [serve, migrate, sandbox, doctor, openapi];

async function runService({ exit, print }: InstallationRuntime): Promise<void> {
  // V8 reads it at each collection, so it works from here too; a flag of Node's own would need every way to start us.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  if (cluster.isWorker) return runTogether(exit);
  const endings = listenForEndings({ isFromNpm: readStartedByNpm(), exit });
  // The edge is half of what there is to load, and no other command needs it.
  const { serve } = await import('../serve.ts');
  const config = readConfig();
  const running = await serve(config, config.mode === 'production' ? announce : print);
  process.on('SIGHUP', running.reloadCertificate);
  await endings.endThrough(running);
}

/** Runs the service as one of several processes: the one that has started it speaks for all of them. */
async function runTogether(exit: (status: number) => void): Promise<void> {
  const endings = listenForEndings({ isFromNpm: false, exit });
  const [{ serve }, { leaveProcesses, tellReady }] = await Promise.all([
    import('../serve.ts'),
    import('../processes.ts'),
  ]);
  try {
    const running = await serve(readConfig(), () => undefined);
    process.on('SIGHUP', running.reloadCertificate);
    tellReady(running);
    await endings.endThrough({ ...running, stop: () => running.stop().then(leaveProcesses) });
  } catch (error) {
    leaveProcesses();
    throw error;
  }
}

/** Runs the service in several processes. Nothing of it is loaded here. */
async function runServices(count: number, { exit }: InstallationRuntime): Promise<void> {
  const endings = listenForEndings({ isFromNpm: readStartedByNpm(), exit });
  const [{ serveInProcesses }, { openLogOutput }] = await Promise.all([
    import('../processes.ts'),
    import('../log-output.ts'),
  ]);
  const output = openLogOutput();
  const config = readConfig();
  keepMemory(config, readNodeOptions());
  const running = await serveInProcesses({
    count,
    config,
    print: (text) => output.write(logLine('info', text), 1),
    write: (lines) => output.write(lines.toString(), lines.filter((byte) => byte === LINE_END).length),
  });
  if (running === undefined) {
    await output.flush(FLUSH_WAIT_MS);
    return exit(1);
  }
  process.on('SIGHUP', running.reloadCertificate);
  await endings.endThrough({
    ...running,
    stop: async () => {
      await running.stop();
      await output.flush(FLUSH_WAIT_MS);
    },
  });
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^[0-9]{1,3}$/.test(text) && count >= 1 && count <= PROCESSES_MAX) return count;
  throw new Trouble(`It is a number from 1 to ${PROCESSES_MAX}.`);
}

async function sandboxContent(reset: boolean): Promise<object> {
  const config = readConfig();
  if (config.mode !== 'sandbox') throw new Trouble('This is not a sandbox: KONTOR_MODE is production.');
  const [{ beginSandbox, prepareSandbox, resetSandbox }, { openService }] = await Promise.all([
    import('../../../sandbox/prepare-sandbox.ts'),
    import('../service.ts'),
  ]);
  if (reset) await resetSandbox(config);
  const file = await readSandbox(config);
  if (file !== undefined) return file;
  const service = await openService({ config, as: 'command', mayMake: true, keys: 'required', tell: () => undefined });
  try {
    const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const { content } = await prepareSandbox(config, service, {
      ...(await beginSandbox(config, service)),
      baseUrl,
    });
    return content;
  } finally {
    await service.close();
  }
}
