import type { Read, Statement, Transaction } from '../transaction.types.ts';
import { DatabaseRefused } from './failures.ts';

/** What a database is for. Test data and money never share one. */
export type InstallationMode = 'sandbox' | 'production';

/**
 * Reads what the database says it is for. One of a version that did not write it down is judged by its payees, as the
 * migration does that writes it down.
 *
 * @returns undefined where nothing has been stored yet
 */
export async function readMode(read: Read): Promise<InstallationMode | undefined> {
  const { rows: tables } = await read<{ says: boolean; hasPayees: boolean }>(FIND_TABLES, []);
  const { says, hasPayees } = tables[0] ?? { says: false, hasPayees: false };
  const [row] = says ? (await read<{ mode: InstallationMode }>(READ_MODE, [])).rows : [];
  if (row !== undefined || !hasPayees) return row?.mode;
  const { rows } = await read<{ mode: InstallationMode }>(JUDGE_MODE, []);
  return rows[0]?.mode;
}

/**
 * Makes sure that a database is used for what it is for. Nothing has been changed where it is not.
 *
 * @throws DatabaseRefused where it is for the other mode
 */
export async function requireMode(read: Read, mode: InstallationMode): Promise<void> {
  const said = await readMode(read);
  if (said === undefined || said === mode) return;
  throw new DatabaseRefused(
    said === 'production'
      ? 'This is a production database, and KONTOR_MODE is sandbox, or is missing. Nothing was changed. Load the settings of ' +
          'production, or name another database.'
      : 'This is the database of a sandbox, and KONTOR_MODE is production. Nothing was changed. Name another database: test data ' +
          'and credentials of a sandbox have no place in production.',
  );
}

/**
 * Writes down what a database is for, where it does not say so yet. It can never be changed.
 *
 * @throws DatabaseRefused where another process has meanwhile written the other mode
 */
export async function ensureMode(transaction: Transaction, mode: InstallationMode): Promise<void> {
  if ((await readMode(transaction.run)) === undefined) await transaction.run(WRITE_MODE, [mode]);
  await requireMode(transaction.run, mode);
}

const FIND_TABLES: Statement = {
  name: 'find-installation-tables',
  text: `
    select to_regclass('installation') is not null as says, to_regclass('payee') is not null as "hasPayees"`,
};

const READ_MODE: Statement = { name: 'read-installation-mode', text: 'select mode from installation' };

/** Also in the migration that makes the table, which says why. */
const JUDGE_MODE: Statement = {
  name: 'judge-installation-mode',
  text: `
    select case when exists (select from access_token where payee_id = oldest.payee_id and created_by = 'service')
      then 'sandbox' else 'production' end as mode
    from (
      select payee_id from payee where payee_id <> '00000000-0000-0000-0000-000000000000'
      order by created_at, payee_id limit 1
    ) as oldest`,
};

const WRITE_MODE: Statement = {
  name: 'write-installation-mode',
  text: 'insert into installation (mode) values ($1) on conflict do nothing',
};
