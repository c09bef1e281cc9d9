import type { SourceFile } from './files.ts';

/** What a statement does that keeps payments waiting, and what to do instead. */
interface Stop {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Of tables that exist: the first group of each pattern names the table. */
const STOPS: readonly Stop[] = [
  {
    pattern: /^create (?:unique )?index (?!concurrently\b)[\s\S]*? on (\w+)/,
    instead:
      'builds an index while nothing can be written: `create index concurrently`, in a file of its own without a transaction',
  },
  {
    pattern:
      /^alter table (?:only )?(\w+)[\s\S]*\badd (?:constraint \w+ )?(?:check|foreign key)\b(?![\s\S]*\bnot valid\b)/,
    instead:
      'reads the whole table under its lock: add it `not valid`, and validate it in a file without a transaction',
  },
  {
    pattern:
      /^alter table (?:only )?(\w+)[\s\S]*\badd (?:constraint \w+ )?(?:unique|primary key)\b(?![\s\S]*\busing index\b)/,
    instead: 'builds an index under its lock: build it concurrently, and add the constraint `using index`',
  },
  {
    pattern: /^alter table (?:only )?(\w+)[\s\S]*\balter (?:column )?\w+ (?:set data )?type\b/,
    instead: 'writes the table or its indexes anew under its lock: add a column, and move to it',
  },
  {
    pattern: /^alter table (?:only )?(\w+)[\s\S]*\balter (?:column )?\w+ set not null\b/,
    instead: 'reads the whole table under its lock: add a check `not valid`, validate it, and set it in a later file',
  },
  {
    pattern: /^(?:update|delete from) (?:only )?(\w+)/,
    instead: 'locks its rows until all are done: let background work do it, a few rows at a time',
  },
  {
    pattern: /^lock table (?:only )?(\w+)/,
    instead: 'locks a table: take no lock but those that a change takes itself',
  },
];

/**
 * What in a migration keeps payments waiting for longer than it takes to change the catalogue. A file whose first lines say
 * `-- stops <table>, <table>: why` may do what it likes to those tables.
 */
export function stopsOf({ path, text }: SourceFile): string[] {
  const isAlone = text.startsWith('-- no transaction\n');
  const allowed = allowedIn(text);
  const statements = statementsOf(text);
  const made = statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []);
  const isFree = (table = '') => made.includes(table) || allowed.includes(table);
  return [
    ...statements.flatMap((one) => stopsOfStatement(one, isFree)),
    ...(isAlone ? [] : stopsOfTransaction(statements, isFree)),
    ...dropsBeforeNew(statements),
    ...leftInvalid(statements),
  ].map((stop) => `${path}: ${stop}`);
}

/** The tables that a migration says that it stops. */
export function allowedIn(text: string): string[] {
  return [...text.matchAll(/^-- stops (\w+(?:, \w+)*): \S/gm)].flatMap(([, tables = '']) => tables.split(', '));
}

type IsFree = (table?: string) => boolean;

function stopsOfStatement(statement: string, isFree: IsFree): string[] {
  const found = STOPS.flatMap(({ pattern, instead }) => {
    const [, table] = pattern.exec(statement) ?? [];
    return table === undefined || isFree(table) ? [] : [`${table}: ${instead}`];
  });
  const dropped = /^drop index (?!concurrently\b)(?:if exists )?(\w+)/.exec(statement)?.[1];
  if (dropped === undefined) return found;
  return [...found, `${dropped}: waits for all who read its table, and holds up the rest: \`drop index concurrently\``];
}

function stopsOfTransaction(statements: readonly string[], isFree: IsFree): string[] {
  const changed = statements.flatMap((one) => /^alter table (?:only )?(\w+)/.exec(one)?.[1] ?? []);
  const tables = [...new Set(changed)].filter((table) => !isFree(table));
  const validated = statements.some((one) => /\bvalidate constraint\b/.test(one));
  return [
    ...(tables.length > 1 ? [`${tables.join(', ')}: the first waits locked for the second: one table a file`] : []),
    ...(validated && tables.length > 0
      ? ['validates under the lock of what it has added: in a file without a transaction']
      : []),
  ];
}

/** An index whose successor is not there yet is missed by each statement that used it. One that is made anew goes first. */
function dropsBeforeNew(statements: readonly string[]): string[] {
  const created = statements.map((one) => /^create (?:unique )?index (?:concurrently )?(\w+)/.exec(one)?.[1]);
  const lastNew = created.findLastIndex((name) => name !== undefined);
  return statements.flatMap((one, at) => {
    const dropped = /^drop index (?:concurrently )?(?:if exists )?(\w+)/.exec(one)?.[1];
    if (dropped === undefined || at > lastNew || created.includes(dropped)) return [];
    return [`${dropped}: is dropped before the new index is there: create first, under another name`];
  });
}

/** A build that fails leaves an invalid index, and the whole file runs again: so it drops that index first. */
function leftInvalid(statements: readonly string[]): string[] {
  return statements.flatMap((one, at) => {
    const name = /^create (?:unique )?index concurrently (\w+)/.exec(one)?.[1];
    const isDropped = statements.slice(0, at).includes(`drop index concurrently if exists ${name}`);
    return name === undefined || isDropped
      ? []
      : [`${name}: a failed attempt leaves it invalid: \`drop index concurrently if exists ${name}\` comes first`];
  });
}

/** Statements in lower case, without comments and without the bodies of functions. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$body$$')
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((statement) => statement !== '');
}
