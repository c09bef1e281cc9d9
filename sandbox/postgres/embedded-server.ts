import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMBEDDED_POLL_MS } from '../../src/kit/limits.ts';
import type { Host } from './embedded-cluster.ts';
import { cannotRun, failedWith } from './embedded-failure.ts';
import { type EmbeddedPaths, hasSocket } from './embedded-paths.ts';
import { isServerOf, readLockFile } from './embedded-process.ts';

/** Milliseconds for a fast shutdown, which writes one checkpoint; after that the server is stopped at once. */
const EMBEDDED_STOP_MS = 20_000;
/** Bytes of the embedded server's log before a start sets it aside; one older file is kept. */
const EMBEDDED_LOG_BYTES = 16 * 1024 * 1024;
/** Bytes of that log which are read to explain a failed start. */
const EMBEDDED_LOG_TAIL_BYTES = 8 * 1024;

/** A server that we have just spawned. */
export interface SpawnedServer {
  /** Undefined while it runs. */
  ended(): Promise<Ending | undefined>;
  /** Stops it where it still runs. */
  stop(): Promise<void>;
}

interface Ending {
  /** Whether another start would end in the same way. */
  readonly isFinal: boolean;
  /** What it wrote to its log, or the end of that. */
  readonly said: string;
}

/** What a server that fails to start may say and yet succeed a moment later: the one before is not quite gone. */
const PASSING = /lock file "[^"]+" (already exists|is empty)|shared memory block|Address already in use/;

/** On the command line, so that no file in the cluster can weaken them. */
const SETTINGS: Readonly<Record<string, string>> = {
  // A process of the service opens 22 at most, and several may share the server: processes, commands, files of tests.
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // These two would follow the size of the journal's files, which is small.
  min_wal_size: '80MB',
  wal_buffers: '8MB',
  // A session whose client was killed in mid-statement must not keep its locks until the statement ends.
  client_connection_check_interval: '500ms',
  password_encryption: 'scram-sha-256',
  unix_socket_permissions: '0700',
  // What is acknowledged is on the disk.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // The log holds no values (PCI DSS 4.0.1, 3.5.1): neither parameters, nor the details of errors, nor statements.
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '1s',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the server in a session of its own: Ctrl-C, and signals to our process group, reach us first and leave the
 * database to us until the service has drained. It outlives us if we are killed.
 *
 * @param port the one to use where the server cannot have a socket; undefined: any free one
 */
export async function spawnServer(host: Host, port: number | undefined): Promise<SpawnedServer> {
  const { paths, binaries, user } = host;
  const stale = await readLockFile(paths);
  const log = await openLog(paths);
  try {
    const logStart = (await log.stat()).size;
    const settings = Object.entries({ ...SETTINGS, ...(await listenSettings(host, port)) });
    const child = spawn(
      binaries.postgres,
      ['-D', paths.cluster, ...settings.map(([name, value]) => `--${name}=${value}`)],
      {
        cwd: paths.dataDir,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        // PostgreSQL does not start while the process in its lock file lives, be it a zombie or another program that got
        // the number. This variable, made for pg_ctl, names a process that does not count. Its other checks stay: no
        // process may still be attached to the shared memory of the server before.
        env: {
          ...binaries.environment,
          ...(stale?.alive === false && { PG_GRANDPARENT_PID: String(stale.processId) }),
        },
        ...(user !== undefined && { uid: user.userId, gid: user.groupId }),
      },
    );
    child.unref();
    return watch(child, paths, logStart);
  } finally {
    await log.close();
  }
}

/** The log is read at once when the server ends: others write to it too, and would soon hide what this one said. */
function watch(child: ChildProcess, paths: EmbeddedPaths, logStart: number): SpawnedServer {
  const end = new Promise<Ending>((resolve, reject) => {
    child.once('error', (error) => reject(cannotRun(child.spawnfile, error)));
    child.once('exit', (code) => resolve(describeEnding(code, paths, logStart)));
  });
  end.catch(() => undefined); // A caller of `ended` is told; there may be none.
  return {
    ended: () => Promise.race([end, undefined]),
    stop: async () => {
      if (child.pid !== undefined) await stopServer(paths, child.pid);
    },
  };
}

async function describeEnding(code: number | null, { log }: EmbeddedPaths, logStart: number): Promise<Ending> {
  const said = await readTail(log, logStart);
  // Killed, or stopped in good order by a user who left before we had joined: that is no failure to start.
  const hasFailed = code !== null && code !== 0;
  return { said, isFinal: hasFailed && !PASSING.test(said) };
}

/**
 * Stops the server in fast mode: open sessions are ended and a checkpoint is written. If that takes too long it is told
 * to stop at once, which costs a recovery at the next start and nothing else.
 */
export async function stopServer({ cluster }: EmbeddedPaths, processId: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServerOf(cluster, processId))) return;
    kill(processId, signal);
    const deadline = Date.now() + EMBEDDED_STOP_MS;
    while (Date.now() < deadline && (await isServerOf(cluster, processId))) await sleep(EMBEDDED_POLL_MS);
  }
}

function kill(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch (error) {
    if (!failedWith(error, 'ESRCH')) throw error;
  }
}

/** A socket in the cluster, which the server's user alone can enter; loopback TCP where its path is too long. */
async function listenSettings(
  { paths, socketNumber }: Host,
  port: number | undefined,
): Promise<Record<string, string>> {
  if (hasSocket(paths)) {
    // The setting is a list; in double quotes a path may hold a comma.
    const directory = `"${paths.cluster.replaceAll('"', '""')}"`;
    return { port: String(socketNumber), unix_socket_directories: directory, listen_addresses: '' };
  }
  return { port: String(port ?? (await findFreePort())), unix_socket_directories: '', listen_addresses: '127.0.0.1' };
}

/** Another program may take it before the server does; then the start is tried again. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** For appending. A log that has grown large is set aside first; one such older log is kept. */
async function openLog({ log }: EmbeddedPaths): Promise<FileHandle> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > EMBEDDED_LOG_BYTES) await rename(log, `${log}.1`);
  return open(log, 'a', 0o600);
}

async function readTail(path: string, from: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - EMBEDDED_LOG_TAIL_BYTES, 0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(EMBEDDED_LOG_TAIL_BYTES), { position: start });
    return buffer.subarray(0, bytesRead).toString().trim();
  } finally {
    await file.close();
  }
}
