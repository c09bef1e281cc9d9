import type { Read, Rows, Statement } from '../transaction.types.ts';

// Who keeps PostgreSQL from removing row versions that no other session needs any more: payments walk past each of them.

/** A snapshot that is held. */
export interface HeldSnapshot {
  /** As in `the session 4711 of kontor (pg_dump)`. */
  readonly holder: string;
  /** How long; null where PostgreSQL does not say: of slots and standbys. */
  readonly seconds: number | null;
  /** Transactions that have begun since. */
  readonly transactions: number;
}

/** Snapshots that are held of this database. Sessions of other roles show where the role is a member of `pg_read_all_stats`. */
export async function findHeldSnapshots(read: Read): Promise<readonly HeldSnapshot[]> {
  const { rows }: Rows<HeldSnapshot> = await read<HeldSnapshot>(HELD_SNAPSHOTS, []);
  return rows;
}

/** How long the snapshot that is held longest has been held, in seconds; 0 where none is. */
export async function measureHeldSnapshots(read: Read): Promise<number> {
  return Math.max(0, ...(await findHeldSnapshots(read)).map(({ seconds }) => seconds ?? 0));
}

/** Seconds from which a snapshot is named to an operator, and transactions where there are no seconds. */
const LONG_SECONDS = 300;
const MANY_TRANSACTIONS = 500_000;

/** Words for each snapshot that has been held for long. */
export async function heldSnapshotAdvice(read: Read): Promise<readonly string[]> {
  const held = await findHeldSnapshots(read);
  return held.flatMap(({ holder, seconds, transactions }) => {
    if (seconds === null ? transactions < MANY_TRANSACTIONS : seconds < LONG_SECONDS) return [];
    const since = seconds === null ? `${transactions} transactions` : `${Math.round(seconds / 60)} minutes`;
    return [
      `A snapshot has been held for ${since} by ${holder}: nothing that was changed since can be cleaned up, and payments get ` +
        'slower. End what holds it, or let it run on a standby without hot_standby_feedback.',
    ];
  });
}

const HELD_SNAPSHOTS: Statement = {
  name: 'find-held-snapshots',
  text: `
    select 'the session ' || pid || coalesce(' of ' || usename, '') || coalesce(' (' || nullif(application_name, '') || ')', '') as holder,
      extract(epoch from clock_timestamp() - xact_start)::float8 as seconds, age(coalesce(backend_xmin, backend_xid))::integer as transactions
    from pg_stat_activity
    -- One that has changed something and is idle within its transaction has no snapshot, and holds the same by its number.
    where (datname = current_database() or datname is null) and coalesce(backend_xmin, backend_xid) is not null
      and pid <> pg_backend_pid()
    union all
    select 'the prepared transaction ' || gid, extract(epoch from clock_timestamp() - prepared)::float8, age(transaction)::integer
    from pg_prepared_xacts where database = current_database()
    union all
    select 'the replication slot ' || slot_name, null, greatest(age(xmin), age(catalog_xmin))::integer
    from pg_replication_slots where xmin is not null or catalog_xmin is not null`,
};
