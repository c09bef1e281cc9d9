import type { Connection } from './connection.ts';
import { inTransaction } from './transact.ts';
import type { Statement } from './transaction.types.ts';

interface Grant {
  /** As it is written after `on`: `table audit`. */
  readonly object: string;
  readonly privileges: string;
}

/**
 * Gives the service's role what it needs and takes what it does not: it reads and changes rows, it cannot change the
 * schema, and a table whose comment begins with `append-only` it can only read and add to (PCI DSS 4.0.1, 10.3.2).
 * Looks only at what the owner's role owns, and touches only what differs.
 */
export async function grantPrivileges(connection: Connection, role: string): Promise<void> {
  const { rows } = await connection.run<Grant>(FIND_WRONG_PRIVILEGES, [role]);
  const grantee = connection.escapeIdentifier(role);
  await inTransaction(connection, async () => {
    for (const { object, privileges } of rows) {
      await connection.command(
        `revoke all on ${object} from ${grantee}; grant ${privileges} on ${object} to ${grantee}`,
      );
    }
  });
}

const FIND_WRONG_PRIVILEGES: Statement = {
  name: 'find-wrong-privileges',
  text: `
    with own_relation as (
      select oid, relkind, relname, coalesce(obj_description(oid, 'pg_class'), '') as description
      from pg_class
      where relnamespace = current_schema()::text::regnamespace
        and pg_get_userbyid(relowner) = current_user
    ),
    own_table as (
      select oid, case
        when relname = 'schema_migration' then '{select}'
        when description like 'append-only%' then '{select,insert}'
        else '{select,insert,update,delete}'
      end::text[] as wanted
      from own_relation
      where relkind in ('r', 'p')
    )
    select 'schema public' as object, 'usage' as privileges
    where not has_schema_privilege($1, 'public', 'usage')
    union all
    select 'table ' || oid::regclass as object, array_to_string(wanted, ', ') as privileges
    from own_table
    where exists (
      select from unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) as privilege
      where has_table_privilege($1, oid, privilege) <> (privilege = any (wanted))
    )
    union all
    select 'sequence ' || oid::regclass, 'usage'
    from own_relation
    where case relkind when 'S' then not has_sequence_privilege($1, oid, 'usage') else false end
    union all
    select 'function ' || oid::regprocedure, 'execute'
    from pg_proc
    where pronamespace = current_schema()::text::regnamespace
      and pg_get_userbyid(proowner) = current_user
      and not has_function_privilege($1, oid, 'execute')`,
};
