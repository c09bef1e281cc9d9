import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { failedWith } from './embedded-failure.ts';
import type { EmbeddedPaths } from './embedded-paths.ts';

/** A server that runs on our files, as its lock file describes it. */
export interface RunningServer {
  readonly processId: number;
  readonly port: number;
  /** Undefined: it listens on the loopback address instead. */
  readonly socketDirectory: string | undefined;
}

/** What `postmaster.pid` in the cluster says. The file may be older than the last power failure. */
export interface LockFile extends RunningServer {
  /** Whether the process is really our server: not ended, not a zombie, not another program under the same number. */
  readonly alive: boolean;
}

/** @returns undefined where there is no lock file, or one that is still being written */
export async function readLockFile({ cluster }: EmbeddedPaths): Promise<LockFile | undefined> {
  let text: string;
  try {
    text = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
  // Line by line: process id, cluster, start time, port, socket directory, listen address, shared memory, state.
  const [processId, , , port, socketDirectory, sixth] = text.split('\n');
  if (sixth === undefined) return undefined;
  const server = { processId: Number(processId), port: Number(port), socketDirectory: socketDirectory || undefined };
  return { ...server, alive: await isServerOf(cluster, server.processId) };
}

/**
 * Whether this process is a PostgreSQL that was started on this cluster: its command line holds the path. A zombie, which
 * has ended without its parent having taken notice, has no command line any more.
 */
export async function isServerOf(cluster: string, processId: number): Promise<boolean> {
  const command = await readCommandLine(processId).catch(() => '');
  return command.includes(cluster);
}

/** On Linux from /proc, because small container images have no `ps`. */
async function readCommandLine(processId: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${processId}/cmdline`, 'utf8');
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(processId)]);
  return stdout;
}
