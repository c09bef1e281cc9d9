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

/** A row of a payee's. */
export interface OfPayee {
  readonly payeeId: string;
}

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

/** The same of rows of payees. Only here is said how a payee comes to a statement: it is what that is about, and no column of its rows. */
export interface PayeeTexts extends ColumnTexts {
  /** Whose row `v` is: `v.payee_id`. */
  readonly payee: string;
  /** What row `v` is added with, in the order of `names`: `v.*`. */
  readonly values: string;
}

/**
 * What holds a change to the rows that it is given: the caller, by the count of a `counted` one; that it `adds` each of them,
 * or fails; or that it `checks` itself, and ends with `asMany`. Behind the latter two a COMMIT may travel.
 */
type Guard = 'counted' | 'adds' | 'checks';

/** How a statement over rows is written. */
export interface OverRows<Row, Beside extends readonly unknown[], Texts = PayeeTexts> {
  readonly name: string;
  /** What travels of a row beside its payee. */
  readonly columns: Columns<Row>;
  /** How many values it has beside its rows: they are `$1`, `$2`, …, so that another column does not move them. */
  readonly beside?: Beside['length'];
  /** `counted` without it. */
  readonly guard?: Guard;
  readonly text: (columns: Texts) => string;
}

/** Such a statement over rows of payees. */
export interface PayeeStatement<Row, Beside extends readonly unknown[]> extends RowsStatement<Row, Beside> {
  /** The same over rows of one payee, which is its last value: what a distributed database can carry out where that payee is. */
  readonly ofOne: string;
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

/** Writes a statement over rows of payees: each column's name, type and value stand together, so none can drift from the others. */
export function overRows<Row extends OfPayee, Beside extends readonly unknown[] = []>(
  told: OverRows<Row, Beside>,
): PayeeStatement<Row, Beside> {
  return overRowsOf<Row, Beside>(({ payeeId }) => payeeId, told);
}

/** The same of rows that say otherwise whose they are. */
export function overRowsOf<Row extends object, Beside extends readonly unknown[] = []>(
  payeeOf: (row: Row) => string,
  { columns, text, ...told }: OverRows<Row, Beside>,
): PayeeStatement<Row, Beside> {
  const statement = overPlainRows<Row, Beside>({
    ...told,
    columns: { payee_id: ['uuid', payeeOf], ...columns },
    text: (texts) => text({ ...texts, payee: 'v.payee_id', values: 'v.*' }),
  });
  const { beside = 0 } = told;
  const payee = `$${beside + Object.keys(columns).length + 1}::uuid`;
  const texts = textsOf(columns, beside);
  const ofOne = text({
    ...texts,
    names: `payee_id, ${texts.names}`,
    matches: `payee_id = ${payee} and ${texts.matches}`,
    payee,
    values: `${payee}, v.*`,
  });
  return Object.assign(statement, { ofOne });
}

/** The same of rows that do not say whose they are: they are of one payee, which stands beside them, or of none. */
export function overPlainRows<Row extends object, Beside extends readonly unknown[] = []>({
  name,
  columns,
  beside = 0,
  guard = 'counted',
  text,
}: OverRows<Row, Beside, ColumnTexts>): RowsStatement<Row, Beside> {
  const parts = Object.values(columns).map((column) => readOf<Row>(column));
  const statement: RowsStatement<Row, Beside> = {
    name,
    text: text(textsOf(columns, beside)),
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

function textsOf(columns: Columns<never>, beside: number): ColumnTexts {
  const names = Object.keys(columns).join(', ');
  const types = Object.values(columns).map(([type], index) => `$${beside + index + 1}::${type}[]`);
  const arrays = `unnest(${types.join(', ')})`;
  const given = `cardinality(${types[0]})`;
  return {
    names,
    rows: `${arrays} as v (${names})`,
    places: `${arrays} with ordinality as v (${names}, position)`,
    matches: matchesOf(columns),
    given,
    asMany: `select 1 / (count(*) = ${given})::int from changed`,
  };
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
