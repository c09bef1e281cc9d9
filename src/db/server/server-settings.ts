import type { Read, Statement, Transaction } from '../transaction.types.ts';
import { DatabaseRefused } from './failures.ts';

/** The oldest PostgreSQL that Kontor works with, as `server_version_num` writes it. */
const OLDEST_VERSION = 150_000;

interface ServerSettings {
  readonly version: number;
  readonly versionName: string;
  readonly encoding: string;
  /** Whether the role may use the schema that the tables are in. */
  readonly mayUseSchema: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  /** `replica`: no trigger and no foreign key is looked at. */
  readonly replicationRole: string;
  readonly dataChecksums: string;
  readonly isSuperuser: boolean;
  /** Whether the role owns a table of this schema, or may become the one that does. */
  readonly ownsTables: boolean;
  readonly logStatement: string;
  /** Milliseconds from which on a statement is logged: 0 is each, -1 none. */
  readonly logMinDurationMs: number;
  /** Bytes of a logged parameter; -1 is all of them. */
  readonly logParameterBytes: number;
  /** The same where a statement has failed. */
  readonly logParameterBytesOnError: number;
  readonly logErrorVerbosity: string;
  /** The version of the system's sorting rules that the database's indexes were built with, and the one of today; null: it has none. */
  readonly builtCollation: string | null;
  readonly actualCollation: string | null;
  readonly databaseName: string;
}

/**
 * Makes sure that the server knows the SQL that Kontor speaks, that the database holds every text, and that the role sees its tables.
 *
 * @throws DatabaseRefused on a PostgreSQL below 15, on a database that is not in UTF-8, and for a role that may not use the schema
 */
export async function requireDatabase(reader: Transaction): Promise<void> {
  const { version, versionName, encoding, mayUseSchema } = await readSettings(reader);
  if (version < OLDEST_VERSION) {
    throw new DatabaseRefused(`The server is PostgreSQL ${versionName}. Kontor needs 15 or newer: upgrade the server.`);
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseRefused(
      `The database is in ${encoding}, which cannot hold every name. Create one with encoding 'UTF8' template template0.`,
    );
  }
  if (!mayUseSchema) {
    throw new DatabaseRefused(
      'The role in the address may not use the schema public, so it sees no table. ' +
        'Run as its owner: grant usage on schema public to the role of KONTOR_DATABASE_URL.',
    );
  }
}

/**
 * Why production must not use the server: it would not hold on to what it has confirmed, the audit trail would not be
 * safe from the service, or values would be in the server's log. Each complaint names the remedy.
 */
export async function serverComplaints(reader: Transaction): Promise<readonly string[]> {
  const settings = await readSettings(reader);
  return [
    ...durabilityComplaints(settings),
    ...replicaComplaints(settings),
    ...roleComplaints(settings),
    ...logComplaints(settings),
    ...collationComplaints(settings),
  ];
}

/** What would make the server safer still, without being a reason not to start. */
export async function serverAdvice(reader: Transaction): Promise<readonly string[]> {
  const { dataChecksums, logErrorVerbosity, logMinDurationMs, logParameterBytes, logParameterBytesOnError } =
    await readSettings(reader);
  const advice: string[] = [];
  if (dataChecksums !== 'on') {
    advice.push(
      'Data checksums are off: a page that the disk has changed is read as if it were right. ' +
        'Stop the server and run pg_checksums --enable.',
    );
  }
  if (logMinDurationMs !== -1 && logParameterBytes !== 0) {
    advice.push('Slow statements are logged with their values. Set log_parameter_max_length = 0.');
  }
  if (logParameterBytesOnError !== 0) {
    advice.push('Failed statements are logged with their values. Set log_parameter_max_length_on_error = 0.');
  }
  if (logErrorVerbosity !== 'terse') {
    advice.push('Errors are logged with the rows that they are about. Set log_error_verbosity = terse.');
  }
  return advice;
}

function durabilityComplaints({ fsync, fullPageWrites, synchronousCommit }: ServerSettings): readonly string[] {
  const complaints: string[] = [];
  if (fsync !== 'on') {
    complaints.push('fsync is off: a crash of the machine destroys the database. Set fsync = on.');
  }
  if (fullPageWrites !== 'on') {
    complaints.push('full_page_writes is off: a crash can leave half-written pages. Set full_page_writes = on.');
  }
  if (synchronousCommit !== 'on' && synchronousCommit !== 'remote_apply') {
    complaints.push(
      `synchronous_commit is ${synchronousCommit}: a crash loses what was confirmed. ` +
        'Set synchronous_commit = on (or remote_apply), for the server, the database and the role.',
    );
  }
  return complaints;
}

