import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { connect } from '../../src/db/server/connection.ts';
import type { TestDatabase } from '../support/database/database.ts';

/** The last migration of the version whose rows are kept here. They load into a database of this version and no other. */
export const LAST_MIGRATION = 216;

const FOLDER = join(import.meta.dirname, 'kept');
const ROWS_FILE = join(FOLDER, 'rows.sql.gz');

/** Files that a service on these rows needs beside them. */
export const KEPT_FILES = ['keys.json', 'sandbox.json'] as const;

export const keptFile = (name: string): string => join(FOLDER, name);

/** Tables whose rows no answer is made of: what was migrated, what pages are loaded from, and what instances tell each other. */
const LEFT_OUT = ['schema_migration', 'browser_file'];

/** Tables of which the latest rows say enough, and what they are in the order of. */
const LATEST: Readonly<Record<string, string>> = { api_call: 'call_id desc limit 20' };

interface Table {
  readonly name: string;
  /** Those that are written, in quotes. */
  readonly columns: readonly string[];
}

async function tablesOf({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Promise<Table[]> {
  const rows = await asAdmin(`
    select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum)::text[] as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname order by c.relname`);
  return (rows as unknown as readonly Table[]).filter(({ name }) => !LEFT_OUT.includes(name));
}

/** All rows of a database as SQL, table by table, each in the order of its text. */
export async function writeRows(database: Pick<TestDatabase, 'asAdmin'>): Promise<Readonly<Record<string, number>>> {
  const statements: string[] = [];
  const sizes: Record<string, number> = {};
  for (const { name, columns } of await tablesOf(database)) {
    const values = columns.map((column) => `coalesce(quote_literal(${column}::text), 'null')`).join(`, ', ', `);
    const some = `select * from ${name}${name in LATEST ? ` order by ${LATEST[name]}` : ''}`;
    const rows = await database.asAdmin(`select concat(${values}) as line from (${some}) t order by 1`);
    if (rows.length === 0) continue;
    const lines = rows.map(({ line }) => `(${line})`).join(',\n');
    sizes[name] = lines.length;
    statements.push(`insert into ${name} (${columns.join(', ')}) overriding system value values\n${lines};\n`);
  }
  for (const { name, last } of await database.asAdmin(
    `select sequencename as name, last_value::text as last from pg_sequences where last_value is not null`,
  )) {
    statements.push(`select setval('${name}', ${last});\n`);
  }
  await writeFile(ROWS_FILE, gzipSync(statements.join('\n'), { level: 9 }));
  return sizes;
}

/** Puts the kept rows in the place of what is in a database that has just been migrated to `LAST_MIGRATION`. */
export async function loadRows(database: Pick<TestDatabase, 'asAdmin' | 'adminUrl'>): Promise<void> {
  const rows = gunzipSync(await readFile(ROWS_FILE)).toString();
  const names = (await tablesOf(database)).map(({ name }) => name).join(', ');
  const admin = await connect(database.adminUrl);
  try {
    // What triggers would do is done in the rows, and references are there once all are.
    await admin.query(`set session_replication_role = replica; truncate ${names};\n${rows}`);
    await admin.query('analyze');
  } finally {
    await admin.end();
  }
}
