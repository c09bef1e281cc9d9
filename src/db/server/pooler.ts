import type { Statement } from '../transaction.types.ts';
import { connect } from './connection.ts';
import { DatabaseRefused } from './failures.ts';

const WHO: Statement = { name: 'find-own-session', text: 'select pg_backend_pid() as pid' };

/**
 * Makes sure that a connection has one session of PostgreSQL to itself. A pooler in transaction mode lends the session of an
 * idle connection to the next one that begins a transaction, which is how it shows.
 *
 * @throws DatabaseRefused behind a pooler in transaction or statement mode
 * @throws ConnectionLost, StatementFailed as any connection
 */
export async function requireSessions(url: string): Promise<void> {
  const [one, other] = await Promise.all([connect(url), connect(url)]);
  try {
    const before = await one.run<{ pid: number }>(WHO, []);
    await other.command('begin');
    const lent = await other.run<{ pid: number }>(WHO, []);
    const after = await one.run<{ pid: number }>(WHO, []);
    await other.command('rollback');
    const [first, second, third] = [before, lent, after].map(({ rows }) => rows[0]?.pid);
    if (first === third && first !== second) return;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
  throw new DatabaseRefused(POOLED);
}

/** What to do about a pooler that gives each transaction another session. */
export const POOLED =
  'A connection pooler such as PgBouncer gives each transaction another session. Kontor keeps prepared statements, settings and ' +
  'locks in its sessions: set pool_mode = session, or connect to PostgreSQL directly.';