/** Set while data is restored, and easily left behind for a role or a database. */
function replicaComplaints({ replicationRole }: ServerSettings): readonly string[] {
  if (replicationRole !== 'replica') return [];
  return [
    'session_replication_role is replica: triggers and foreign keys let everything through. Take it out where it is set, as a ' +
      'superuser: alter role … reset session_replication_role, or alter database … reset session_replication_role.',
  ];
}

/** A role that may change the schema can take the guards off the audit trail and off money (PCI DSS 4.0.1, 10.3.2). */
function roleComplaints({ isSuperuser, ownsTables }: ServerSettings): readonly string[] {
  const remedy = 'Give KONTOR_DATABASE_URL a role that owns nothing, and KONTOR_DATABASE_OWNER_URL to kontor migrate.';
  if (isSuperuser) return [`The role of the service is a superuser: it could change the audit trail. ${remedy}`];
  if (ownsTables) return [`The role of the service owns its tables: it could change the audit trail. ${remedy}`];
  return [];
}

/** An index whose texts are sorted by other rules than those of today does not find what is in it. */
function collationComplaints({ builtCollation, actualCollation, databaseName }: ServerSettings): readonly string[] {
  if (builtCollation === null || actualCollation === null || builtCollation === actualCollation) return [];
  const name = `"${databaseName.replaceAll('"', '""')}"`;
  return [
    `The system sorts texts by version ${actualCollation} of its rules, and indexes of this database were built with version ` +
      `${builtCollation}: a row that is there may not be found. Run as its owner \`reindex database ${name}\`, then ` +
      `\`alter database ${name} refresh collation version\`.`,
  ];
}

/** Values stand in a log of statements, unless the server cuts them to nothing (PCI DSS 4.0.1, 3.5.1). */
function logComplaints({ logStatement, logParameterBytes }: ServerSettings): readonly string[] {
  const logsChanges = logStatement === 'all' || logStatement === 'mod';
  if (!logsChanges || logParameterBytes === 0) return [];
  return [
    `log_statement is ${logStatement}: the server writes what is stored to its log. ` +
      'Set log_statement = none, or log_parameter_max_length = 0.',
  ];
}

async function readSettings(reader: Transaction): Promise<ServerSettings> {
  const { rows } = await reader.run<ServerSettings>(READ_SETTINGS, []);
  const [settings] = rows;
  if (settings === undefined) throw new DatabaseRefused('The server does not tell its settings.');
  return settings;
}

const READ_SETTINGS: Statement = {
  name: 'read-server-settings',
  text: `
    select current_setting('server_version_num')::integer as version,
      current_setting('server_version') as "versionName",
      current_setting('server_encoding') as encoding,
      coalesce(
        (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = 'public'), false
      ) as "mayUseSchema",
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('session_replication_role') as "replicationRole",
      current_setting('data_checksums') as "dataChecksums",
      current_setting('is_superuser')::boolean as "isSuperuser",
      exists (
        select from pg_class
        where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'p')
          and pg_has_role(relowner, 'member')
      ) as "ownsTables",
      current_setting('log_statement') as "logStatement",
      (select setting::integer from pg_settings where name = 'log_min_duration_statement') as "logMinDurationMs",
      (select setting::integer from pg_settings where name = 'log_parameter_max_length') as "logParameterBytes",
      (select setting::integer from pg_settings where name = 'log_parameter_max_length_on_error')
        as "logParameterBytesOnError",
      current_setting('log_error_verbosity') as "logErrorVerbosity",
      (select datcollversion from pg_database where datname = current_database()) as "builtCollation",
      (select pg_database_collation_actual_version(oid) from pg_database where datname = current_database()) as "actualCollation",
      current_database() as "databaseName"`,
};

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

/** The server's clock, in seconds since 1970. Of the server itself, not of a sandbox whose time was moved. */
export async function readClock(read: Read): Promise<number> {
  const { rows } = await read<{ readonly seconds: number }>(READ_CLOCK, []);
  return rows[0]?.seconds ?? 0;
}

const READ_CLOCK: Statement = {
  name: 'read-clock',
  text: 'select extract(epoch from clock_timestamp())::float8 as seconds',
};
