import type { Change } from '../../kit/change.types.ts';
import type { Values, ValueType } from './binary-list.ts';
import { type Columns, type OfPayee, overRows, overRowsOf, type PayeeTexts } from './over-rows.ts';

/** A column that may be empty. */
interface OrNull<Type> {
  readonly type: Type;
  readonly isNullable: true;
}

/** A column whose name is not its member's. */
interface Named<Of> {
  readonly column: string;
  readonly of: Of;
}

type Stored = Exclude<ValueType, 'jsonb'>;

/** The types whose columns can hold the value of a member. JSON holds objects and lists. */
type TypeOf<Value> =
  | { [Type in Stored]: [Value] extends [Values[Type]] ? Type : never }[Stored]
  | ([Value] extends [string | number | boolean | Buffer] ? never : 'jsonb');

/** JSON has a null of its own. */
type Plain<Value> =
  | OrNull<TypeOf<NonNullable<Value>>>
  | ([Value] extends [NonNullable<Value>] ? TypeOf<Value> : Extract<TypeOf<NonNullable<Value>>, 'jsonb'>);
type Told<Value> = Plain<Value> | Named<Plain<Value>>;
type Group<Row> = { readonly [Member in keyof Row]?: Told<Row[Member]> };
type AnyTold = string | OrNull<string> | Named<string | OrNull<string>>;

/** The columns of a table, each by the member of a row that it is here: `snakeCase` says its name. */
export interface TableColumns<Row, Key> {
  /** What finds a row. */
  readonly key: { readonly [Member in keyof Key]: Told<Exclude<Key[Member], undefined>> };
  /** Written with a new row alone. */
  readonly once?: Group<Row>;
  /** Written with a new row, and with each change of it. */
  readonly always?: Group<Row>;
  /** Written by changes alone: a new row has what the table says. */
  readonly later?: Group<Row>;
  /** Written by other statements, here or in another slice. Of any type. */
  readonly read?: { readonly [Member in keyof Row]?: AnyTold };
  /** What rows do not have here: statements of their own write and read it. */
  readonly apart?: Readonly<Record<string, AnyTold>>;
}

/** A column of a table. */
export interface TableColumn {
  /** What it is here. */
  readonly member: string;
  readonly column: string;
  /** As PostgreSQL names it. */
  readonly type: string;
  readonly isNullable: boolean;
}

/** A table, told once: all else that is written or read of its rows as a whole comes from it. */
export interface Table<Row, Key = Partial<Row>> {
  readonly name: string;
  /** All of its columns as members: `payee_id as "payeeId", number`. */
  readonly columns: string;
  readonly all: readonly TableColumn[];
  readonly apart: readonly TableColumn[];
  /** What finds a row of its payee's. */
  readonly key: Columns<Key>;
  /** What a new row is written with. */
  readonly added: Columns<Row>;
  /** What a change writes. */
  readonly changed: Columns<Row>;
}

/** Lets a column be empty. */
export function orNull<Type extends string>(type: Type): OrNull<Type> {
  return { type, isNullable: true };
}

/** Gives a column another name than that of its member. */
export function named<Of>(column: string, of: Of): Named<Of> {
  return { column, of };
}

