import { setTimeout as pause } from 'node:timers/promises';
import { type RetryOptions, retrying } from '../retry.ts';
import { type Connection, connect, roleOf, type Settings } from '../server/connection.ts';
import { DatabaseRefused, isCollision, isLockTimeout } from '../server/failures.ts';
import { tellingHolders } from '../server/lock-holders.ts';
import { grantPrivileges } from '../server/privileges.ts';
import { requireDatabase } from '../server/server-settings.ts';
import { inTransaction } from '../transact.ts';
import type { Read, Statement } from '../transaction.types.ts';
import { type AppliedMigration, type Migration, pendingOf, readMigrations, statementsOf } from './migration-files.ts';

/**
 * How long a migration waits for a lock. Payments that need the table queue behind it meanwhile, so they stop no longer than
 * that: then it gives way, and asks again after a pause.
 */
const MIGRATION_LOCK_TIMEOUT_MS = 300;
/** Times that a migration is tried again when another session holds a lock that it needs: a backup may hold it for minutes. */
const MIGRATION_RETRIES = 400;
/** Longest pause before such a retry, in milliseconds: time for the transactions that queued behind us to pass. */
const MIGRATION_RETRY_PAUSE_MS = 3_000;
/** How long to wait for another process that migrates. Building an index of a large table takes minutes. */
const MIGRATION_WAIT_MS = 30 * 60_000;
/** How long `create index concurrently` waits for older transactions; no other transaction waits for it meanwhile. */
const CONCURRENT_INDEX_LOCK_TIMEOUT_MS = 30_000;

export interface MigrateOptions {
  /** Address with the role that owns the tables. */
  readonly ownerUrl: string;
  /** Address of the service. Its role gets its privileges, where it is another one than the owner. */
  readonly appUrl: string;
  /** Where the files are. Default: `migrations/` of this package. */
  readonly directory?: string;
  /** Is told in words what a migration waits for. */
  readonly tell?: (line: string) => void;
}

/**
 * Brings the database up to this version: applies the migrations that it lacks, then gives the service's role its
 * privileges. Any number of processes may do so at once; one works, the others wait for it.
 *
 * @returns the names of the migrations that this call has applied
 * @throws DatabaseRefused where a file has changed, the database is newer, or PostgreSQL is too old
 * @throws ConnectionLost where the database is away
 * @throws StatementFailed where a migration fails; those before it stay
 */
export async function migrate({
  ownerUrl,
  appUrl,
  directory,
  tell = () => undefined,
}: MigrateOptions): Promise<readonly string[]> {
  const migrations = readMigrations(directory);
  const connection = await connect(ownerUrl, SESSION);
  try {
    await requireDatabase(connection);
    await waitForTurn(connection);
    await requireSameDatabase(connection, appUrl);
    await connection.command(CREATE_TABLE);
    const applied = await readApplied(connection);
    const pending = pendingOf(migrations, applied);
    const appRole = roleOf(appUrl);
    const grant = async () => {
      if (appRole !== roleOf(ownerUrl)) await grantPrivileges(connection, appRole);
    };
    // Where a service may run beside it, each migration brings the rights to what it makes: its triggers act as the service's role.
    const grantWithEach = applied.length > 0 ? grant : () => Promise.resolve();
    try {
      if (pending.length > 0) await applyAll({ connection, ownerUrl, tell, grant: grantWithEach }, pending);
    } finally {
      // Also for those before one that fails: the service goes on with them.
      await retrying(WHILE_IN_USE, () => inTransaction(connection, grant));
    }
    return pending.map(({ name }) => name);
  } finally {
    // Gives the advisory lock back too.
    await connection.end();
  }
}

/**
 * The names of the migrations that the database still needs, for those who must not migrate themselves.
 *
 * @throws DatabaseRefused where a file has changed or the database is newer
 */
export async function pendingMigrations(
  database: { readonly read: Read },
  directory?: string,
): Promise<readonly string[]> {
  const { rows } = await database.read<{ exists: boolean }>(TABLE_EXISTS, []);
  const applied = rows[0]?.exists ? await readApplied({ run: database.read }) : [];
  return pendingOf(readMigrations(directory), applied).map(({ name }) => name);
}

const SESSION: Settings = {
  lock_timeout: `${MIGRATION_LOCK_TIMEOUT_MS}ms`,
  // An index of a large table takes as long as it takes, whatever the role's own setting is.
  statement_timeout: '0',
};

/** A lock that a migration needs is held by the running service: it goes to the end of the queue and asks again. */
const WHILE_IN_USE: RetryOptions = {
  retries: MIGRATION_RETRIES,
  pauseCapMs: MIGRATION_RETRY_PAUSE_MS,
  isWorthRepeating: (error) => isLockTimeout(error) || isCollision(error),
};

