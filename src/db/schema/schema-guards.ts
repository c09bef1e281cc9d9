import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import type { Statement, Transaction } from '../transaction.types.ts';

/** What migrations make to guard rows, as a database has it that was just migrated. CONTRIBUTING.md says how it is made. */
const GUARDS_FILE = new URL('migrations/guards.txt', PACKAGE_FOLDER);

/**
 * What of the schema does not guard its rows as the migrations of this version made it: triggers that are disabled or gone,
 * constraints that are not validated, constraints and functions with another text, tables that a crash would empty, as a restore or a hand may leave
 * them. What was added is not judged, but for what keeps rows from being read or written.
 */
export async function guardComplaints(reader: Transaction): Promise<readonly string[]> {
  return [...(await idleGuards(reader)), ...(await alteredGuards(reader))];
}

async function alteredGuards(reader: Transaction): Promise<readonly string[]> {
  const found = new Map((await listGuards(reader)).map(({ guard, state }) => [guard, state]));
  const expected = readFileSync(GUARDS_FILE, 'utf8').split('\n').filter(Boolean);
  return expected.flatMap((line) => {
    const [guard = '', made = ''] = line.split(': ');
    const is = found.get(guard);
    const state = is?.includes(DIGEST) ? made : made.replace(/, digest \w+/, '');
    if (is === state) return [];
    if (is === `${state}, not valid`)
      return [`The database does not hold to its rules: ${guard} is not valid. ${remedyFor(guard)}`];
    if (guard.startsWith('append-only ')) return [unmarked(guard)];
    return [
      `The schema is not as the migrations made it: ${guard} is ${is === undefined ? 'missing' : 'another one'}. Restore it from a ` +
        'backup, or as the migration has it.',
    ];
  });
}

/** By its comment, `kontor migrate` knows a table whose rows the service must not change. A dump without comments loses that. */
function unmarked(guard: string): string {
  const [, table] = guard.split(' ');
  return (
    `The table ${table} has lost the comment that makes it append-only, and kontor migrate would let the service change it. ` +
    `Run as the owner: comment on table ${table} is 'append-only'`
  );
}

function remedyFor(guard: string): string {
  const [kind, table, name] = guard.split(' ');
  return `Run as the owner: ${kind === 'index' ? `reindex index concurrently ${name}` : `alter table ${table} validate constraint ${name}`}`;
}

/** One thing that guards rows, by its name, and what it does. */
export interface Guard {
  readonly guard: string;
  readonly state: string;
}

/** The guards of a database, in the order of their names. */
export async function listGuards(reader: Transaction): Promise<readonly Guard[]> {
  return (await reader.run<Guard>(LIST_GUARDS, [])).rows;
}

/**
 * PostgreSQL writes what it has parsed: 15 to 18 write each of our definitions alike, a restored one with other brackets. A newer
 * version may write it otherwise, and must not keep a sound database from its start.
 */
const DIGEST = ', digest ';
const digestOf = (definition: string) =>
  `case when current_setting('server_version_num')::integer < 190000 then '${DIGEST}' || md5(translate(${definition}, '() ', '')) else '' end`;

const LIST_GUARDS: Statement = {
  name: 'list-guards',
  text: `
    with own as (select oid, relname from pg_class where relnamespace = current_schema()::text::regnamespace)
    select guard, state
    from (
      select 'trigger ' || own.relname || ' ' || t.tgname as guard,
        'type ' || t.tgtype || ', calls ' || p.proname
        || coalesce(', on ' || (
          select string_agg(attname, ' ' order by attnum) from pg_attribute
          where attrelid = t.tgrelid and attnum = any(t.tgattr)
        ), '')
        || case when t.tgqual is null then '' else ', under a condition' end as state
      from pg_trigger t join own on own.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal
      union all
      select 'constraint ' || own.relname || ' ' || c.conname,
        case c.contype when 'p' then 'primary key' when 'u' then 'unique' when 'f' then 'foreign key' when 'c' then 'check'
          else 'exclusion' end
        || ${digestOf("replace(pg_get_constraintdef(c.oid), ' NOT VALID', '')")}
        || case when c.convalidated then '' else ', not valid' end
      from pg_constraint c join own on own.oid = c.conrelid
      where c.contype in ('p', 'u', 'f', 'c', 'x')
      union all
      select 'append-only ' || own.relname, 'by comment'
      from own
      where obj_description(own.oid, 'pg_class') like 'append-only%'
      union all
      select 'not-null ' || own.relname || ' ' || a.attname, 'column'
      from pg_attribute a join own on own.oid = a.attrelid join pg_class c on c.oid = own.oid
      where a.attnotnull and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p')
      union all
      select 'index ' || own.relname || ' ' || named.relname,
        'unique' || ${digestOf('pg_get_indexdef(i.indexrelid, 0, true)')} || case when i.indisvalid then '' else ', not valid' end
      from pg_index i join own on own.oid = i.indrelid join pg_class named on named.oid = i.indexrelid
      where i.indisunique and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
      union all
      select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', md5(p.prosrc)
      from pg_proc p
      where p.pronamespace = current_schema()::text::regnamespace and p.prorettype = 'trigger'::regtype
    ) as found
    order by guard collate "C", state collate "C"`,
};

interface IdleGuard {
  readonly guard: string;
  readonly who: string;
  readonly remedy: string;
}

async function idleGuards(reader: Transaction): Promise<readonly string[]> {
  const { rows } = await reader.run<IdleGuard>(FIND_IDLE_GUARDS, []);
  return rows.map(
    ({ guard, who, remedy }) => `The database does not hold to its rules: ${guard}. Run as ${who}: ${remedy}`,
  );
}

/** The triggers of foreign keys are the system's: no owner may turn them on or off. */
const FIND_IDLE_GUARDS: Statement = {
  name: 'find-idle-guards',
  text: `
    with own_table as (
      select oid, oid::regclass::text as name, relrowsecurity, relpersistence from pg_class
      where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'p')
        and relowner = (select relowner from pg_class where oid = to_regclass('schema_migration'))
    )
    select 'triggers of ' || name || ' are disabled' as guard,
      case when bool_or(tgisinternal) then 'a superuser' else 'the owner' end as who,
      'alter table ' || name || ' enable trigger ' || case when bool_or(tgisinternal) then 'all' else 'user' end as remedy
    from own_table join pg_trigger on tgrelid = own_table.oid
    where tgenabled in ('D', 'R')
    group by name
    union all
    select name || ' is unlogged, so a crash empties it', 'the owner', 'alter table ' || name || ' set logged'
    from own_table
    where relpersistence = 'u'
    union all
    select 'row security of ' || name || ' hides its rows from the service', 'the owner',
      'alter table ' || name || ' disable row level security'
    from own_table
    where relrowsecurity
    union all
    select 'the rule ' || quote_ident(rulename) || ' of ' || name || ' changes what is written', 'the owner',
      'drop rule ' || quote_ident(rulename) || ' on ' || name
    from own_table join pg_rewrite on ev_class = own_table.oid
    order by 1`,
};

/** Connections that the server gives the role at most: of the server, of the database and of the role the least. */
export async function countConnections(reader: Transaction): Promise<number> {
  const { rows } = await reader.run<{ readonly most: number }>(COUNT_CONNECTIONS, []);
  return rows[0]?.most ?? 0;
}

const COUNT_CONNECTIONS: Statement = {
  name: 'count-connections',
  text: `
    select least(
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true)::integer, 0),
      nullif(rolconnlimit, -1),
      nullif(datconnlimit, -1)
    ) as most
    from pg_roles, pg_database
    where rolname = current_user and datname = current_database()`,
};
