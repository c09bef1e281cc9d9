import { DatabaseRefused } from './failures.ts';
import type { Statement, Transaction } from './transaction.types.ts';

/** The oldest PostgreSQL that Kontor works with, as `server_version_num` writes it. */
const OLDEST_VERSION = 150_000;

interface ServerSettings {
  readonly version: number;
  readonly versionName: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly dataChecksums: string;
}

/**
 * Makes sure that the server knows the SQL that Kontor speaks.
 *
 * @throws DatabaseRefused on a PostgreSQL below 15
 */
export async function requireVersion(reader: Transaction): Promise<void> {
  const { version, versionName } = await readSettings(reader);
  if (version >= OLDEST_VERSION) return;
  throw new DatabaseRefused(`The server is PostgreSQL ${versionName}. Kontor needs 15 or newer: upgrade the server.`);
}

/**
 * What keeps the server from holding on to everything that it has confirmed: each complaint names the setting and the
 * remedy. Production does not start with one.
 */
export async function durabilityComplaints(reader: Transaction): Promise<readonly string[]> {
  const settings = await readSettings(reader);
  const complaints: string[] = [];
  if (settings.fsync !== 'on') {
    complaints.push('fsync is off: a crash of the machine destroys the database. Set fsync = on.');
  }
  if (settings.fullPageWrites !== 'on') {
    complaints.push('full_page_writes is off: a crash can leave half-written pages. Set full_page_writes = on.');
  }
  if (settings.synchronousCommit !== 'on' && settings.synchronousCommit !== 'remote_apply') {
    complaints.push(
      `synchronous_commit is ${settings.synchronousCommit}: a crash loses what was confirmed. ` +
        'Set synchronous_commit = on (or remote_apply), for the server, the database and the role.',
    );
  }
  return complaints;
}

/** What would make the server safer still, without being a reason not to start. */
export async function durabilityAdvice(reader: Transaction): Promise<readonly string[]> {
  const { dataChecksums } = await readSettings(reader);
  if (dataChecksums === 'on') return [];
  return [
    'Data checksums are off: a page that the disk has changed is read as if it were right. ' +
      'Stop the server and run pg_checksums --enable.',
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
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('data_checksums') as "dataChecksums"`,
};
