import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig, readNodeOptions, readStartedByNpm } from '../../config.ts';
import { showFindings } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { listenForEndings } from '../endings.ts';
import { logLine } from '../log-line.ts';
import { keepMemory } from '../process-memory.ts';
import { readSandboxFile } from './sandbox-file.ts';

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

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/**
 * Adds the commands that are about the installation as a whole.
 *
 * @param exit ends the process at once, where nothing else helps
 */
export function installationCommands(program: Command, exit: (status: number) => void): void {
  program
    .command('serve')
    .description('run the service until it is told to stop (Ctrl-C, SIGTERM); SIGHUP reads certificates again')
    .option(
      '--processes <n>',
      'how many processes share the port: as many as the machine has cores to spare',
      readCount,
      1,
    )
    .action(async ({ processes }: { processes: number }) => {
      await (processes === 1 ? runService(exit) : runServices(processes, exit));
    });
  program
    .command('migrate')
    .description('bring the database up to this version; needed before serve in production')
    .option('--json', 'print {"applied"}')
    .action(async ({ json }: { json?: true }) => {
      const { migrateOnly } = await import('../service.ts');
      const applied = await migrateOnly(readConfig(), (line) => process.stderr.write(`${line}\n`));
      if (json) return print(JSON.stringify({ applied }));
      print(applied.length === 0 ? 'The database is of this version already.' : `Applied: ${applied.join(', ')}`);
    });
  program
    .command('sandbox')
    .description("print the sandbox's addresses and credentials as JSON")
    .option('--reset', 'forget all that the sandbox has stored, and begin afresh')
    .option('--json', 'print JSON; it always does')
    .action(async ({ reset }: { reset?: true }) => showSandbox(reset === true));
  program
    .command('doctor')
    .description('look whether everything is right, and say what to do where it is not')
    .option('--offline', 'connect to no acquirer')
    .option('--json', 'print an array of {"level", "text"}')
    .action(async ({ json, offline }: { json?: true; offline?: true }) => {
      const { examine } = await import('./doctor.ts');
      showFindings(await examine(readConfig(), offline === true), { json: json === true, print });
    });
  program
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .option('--portal', 'of what the portal needs beyond the API')
    .option('--write <file>', 'write it to a file instead')
    .option('--json', 'print JSON; it always does')
    .action(async ({ portal, write }: { portal?: true; write?: string }) => {
      const { describeApi, describePortal } = await import('../describe-api.ts');
      const document = JSON.stringify(await (portal ? describePortal() : describeApi()), undefined, 2);
      if (write === undefined) return print(document);
      await writeFile(write, `${document}\n`);
    });
}

async function runService(exit: (status: number) => void): Promise<void> {
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
async function runServices(count: number, exit: (status: number) => void): Promise<void> {
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
  throw new InvalidArgumentError(`It is a number from 1 to ${PROCESSES_MAX}.`);
}

async function showSandbox(reset: boolean): Promise<void> {
  const config = readConfig();
  if (config.mode !== 'sandbox') throw new Trouble('This is not a sandbox: KONTOR_MODE is production.');
  const [{ beginSandbox, prepareSandbox, resetSandbox }, { openService }] = await Promise.all([
    import('../sandbox.ts'),
    import('../service.ts'),
  ]);
  if (reset) await resetSandbox(config);
  const file = await readSandboxFile(config.dataDir);
  if (file !== undefined) return print(JSON.stringify(file, undefined, 2));
  const service = await openService({ config, as: 'command', mayMake: true, keys: 'required', tell: () => undefined });
  try {
    const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const { content } = await prepareSandbox(config, service, {
      ...(await beginSandbox(config, service)),
      baseUrl,
    });
    print(JSON.stringify(content, undefined, 2));
  } finally {
    await service.close();
  }
}