/**
 * Makes sure that the owner's address leads to the service's database. If the service's role cannot connect yet, its first start says why.
 *
 * @throws DatabaseRefused where the two addresses lead to two databases
 */
async function requireSameDatabase(owner: Connection, appUrl: string): Promise<void> {
  const app = await connect(appUrl).catch(() => undefined);
  if (app === undefined) return;
  try {
    const [one, other] = await Promise.all([owner, app].map((connection) => connection.run<Identity>(IDENTITY, [])));
    const [{ system, database } = {}, otherIdentity] = [one?.rows[0], other?.rows[0]];
    if (system === otherIdentity?.system && database === otherIdentity?.database) return;
  } finally {
    await app.end();
  }
  throw new DatabaseRefused(
    'KONTOR_DATABASE_URL and KONTOR_DATABASE_OWNER_URL lead to two databases. Give both the same host and database.',
  );
}

interface Identity {
  readonly system: string;
  readonly database: string;
}

const IDENTITY: Statement = {
  name: 'identify-database',
  text: `select system_identifier::text as system, current_database() as database from pg_control_system()`,
};

/**
 * Waits until no other process migrates this database. By asking, not by waiting inside a statement: `create index
 * concurrently` waits for every statement that is under way, hence for a waiting one for ever.
 */
async function waitForTurn(connection: Connection): Promise<void> {
  const giveUpAt = performance.now() + MIGRATION_WAIT_MS;
  while (performance.now() < giveUpAt) {
    const { rows } = await connection.run<{ isOurs: boolean }>(TAKE_LOCK, []);
    if (rows[0]?.isOurs) return;
    await pause(20 + Math.random() * 80);
  }
  throw new DatabaseRefused('Another process migrates this database and does not come to an end. Stop it first.');
}

interface Applying extends Required<Pick<MigrateOptions, 'ownerUrl' | 'tell'>> {
  readonly connection: Connection;
  /** Gives the service's role its privileges, in the transaction of a migration. */
  readonly grant: () => Promise<void>;
}

/** Applies migrations one after the other. A second session tells who holds what they wait for. */
async function applyAll({ connection, ownerUrl, tell, grant }: Applying, pending: readonly Migration[]): Promise<void> {
  const watcher = await connect(ownerUrl);
  try {
    const { rows } = await connection.run<{ session: number }>(OWN_SESSION, []);
    const session = rows[0]?.session ?? 0;
    for (const migration of pending) {
      const tellHolder = (holder: string) => {
        tell(`${migration.name} waits for a lock that ${holder} holds, and tries again. Payments go on.`);
      };
      await tellingHolders({ watcher, session, tell: tellHolder }, () =>
        retrying(WHILE_IN_USE, () => apply(connection, migration, grant)),
      );
    }
  } finally {
    await watcher.end();
  }
}

async function apply(connection: Connection, migration: Migration, grant: Applying['grant']): Promise<void> {
  const record = async () => {
    await grant();
    await connection.run(RECORD, [migration.number, migration.name, migration.checksum]);
  };
  if (migration.inTransaction) {
    await inTransaction(connection, async () => {
      await connection.command(migration.sql);
      await record();
    });
    return;
  }
  // What a failed first half has left behind is the file's own to clear away: it runs again from its start.
  for (const statement of statementsOf(migration.sql)) {
    const wait = /\bconcurrently\b/.test(statement) ? CONCURRENT_INDEX_LOCK_TIMEOUT_MS : MIGRATION_LOCK_TIMEOUT_MS;
    await connection.command(`set lock_timeout = ${wait}`);
    await connection.command(statement);
  }
  await connection.command(`set lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`);
  await record();
}

async function readApplied(reader: { readonly run: Read }): Promise<readonly AppliedMigration[]> {
  return (await reader.run<AppliedMigration>(READ_APPLIED, [])).rows;
}

const CREATE_TABLE = `
  create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

/** The number is any; it only has to be ours. */
const TAKE_LOCK: Statement = {
  name: 'take-migration-lock',
  text: `select pg_try_advisory_lock(5006231847) as "isOurs"`,
};

const OWN_SESSION: Statement = {
  name: 'read-own-session',
  text: 'select pg_backend_pid() as session',
};

const TABLE_EXISTS: Statement = {
  name: 'find-migration-table',
  text: `select to_regclass('schema_migration') is not null as "exists"`,
};

const READ_APPLIED: Statement = {
  name: 'read-applied-migrations',
  text: 'select number, name, checksum from schema_migration order by number',
};

const RECORD: Statement = {
  name: 'record-migration',
  text: 'insert into schema_migration (number, name, checksum) values ($1, $2, $3)',
};
