import type { Call, GuardedCall } from '../batch/batch.types.ts';
import type { Statement } from '../transaction.types.ts';
import { type Values, type ValueType, writeList } from './binary-list.ts';

/** The members of a row that hold such a value, or null. */
type MemberWith<Row, Value> = {
  [Name in keyof Row & string]: Row[Name] extends Value | null ? Name : never;
}[keyof Row & string];

/** A column's type, and the member that it is made of, or how it is made of a row. */
type Column<Row> = {
  [Type in ValueType]: readonly [Type, MemberWith<Row, Values[Type]> | ((row: Row) => Values[Type] | null)];
}[ValueType];

/** The columns of rows by their names. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

/** What the text of a statement needs of its columns. */
export interface ColumnTexts {
  /** `payee_id, token`. */
  readonly names: string;
  /** `unnest($1::uuid[], $2::uuid[]) as v (payee_id, token)`. */
  readonly rows: string;
  /** As `rows`, with `position`: the number of the row from 1. */
  readonly places: string;
  /** `payee_id = v.payee_id and token = v.token`. */
  readonly matches: string;
  /** How many rows are given: `cardinality($1::uuid[])`. */
  readonly given: string;
  /** A query on `changed` (`with changed as (update … returning 1)`) that fails where these are not as many as the rows given. */
  readonly asMany: string;
}

/**
 * What holds a change to the rows that it is given: the caller, by the count of a `counted` one; that it `adds` each of them,
 * or fails; or that it `checks` itself, and ends with `asMany`. Behind the latter two a COMMIT may travel.
 */
type Guard = 'counted' | 'adds' | 'checks';

/** How a statement over rows is written. */
export interface OverRows<Row, Beside extends readonly unknown[]> {
  readonly name: string;
  readonly columns: Columns<Row>;
  /** How many values it has beside its rows: they are `$1`, `$2`, …, so that another column does not move them. */
  readonly beside?: Beside['length'];
  /** `counted` without it. */
  readonly guard?: Guard;
  readonly text: (columns: ColumnTexts) => string;
}

/** A statement over rows that travel as arrays, one for each column. */
export interface RowsStatement<Row, Beside extends readonly unknown[]> extends Statement {
  /** Tells rows apart by what of them travels. Of bytes each is a character: they are no text. */
  nameOf(row: Row): string;
  /** The values of the statement. */
  values(rows: readonly Row[], ...beside: Beside): unknown[];
  /** The statement with its values. */
  ask(rows: readonly Row[], ...beside: Beside): Call;
  /** The same, where it must touch as many rows as it is given. */
  call(rows: readonly Row[], ...beside: Beside): GuardedCall;
}

/** Writes a statement over rows: each column's name, type and value stand together, so none can drift from the others. */
export function overRows<Row extends object, Beside extends readonly unknown[] = []>({
  name,
  columns,
  beside = 0,
  guard = 'counted',
  text,
}: OverRows<Row, Beside>): RowsStatement<Row, Beside> {
  const names = Object.keys(columns).join(', ');
  const types = Object.values(columns).map(([type], index) => `$${beside + index + 1}::${type}[]`);
  const arrays = `unnest(${types.join(', ')})`;
  const given = `cardinality(${types[0]})`;
  const parts = Object.values(columns).map((column) => readOf<Row>(column));
  const statement: RowsStatement<Row, Beside> = {
    name,
    text: text({
      names,
      rows: `${arrays} as v (${names})`,
      places: `${arrays} with ordinality as v (${names}, position)`,
      matches: matchesOf(columns),
      given,
      asMany: `select 1 / (count(*) = ${given})::int from changed`,
    }),
    nameOf: (row) => {
      let name = '';
      for (const { read } of parts) name += `${textOf(read(row))}\0`;
      return name;
    },
    values: (rows, ...others) => [...others, ...parts.map(({ type, read }) => writeList(type, rows, read))],
    ask: (rows, ...others) => ({ statement, values: statement.values(rows, ...others) }),
    call: (rows, ...others) => ({
      statement,
      values: statement.values(rows, ...others),
      expected: guard === 'checks' ? Math.min(1, rows.length) : rows.length,
      isSure: guard !== 'counted',
    }),
  };
  return statement;
}

interface Part<Row> {
  readonly type: ValueType;
  readonly read: (row: Row) => Values[ValueType] | null;
}

function readOf<Row>([type, source]: Column<Row>): Part<Row> {
  const read = typeof source === 'function' ? source : (row: Row) => row[source];
  return { type, read: read as Part<Row>['read'] };
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}

function matchesOf(columns: Columns<never>): string {
  return Object.keys(columns)
    .map((column) => `${column} = v.${column}`)
    .join(' and ');
}
