import type { Rows, Statement, Transaction } from '../transaction.types.ts';
import type { AlongStatement, KeyType, Place, Portion, Standing, Walk } from './walk.types.ts';

/** No key is less, and none that is walked is equal. */
const LEAST: Readonly<Record<KeyType, unknown>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
  bigint: -1,
  boolean: false,
  timestamptz: '-infinity',
};

/** Before the first row. */
function beginningOf({ key }: Walk): Place {
  return Object.values(key).map((type) => LEAST[type]);
}

/**
 * Writes a statement about the next rows of a walk. What it reads beside them it must look up row by row, by an index, so that it takes as
 * long as the rows are many, however large the tables are. `offset 0` keeps PostgreSQL from reading a whole table once for all rows, which it
 * may do for `exists` in a condition with `or` or `case`.
 *
 * @param text gets the next rows as SQL, to stand behind `from`
 */
export function along(walk: Walk, name: string, text: (rows: string) => string): AlongStatement {
  const { columns, place, limit } = partsOf(walk);
  const rows = `(select * from ${walk.table} where (${columns}) > (${place}) order by ${columns} limit ${limit})`;
  return { name, text: text(rows), along: walk };
}

/** Reads by a statement of `along` as it must be read: rows come in the order of the walk, and all else by an index. */
export async function runAlong<Row>(
  transaction: Transaction,
  { name, text, along: walk }: AlongStatement,
  { from = beginningOf(walk), rows }: Portion,
): Promise<Rows<Row>> {
  await transaction.run(BY_INDEXES, []);
  return transaction.run<Row>({ name, text }, [...from, rows]);
}

/** Where a walk stands after so many rows more; undefined where fewer are left. */
export async function placeAfter(transaction: Transaction, walk: Walk, portion: Portion): Promise<Place | undefined> {
  const { columns, place, limit } = partsOf(walk);
  const text = `
    select ${columns} from ${walk.table}
    where (${columns}) > (${place})
    order by ${columns}
    limit 1 offset ${limit} - 1`;
  // Two walks of one table end with different columns; a name has 63 characters at most.
  const name = `walk-${walk.table}-by-${Object.keys(walk.key).at(-1)}`;
  const found = await runAlong<Readonly<Record<string, unknown>>>(transaction, { name, text, along: walk }, portion);
  return found.rows[0] && Object.values(found.rows[0]);
}

/**
 * Where a walk goes on: behind all rows of a group once it has come to the last one that there was when it came to the group. Where as much is
 * added to a group as is walked, its end would never come.
 */
export async function standingIn(
  transaction: Transaction,
  walk: Walk,
  { from, groupEnd }: Standing,
): Promise<Standing> {
  if (from === undefined) return { from, groupEnd };
  const [columns, types] = [Object.keys(walk.key), Object.values(walk.key)];
  const place = columns.length - 1;
  const isSameGroup = groupEnd !== undefined && from.every((value, at) => at === place || value === groupEnd[at]);
  const isOfGroup = columns.slice(0, place).map((column, at) => `${column} = $${at + 1}::${types[at]}`);
  const text = `
    select $${place + 1}::${types[place]} >= $${place + 2}::${types[place]} as "isPast", ${columns.join(', ')}
    from ${walk.table}
    where ${['true', ...isOfGroup].join(' and ')}
    order by ${columns[place]} desc
    limit 1`;
  await transaction.run(BY_INDEXES, []);
  const { rows } = await transaction.run<{ readonly isPast: boolean | null }>(
    { name: `walk-${walk.table}-last-by-${columns[place]}`, text },
    [...from, isSameGroup ? groupEnd[place] : null],
  );
  if (rows[0] === undefined) return { from, groupEnd: undefined };
  const { isPast, ...key } = rows[0];
  const last: Place = Object.values(key);
  return { from: isPast ? last : from, groupEnd: isSameGroup ? groupEnd : last };
}

function partsOf({ key }: Walk) {
  const types = Object.values(key);
  return {
    columns: Object.keys(key).join(', '),
    place: types.map((type, index) => `$${index + 1}::${type}`).join(', '),
    limit: `$${types.length + 1}::integer`,
  };
}

/** Until the transaction ends. Without sorting, the rows of a walk can come by their index alone. */
export const BY_INDEXES: Statement = {
  name: 'walk-by-indexes',
  text: `
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_sort', 'off', true),
      set_config('enable_bitmapscan', 'off', true)`,
};
