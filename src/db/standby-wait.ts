import type { Read, Statement } from './transaction.types.ts';

/**
 * How long the commit that waits longest for a synchronous standby has waited, in seconds; 0 where none waits.
 * `pg_stat_activity` shows a role its own sessions without a further privilege; `pg_stat_replication` would need
 * `pg_read_all_stats`. Of all instances on this database, since they share the role.
 */
export async function measureStandbyWait(read: Read): Promise<number> {
  const { rows } = await read<{ readonly seconds: number }>(LONGEST_WAIT, []);
  return rows[0]?.seconds ?? 0;
}

/** While a commit waits, its statement is the COMMIT, and began when that did. */
const LONGEST_WAIT: Statement = {
  name: 'measure-standby-wait',
  text: `
    select coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::float8 as seconds
    from pg_stat_activity
    where wait_event_type = 'IPC' and wait_event = 'SyncRep' and datname = current_database()`,
};
