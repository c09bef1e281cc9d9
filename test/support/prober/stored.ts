import { addTo } from '../../../src/kit/group-by.ts';
import type { Scanner } from './scanner.ts';

/** What a database holds, by column. */
interface Columns {
  /** One line for each column and what was found in it. */
  readonly found: readonly string[];
  readonly tables: number;
  readonly columns: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

type Read = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Searches all tables as text, but for bytes, which are searched as they are. */
export async function columnsOf(read: Read, scanner: Scanner): Promise<Columns> {
  const columns = (await read(`
    select format('%I.%I', n.nspname, c.relname) as name, a.attname::text as "column", a.atttypid = 'bytea'::regtype as "isBytes"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'm') and a.attnum > 0 and not a.attisdropped and n.nspname !~ '^(pg_|information_schema$)'
    order by 1, a.attnum`)) as readonly { name: string; column: string; isBytes: boolean }[];
  const tables = new Map<string, { column: string; isBytes: boolean }[]>();
  for (const { name, ...column } of columns) addTo(tables, name, column);
  const found: string[] = [];
  const counts: Record<string, number> = {};
  for (const [name, ofTable] of tables) {
    const asked = ofTable.map(({ column, isBytes }) => (isBytes ? `"${column}"` : `"${column}"::text`));
    const rows = await read(`select ${asked.join(', ')} from ${name}`);
    counts[name] = rows.length;
    for (const { column } of ofTable) {
      // What stands between rows is in no form.
      const parts = rows.flatMap((row) => [Buffer.from((row[column] ?? '') as string), BETWEEN_ROWS]);
      found.push(...scanner.scan(Buffer.concat(parts)).map((what) => `${name}.${column}: ${what}`));
    }
  }
  return { found, tables: tables.size, columns: columns.length, rows: counts };
}

const BETWEEN_ROWS = Buffer.from('\u0001');
