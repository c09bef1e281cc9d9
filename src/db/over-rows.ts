import type { GuardedCall } from './batch/batch.types.ts';
import type { Statement } from './transaction.types.ts';

/** What a value of a column is here, by its type in PostgreSQL. JSON travels as text. */
interface Values {
  readonly bigint: number;
  readonly boolean: boolean;
  readonly bytea: Buffer;
  readonly date: string;
  readonly float8: number;
  readonly integer: number;
  readonly jsonb: string;
  readonly smallint: number;
  readonly text: string;
  readonly timestamptz: string;
  readonly uuid: string;
}

/** The members of a row that hold such a value, or null. */
type MemberWith<Row, Value> = {
  [Name in keyof Row & string]: Row[Name] extends Value | null ? Name : never;
}[keyof Row & string];

/** A column's type, and the member that it is made of, or how it is made of a row. */
type Column<Row> = {
  [Type in keyof Values]: readonly [Type, MemberWith<Row, Values[Type]> | ((row: Row) => Values[Type] | null)];
}[keyof Values];

type Source<Row> = (keyof Row & string) | ((row: Row) => unknown);

/** What the text of a statement needs of its columns. */
export interface ColumnTexts {
  /** `payee_id, token`. */
  readonly names: string;
  /** `unnest($1::uuid[], $2::uuid[]) as v (payee_id, token)`. */
  readonly rows: string;
  /** As `rows`, with `position`: the number of the row from 1. */
  readonly places: string;
}

/** How a statement over rows is written. */
export interface OverRows<Row, Beside extends readonly unknown[]> {
  readonly name: string;
  /** The columns of its rows by their names. */
  readonly columns: Readonly<Record<string, Column<Row>>>;
  /** How many values it has beside its rows: they are `$1`, `$2`, …, so that another column does not move them. */
  readonly beside?: Beside['length'];
  readonly text: (columns: ColumnTexts) => string;
}

/** A statement over rows that travel as arrays, one for each column. */
export interface RowsStatement<Row, Beside extends readonly unknown[]> extends Statement {
  /** The values of the statement. */
  values(rows: readonly Row[], ...beside: Beside): unknown[];
  /** The statement with its values, where it must touch as many rows as it is given. */
  call(rows: readonly Row[], ...beside: Beside): GuardedCall;
}

/** Writes a statement over rows: each column's name, type and value stand together, so none can drift from the others. */
export function overRows<Row extends object, Beside extends readonly unknown[] = []>({
  name,
  columns,
  beside = 0,
  text,
}: OverRows<Row, Beside>): RowsStatement<Row, Beside> {
  const names = Object.keys(columns).join(', ');
  const types = Object.values(columns).map(([type], index) => `$${beside + index + 1}::${type}[]`);
  const arrays = `unnest(${types.join(', ')})`;
  const sources = Object.values(columns).map(([, source]): Source<Row> => source);
  const statement: RowsStatement<Row, Beside> = {
    name,
    text: text({
      names,
      rows: `${arrays} as v (${names})`,
      places: `${arrays} with ordinality as v (${names}, position)`,
    }),
    values: (rows, ...others) => {
      const values: unknown[] = [...others];
      for (const source of sources) {
        values.push(typeof source === 'function' ? rows.map(source) : rows.map((row) => row[source]));
      }
      return values;
    },
    call: (rows, ...others) => ({ statement, values: statement.values(rows, ...others), expected: rows.length }),
  };
  return statement;
}
