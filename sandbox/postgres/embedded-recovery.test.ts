import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  isAlive,
  killServer,
  query,
  serverProcessId,
  sharedDataDir,
  start,
  startChild,
  until,
} from '../../test/support/database/embedded.ts';

vi.setConfig({ testTimeout: 60_000 });

const usedDataDir = sharedDataDir();

const READ_KEPT = 'select count(*)::int as count from kept';
const READ_OWNERS = `select from pg_locks where locktype = 'advisory' and objid = 2 and mode = 'ExclusiveLock' and granted`;
const MAKE_KEPT = 'drop table if exists kept; create table kept as select generate_series(1, 1000) as value';

test('after kill -9 of the service alone the next start adopts the server', async () => {
  const dataDir = await usedDataDir();
  const child = await startChild(dataDir);
  await query(child.adminUrl ?? '', MAKE_KEPT);
  const processId = await serverProcessId(dataDir);
  await child.end('SIGKILL');
  const { adminUrl, log, stop } = await start(dataDir);
  expect(log).toEqual(['PostgreSQL runs already; joined it.']);
  expect(await serverProcessId(dataDir)).toBe(processId);
  expect(await query(adminUrl, READ_KEPT)).toEqual([{ count: 1000 }]);
  await stop();
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('a command that finds the server of a killed service uses it and stops it', async () => {
  const dataDir = await usedDataDir();
  await (await startChild(dataDir)).end('SIGKILL');
  await (await start(dataDir, 'command')).stop();
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('after kill -9 of everything the next start recovers, old backends or not', async () => {
  const dataDir = await usedDataDir();
  const child = await startChild(dataDir);
  await query(child.adminUrl ?? '', MAKE_KEPT);
  const processId = (await serverProcessId(dataDir)) ?? 0;
  await child.end('SIGKILL');
  // Only the server's first process, and without waiting: its backends notice by themselves, in a moment.
  process.kill(processId, 'SIGKILL');
  const { adminUrl } = await start(dataDir);
  expect(await serverProcessId(dataDir)).not.toBe(processId);
  expect(await query(adminUrl, READ_KEPT)).toEqual([{ count: 1000 }]);
});

test('a service whose server is killed starts it again and still owns the directory', async () => {
  const dataDir = await usedDataDir();
  const { adminUrl, stop } = await start(dataDir);
  await query(adminUrl, MAKE_KEPT);
  await killServer(dataDir);
  // Between the server's first answer and the service's claim another start may come first, and that is no mistake.
  await until(
    () =>
      query(adminUrl, READ_OWNERS).then(
        (owners) => owners.length > 0,
        () => false,
      ),
    30_000,
  );
  expect(await query(adminUrl, READ_KEPT)).toEqual([{ count: 1000 }]);
  await expect(start(dataDir)).rejects.toThrow('Another Kontor');
  await stop();
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('signals to the group reach the service only, and more than one does no harm', async () => {
  const dataDir = await usedDataDir();
  const child = await startChild(dataDir);
  const processId = (await serverProcessId(dataDir)) ?? 0;
  const description = await readFile(`/proc/${processId}/stat`, 'utf8');
  // After the name in brackets: state, parent, process group, session.
  const [, , , group, session] = description.slice(description.lastIndexOf(')')).split(' ');
  expect([group, session]).toEqual([String(processId), String(processId)]);
  const serviceGroup = child.process.pid ?? 0;
  process.kill(-serviceGroup, 'SIGINT');
  process.kill(-serviceGroup, 'SIGTERM');
  await child.end('SIGTERM');
  expect(child.process.exitCode).toBe(0);
  expect(await serverProcessId(dataDir)).toBeUndefined();
  const log = await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8');
  expect(log).toContain('database system is shut down');
});

test('a lock file whose process is a zombie is not a running server', async () => {
  const dataDir = await usedDataDir();
  await (await start(dataDir)).stop();
  // The shell's first child ends; what the shell becomes does not take notice.
  const processId = await runAsOwner(dataDir, 'sleep 0 & echo $!; exec sleep 100');
  await until(async () => !(await isAlive(processId)));
  await writeLockFile(dataDir, processId);
  await (await start(dataDir)).stop();
});

test('a lock file whose process is now another program is not a running server', async () => {
  const dataDir = await usedDataDir();
  await (await start(dataDir)).stop();
  const processId = await runAsOwner(dataDir, 'echo $$; exec sleep 100');
  await writeLockFile(dataDir, processId);
  await (await start(dataDir)).stop();
  expect(await isAlive(processId)).toBe(true);
});

test('a server whose process we cannot see is found by its socket', async () => {
  const dataDir = await usedDataDir();
  const child = await startChild(dataDir);
  const lockFile = join(dataDir, 'postgres/data/postmaster.pid');
  const text = await readFile(lockFile, 'utf8');
  // As from another container: the number means nothing here. 2 ** 22 is the largest that Linux gives, plus one.
  await writeFile(lockFile, text.replace(/^\d+/, String(2 ** 22 + 1)));
  await expect(start(dataDir)).rejects.toThrow('Another Kontor');
  await (await start(dataDir, 'command')).stop();
  await writeFile(lockFile, text);
  expect(await query(child.adminUrl ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
});

/** Runs a shell script that prints a process id, as the user that the database files belong to. */
async function runAsOwner(dataDir: string, script: string): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, 'postgres/data'));
  const shell = spawn('/bin/sh', ['-c', script], { uid, gid, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [line] = (await once(createInterface(shell.stdout), 'line')) as [string];
  return Number(line);
}

async function writeLockFile(dataDir: string, processId: number): Promise<void> {
  const cluster = join(dataDir, 'postgres/data');
  await writeFile(join(cluster, 'postmaster.pid'), `${processId}\n${cluster}\n1\n5432\n${cluster}\n\n1 1\nready   \n`);
}
