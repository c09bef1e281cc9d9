import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../../sandbox/postgres/embedded.ts';
import type { Addresses } from '../addresses.ts';
import { postgresTree } from '../crash/crash.ts';

/** A PostgreSQL server that a test may stop and set up as it likes. */
export interface TestServer extends Addresses {
  /** Stops the server and starts it again on the same data; the addresses stay. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
  /** Its processes now: who kills them all has it started again, on the same data and addresses. */
  processIds(): Promise<number[]>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

/** A disk in memory, where the system has one. A server there does all that it does on a disk, and waits for none. */
const MEMORY_DISK = '/dev/shm';
/** What a whole run takes at most, twice: its write-ahead log is up to 2 GB. */
const ROOM_BYTES = 5e9;

/** Where a server keeps its data: in memory, if there is much room, because nothing in these tests survives the machine. */
export function serverFolder(): string {
  if (!existsSync(MEMORY_DISK)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES ? MEMORY_DISK : tmpdir();
}

/** Starts a PostgreSQL server of its own, on a new directory (about 2 s). */
export async function startServer(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(serverFolder(), 'kontor-test-'));
  // As root the server runs as another user, who must get through.
  chmodSync(dataDir, 0o711);
  const start = () => startEmbedded({ dataDir, as: 'serve', log: () => undefined });
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  let server = await start().catch((error: unknown) => {
    removeData();
    throw error;
  });
  return {
    adminUrl: server.adminUrl,
    ownerUrl: server.ownerUrl,
    appUrl: server.appUrl,
    async restart(whileStopped) {
      await server.stop();
      await whileStopped?.();
      server = await start();
    },
    processIds: () => postgresTree(dataDir),
    async remove() {
      await server.stop();
      removeData();
    },
  };
}