/** The column of a member: `payeeId` is `payee_id`. */
export function snakeCase(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Tells a table. A test compares it with the schema: `test/statements/tables.test.ts`.
 *
 * @typeParam Key the members of a row that find it
 */
export function tableOf<Row extends object, Key extends object = Partial<Row>>(
  name: string,
  { key, once = {}, always = {}, later = {}, read = {}, apart = {} }: TableColumns<Row, Key>,
): Table<Row, Key> {
  const all = columnsIn({ ...key, ...once, ...always, ...later, ...read });
  const ofPayee = (columns: readonly TableColumn[]) => columns.filter(({ member }) => member !== 'payeeId');
  return {
    name,
    columns: listOf(all),
    all,
    apart: columnsIn(apart),
    key: valuesOf<Key>(ofPayee(columnsIn(key))),
    added: valuesOf<Row>(ofPayee(columnsIn({ ...key, ...once, ...always }))),
    changed: valuesOf<Row>(columnsIn({ ...always, ...later })),
  };
}

function columnsIn(group: object): TableColumn[] {
  return Object.entries(group as Readonly<Record<string, AnyTold>>).map(([member, told]) => {
    const { column, of } = typeof told === 'object' && 'of' in told ? told : { column: snakeCase(member), of: told };
    const { type, isNullable } = typeof of === 'object' ? of : { type: of, isNullable: false };
    return { member, column, type, isNullable };
  });
}

/** How the values of columns are taken from a row. JSON travels as text. */
function valuesOf<Row>(columns: readonly TableColumn[]): Columns<Row> {
  const json =
    ({ member, isNullable }: TableColumn) =>
    (row: Readonly<Record<string, unknown>>) => {
      const value = row[member];
      return isNullable && value === null ? null : JSON.stringify(value);
    };
  return Object.fromEntries(
    columns.map((column) => [column.column, [column.type, column.type === 'jsonb' ? json(column) : column.member]]),
  ) as unknown as Columns<Row>;
}

function listOf(columns: readonly TableColumn[]): string {
  return columns.map(({ column, member }) => (column === member ? column : `${column} as "${member}"`)).join(', ');
}

type Member<Row> = keyof Row & string;

function pick<Row, Key>({ name, all }: Table<Row, Key>, members: readonly Member<Row>[]): readonly TableColumn[] {
  return members.map((member) => {
    const found = all.find((one) => one.member === member);
    if (found === undefined) throw new Error(`${name} has no column for ${member}`);
    return found;
  });
}

/** Some columns of a table, for a statement over what has these members. */
export function columnsOf<Row, Key, Of extends Member<Row>>(
  table: Table<Row, Key>,
  ...members: readonly Of[]
): Columns<Pick<Row, Of>> {
  return valuesOf(pick(table, members));
}

/** Some columns of a table as members: `payee_id as "payeeId", number`. */
export function some<Row, Key>(table: Table<Row, Key>, ...members: readonly Member<Row>[]): string {
  return listOf(pick(table, members));
}

/** The columns of a table as members, all or some, of what is called `alias`: `t.payee_id as "payeeId", t.number`. */
export function columnsFrom<Row, Key>(
  alias: string,
  table: Table<Row, Key>,
  ...members: readonly Member<Row>[]
): string {
  const columns = members.length === 0 ? table.all : pick(table, members);
  return columns.map(({ column, member }) => `${alias}.${column} as "${member}"`).join(', ');
}

/** The columns of a table beside those of another one: each member begins with `prefix`, as in `namedPayeeId`. */
export function prefixed<Row, Key>(prefix: string, { all }: Table<Row, Key>): string {
  return all.map(({ column, member }) => `${column} as "${prefixedMember(prefix, member)}"`).join(', ');
}

/** The row of a table among the members of a row that has more. */
export function rowAmong<Row, Key>(prefix: string, { all }: Table<Row, Key>, row: object): Row {
  const found = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(all.map(({ member }) => [member, found[prefixedMember(prefix, member)]])) as Row;
}

function prefixedMember(prefix: string, member: string): string {
  return `${prefix}${member.charAt(0).toUpperCase()}${member.slice(1)}`;
}

/**
 * The columns of a table, all or some, as they are selected for JSON: rows that travel inside of another one. Instants are texts
 * as the driver makes them, amounts numbers, and bytes hexadecimal digits behind `\x`.
 */
export function inJson<Row, Key>(alias: string, table: Table<Row, Key>, ...members: readonly Member<Row>[]): string {
  const columns = members.length === 0 ? table.all : pick(table, members);
  return columns.map((one) => `${valueInJson(alias, one)} as "${one.member}"`).join(', ');
}

function valueInJson(alias: string, { column, type }: TableColumn): string {
  const value = `${alias}.${column}`;
  return type === 'timestamptz' ? `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : value;
}

/** The names of columns: `payee_id, number`. */
export function namesOf(columns: Columns<never>): string {
  return Object.keys(columns).join(', ');
}

/** Columns as an insert writes them that finds its row there: `state = excluded.state`. */
export function asExcluded(columns: Columns<never>): string {
  return Object.keys(columns)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}

/** How rows of a table are found, each among its payee's. */
export interface FindRows<Key> {
  readonly name: string;
  readonly table: Pick<Table<never>, 'name' | 'columns'>;
  /** What finds a row there: the other columns of an index. */
  readonly key: Columns<Key>;
  /** What is read of it, as SQL; all of its columns where it is absent. */
  readonly shown?: string;
}

/** Finds a row at most for each key, with `position`: the number of its key from 1. The limit keeps it to the index. */
export function findRows<Key extends OfPayee>({ name, table, key, shown = table.columns }: FindRows<Key>) {
  return overRows<Key>({
    name,
    columns: key,
    text: ({ places, matches }) => `
      select v.position::int, found.*
      from ${places}
      cross join lateral (select ${shown} from ${table.name} where ${matches} limit 1) found`,
  });
}

/** Adds rows to a table, in the order given. */
export function insertRows<Row extends OfPayee, Key>(name: string, { name: table, added }: Table<Row, Key>) {
  const text = ({ names, values, rows }: PayeeTexts) => `insert into ${table} (${names}) select ${values} from ${rows}`;
  return overRows<Row>({ name, columns: added, guard: 'adds', text }).call;
}

/** How rows of a table are changed, told as they are now. */
export interface UpdateRows<Row, Key, Of, Seen extends keyof Row, Changed> {
  readonly name: string;
  readonly table: Table<Row, Key>;
  /** What a row must still say. */
  readonly seen: Seen;
  readonly from: (changed: Changed) => Row[Seen];
  /** What is written; what the table says where it is absent. */
  readonly set?: readonly Of[];
}

/** Changes rows, told as they are now, each from what was seen of it. */
export function updateRows<
  Row extends OfPayee,
  Key extends object,
  Seen extends Member<Row>,
  Of extends Member<Row> = Member<Row>,
  Changed extends Pick<Row, Of> & Key & OfPayee = Pick<Row, Of> & Key & OfPayee,
>({ name, table, seen, from, set }: UpdateRows<Row, Key, Of, Seen, Changed>) {
  return updateOf<Changed>(({ payeeId }) => payeeId, {
    name,
    table: table.name,
    key: table.key as unknown as Columns<Changed>,
    seen: Object.fromEntries(
      pick(table, [seen]).map(({ column, type }) => [column, [type, from]]),
    ) as unknown as Columns<Changed>,
    set: (set === undefined ? table.changed : columnsOf(table, ...set)) as unknown as Columns<Changed>,
  });
}

/** Changes rows, told as they were and as they are, each where these of its members are as they were. */
export function updateChanges<Row extends OfPayee, Key>(
  name: string,
  table: Table<Row, Key>,
  ...seen: readonly Member<Row>[]
) {
  const { key, changed } = table;
  return updateOf<Change<Row>>(({ after }) => after.payeeId, {
    name,
    table: table.name,
    key: within('after', key as unknown as Columns<Row>),
    seen: within('before', columnsOf(table, ...seen) as Columns<Row>),
    set: within('after', changed),
  });
}

/** Columns of rows, for what has such a row as a member. */
export function within<Name extends string, Row>(
  member: Name,
  columns: Columns<Row>,
): Columns<{ readonly [Member in Name]: Row }> {
  type Holder = { readonly [Member in Name]: Row };
  const read = (source: string | ((row: Row) => unknown)) =>
    typeof source === 'string'
      ? (holder: Holder) => holder[member][source as keyof Row]
      : (holder: Holder) => source(holder[member]);
  return Object.fromEntries(
    Object.entries(columns).map(([column, [type, source]]) => [column, [type, read(source)]]),
  ) as unknown as Columns<Holder>;
}

interface Update<Changed> {
  readonly name: string;
  readonly table: string;
  readonly key: Columns<Changed>;
  readonly seen: Columns<Changed>;
  readonly set: Columns<Changed>;
}

/**
 * A change finds its row by key in a subquery with a limit, and joins it by its place (`ctid`). A plain join by key has
 * another plan too: to walk the whole table. PostgreSQL prefers that one while it believes that the table is empty, and
 * keeps it. The row must be locked by then, or be changed under a lock that its changers share: another version of it would
 * have another place.
 */
function updateOf<Changed extends object>(
  payeeOf: (changed: Changed) => string,
  { name, table, key, seen, set }: Update<Changed>,
) {
  const guards = Object.entries(seen).map(([column, source]) => [`${column}_seen`, source] as const);
  const asSeen = Object.keys(seen).map((column) => `${table}.${column} = v.${column}_seen`);
  const matches = Object.keys(key)
    .map((column) => `${column} = v.${column}`)
    .join(' and ');
  const assignments = Object.keys(set).map((column) => `${column} = v.${column}`);
  return overRowsOf<Changed>(payeeOf, {
    name,
    columns: { ...key, ...Object.fromEntries(guards), ...set },
    guard: 'checks',
    text: ({ rows, payee, asMany }) => `
      with changed as (
        update ${table}
        set ${assignments.join(', ')}
        from (
          select v.*, found.ctid as place
          from ${rows}
          cross join lateral (select ctid from ${table} where payee_id = ${payee} and ${matches} limit 1) found
        ) v
        where ${[`${table}.ctid = v.place`, ...asSeen].join(' and ')}
        returning 1
      )
      ${asMany}`,
  }).call;
}
