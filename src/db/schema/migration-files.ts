import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import { DatabaseRefused } from '../server/failures.ts';

/** One file of `migrations/`. */
export interface Migration {
  readonly number: number;
  /** The file's name without `.sql`, such as `000001-payees`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
  /** False where the first line says `-- no transaction`: for what PostgreSQL refuses inside one. */
  readonly inTransaction: boolean;
}

/** What the database says about a migration that it has. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

const MIGRATIONS = fileURLToPath(new URL('migrations/', PACKAGE_FOLDER));

/**
 * Reads the migrations in the order of their numbers.
 *
 * @throws DatabaseRefused on a file that is not named `NNNNNN-name.sql`, and on a number that two files have
 */
export function readMigrations(directory = MIGRATIONS): readonly Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readMigration(directory, file));
  for (const [index, { number, name }] of migrations.entries()) {
    const before = migrations[index - 1];
    if (before?.number === number) throw new DatabaseRefused(`${before.name} and ${name} have the same number.`);
  }
  return migrations;
}

function readMigration(directory: string, file: string): Migration {
  const number = /^(\d{6})-[a-z0-9-]+\.sql$/.exec(file)?.[1];
  if (number === undefined) throw new DatabaseRefused(`${file} is not named like a migration: NNNNNN-name.sql.`);
  // A checkout with other line ends is the same migration.
  const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
  return {
    number: Number(number),
    name: file.slice(0, -'.sql'.length),
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    inTransaction: !sql.startsWith('-- no transaction\n'),
  };
}

/**
 * Which migrations the database still needs. History is the same everywhere: what was applied is one of ours and has not
 * changed, none is unknown, and none is added before the last. So a database from before the baseline is refused by its
 * first name.
 *
 * @throws DatabaseRefused where that does not hold
 */
export function pendingOf(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const migration = known.get(number);
    if (migration === undefined) {
      throw new DatabaseRefused(
        `The database is newer than this version of Kontor: it has ${name}. Run the newer version.`,
      );
    }
    if (migration.name !== name) {
      throw new DatabaseRefused(
        `The database was made by a version of Kontor that this one does not follow: it has ${name}, where this one has ` +
          `${migration.name}. To keep it, run that version. To begin anew: in a sandbox \`kontor sandbox --reset\`, which ` +
          'deletes all that is in it; else name an empty database.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new DatabaseRefused(
        `${name} has changed since it was applied. Put the old text back, and make the change in a new migration.`,
      );
    }
  }
  const last = Math.max(0, ...applied.map(({ number }) => number));
  const done = new Set(applied.map(({ number }) => number));
  const pending = migrations.filter(({ number }) => !done.has(number));
  const late = pending.find(({ number }) => number < last);
  if (late === undefined) return pending;
  throw new DatabaseRefused(
    `${late.name} comes before migrations that the database already has. Give it a higher number.`,
  );
}

/**
 * The statements of a file that runs without a transaction: each ends with a semicolon at the end of a line. The server
 * would wrap a text of several statements in a transaction of its own.
 */
export function statementsOf(sql: string): readonly string[] {
  return sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
