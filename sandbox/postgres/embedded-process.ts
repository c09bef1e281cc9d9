import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { failedWith } from './embedded-failure.ts';
import type { EmbeddedPaths } from './embedded-paths.ts';

/** A server that runs on our files, and where it listens. */
export interface RunningServer {
  readonly processId: number;
  readonly port: number;
  /** Undefined: it listens on the loopback address instead. */
  readonly socketDirectory: string | undefined;
}

/** What `postmaster.pid` in the cluster says. The file may be older than the last power failure. */
export interface LockFile {
  readonly processId: number;
  /** Whether the process is really our server: not ended, not a zombie, not another program under the same number. */
  readonly alive: boolean;
  /** Where the server listens on the loopback address. Undefined until the server has written that it is ready. */
  readonly port: number | undefined;
  /** Whether the server has written that it starts or recovers. */
  readonly isStarting: boolean;
}

/** @returns undefined where there is no lock file, or one without a process id */
export async function readLockFile({ cluster }: EmbeddedPaths): Promise<LockFile | undefined> {
  let text: string;
  try {
    text = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
  const said = parseLockFile(text);
  return said && { ...said, alive: await isServerOf(cluster, said.processId) };
}

/**
 * Reads the lines: process id, cluster, start time, port, socket directory, listen address, shared memory, state. The server
 * writes them one after another while it starts. An address that is still empty looks like one that the server does not
 * have, so the address counts only once the last line says `ready`.
 */
export function parseLockFile(text: string): Omit<LockFile, 'alive'> | undefined {
  const [processId = '', , , port, socketDirectory, , , state = ''] = text.split('\n');
  // Without its line break the number may be cut off.
  if (!/^[1-9][0-9]*$/.test(processId) || !text.includes('\n')) return undefined;
  const isOnPort = state.trim() === 'ready' && socketDirectory === '';
  return {
    processId: Number(processId),
    port: isOnPort ? Number(port) : undefined,
    isStarting: state.trim() === 'starting',
  };
}

/**
 * Whether this process is a PostgreSQL that was started on this cluster: the whole path is an argument on its command line. A
 * zombie, which has ended without its parent having taken notice, has no command line any more.
 */
export async function isServerOf(cluster: string, processId: number): Promise<boolean> {
  // On Linux from /proc, because small container images have no `ps`. Zero bytes part the arguments there.
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => '');
    return command.includes(`\0-D\0${cluster}\0`);
  }
  const listed = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(processId)]);
  const { stdout } = await listed.catch(() => ({ stdout: '' }));
  return stdout.includes(` -D ${cluster} --`);
}
