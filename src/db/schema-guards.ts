import type { Statement, Transaction } from './transaction.types.ts';

/** What of the schema does not guard its rows any more: triggers that are disabled, as a restore or a hand may leave them. */
export async function guardComplaints(reader: Transaction): Promise<readonly string[]> {
  const { rows } = await reader.run<{ readonly guard: string; readonly remedy: string }>(FIND_IDLE_GUARDS, []);
  return rows.map(
    ({ guard, remedy }) => `The database does not hold to its rules: ${guard}. Run as the owner: ${remedy}`,
  );
}

const FIND_IDLE_GUARDS: Statement = {
  name: 'find-idle-guards',
  text: `
    with own_table as (
      select oid, oid::regclass::text as name from pg_class
      where relnamespace = current_schema()::text::regnamespace
        and relowner = (select relowner from pg_class where oid = to_regclass('schema_migration'))
    )
    select 'triggers of ' || name || ' are disabled' as guard, 'alter table ' || name || ' enable trigger all' as remedy
    from own_table
    where exists (select from pg_trigger where tgrelid = own_table.oid and tgenabled in ('D', 'R'))
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
