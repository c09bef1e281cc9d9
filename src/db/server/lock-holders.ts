import { setTimeout as pause } from 'node:timers/promises';
import type { Statement } from '../transaction.types.ts';
import type { Connection } from './connection.ts';

/** How often a waiting session is looked at: several times within the time that a migration waits for a lock. */
const LOOK_MS = 100;

interface Holder {
  readonly pid: number;
  readonly role: string | null;
  readonly program: string | null;
}

/**
 * Does work on a session, and tells from another session who holds the locks that it waits for. Each holder is told once.
 *
 * @param session the process id of the session that works
 */
export async function tellingHolders<Result>(
  { watcher, session, tell }: { readonly watcher: Connection; readonly session: number; tell(holder: string): void },
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const told = new Set<number>();
  const watch = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: end.signal });
      const { rows } = await watcher.run<Holder>(FIND_HOLDERS, [session]);
      for (const holder of rows.filter(({ pid }) => !told.has(pid))) {
        told.add(holder.pid);
        tell(describe(holder));
      }
    }
  };
  // What is told is a help: where the watching session is lost, the work goes on.
  const watching = watch().catch(() => undefined);
  try {
    return await work();
  } finally {
    end.abort();
    await watching;
  }
}

function describe({ pid, role, program }: Holder): string {
  const who = [role === null ? [] : `of role ${role}`, program === null || program === '' ? [] : `"${program}"`].flat();
  return ['session', pid, ...who].join(' ');
}

/** Any role may see whose a session is; what it does is for its owner and for who may read all statistics. */
const FIND_HOLDERS: Statement = {
  name: 'find-lock-holders',
  text: `
    select pid, usename as role, application_name as program
    from pg_stat_activity
    where pid = any (pg_blocking_pids($1))
    order by pid`,
};
