import { someOf } from '../../kit/findings.ts';
import type { Statement, Transaction } from '../transaction.types.ts';
import type { Connection } from './connection.ts';

interface Grant {
  /** As it is written after `on`: `table audit`. */
  readonly object: string;
  readonly privileges: string;
}

/**
 * Gives the service's role what it needs and takes what it does not: it reads and changes rows, it cannot change the
 * schema, and a table whose comment begins with `append-only` it can only read and add to (PCI DSS 4.0.1, 10.3.2).
 * Looks only at what the owner's role owns, and touches only what differs. Within a transaction: what is taken is given in it.
 */
export async function grantPrivileges(connection: Connection, role: string): Promise<void> {
  const { rows } = await connection.run<Grant>(FIND_WRONG_PRIVILEGES, [role]);
  const grantee = connection.escapeIdentifier(role);
  for (const { object, privileges } of rows) {
    await connection.command(`revoke all on ${object} from ${grantee}; grant ${privileges} on ${object} to ${grantee}`);
  }
}

const PRIVILEGES = `'{select,insert,update,delete,truncate,references,trigger}'::text[]`;

/** What the service's role may do with a table of a name and a comment. */
const WANTED = `
  case
    when relname = 'schema_migration' then '{select}'
    when description like 'append-only%' then '{select,insert}'
    else '{select,insert,update,delete}'
  end::text[]`;

/** Whether a role may do that with a table, or with one of its columns. Rows are deleted whole, so deleting is of no column. */
const mayInPart = (role: string) => `
  case when privilege in ('select', 'insert', 'update', 'references') then has_any_column_privilege(${role}, oid, privilege)
    else has_table_privilege(${role}, oid, privilege) end`;

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
      select oid, ${WANTED} as wanted
      from own_relation
      where relkind in ('r', 'p')
    )
    select 'schema public' as object, 'usage' as privileges
    where not has_schema_privilege($1, 'public', 'usage')
    union all
    select 'table ' || oid::regclass as object, array_to_string(wanted, ', ') as privileges
    from own_table
    where exists (
      select from unnest(${PRIVILEGES}) as privilege
      where case when privilege = any (wanted) then not has_table_privilege($1, oid, privilege)
        else ${mayInPart('$1')} end
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

interface TableRights {
  readonly table: string;
  /** Privileges that the role needs and does not have. */
  readonly missing: readonly string[];
  /** Privileges that it has and must not have. */
  readonly excess: readonly string[];
}

interface RoleRights {
  /** A superuser, or a member of the role that owns the tables, for which there is a complaint of its own. */
  readonly ownsAll: boolean;
  /** As `alter role` takes them away: `nocreaterole`. */
  readonly attributes: readonly string[];
  readonly memberships: readonly string[];
}

/**
 * How the rights of the connection's role differ from those that `kontor migrate` gives it. With fewer it cannot serve; with
 * more it could change the audit trail and the books. Each complaint names the remedy.
 */
export async function rightsComplaints(reader: Transaction): Promise<readonly string[]> {
  const { rows: roles } = await reader.run<RoleRights>(FIND_ROLE_RIGHTS, []);
  const [role] = roles;
  if (role === undefined || role.ownsAll) return [];
  const { rows: tables } = await reader.run<TableRights>(FIND_TABLE_RIGHTS, []);
  const { attributes, memberships } = role;
  const missing = tables
    .filter((table) => table.missing.length > 0)
    .map((one) => `${one.missing.join(', ')} ${one.table}`);
  const excess = tables
    .filter((table) => table.excess.length > 0)
    .map((one) => `${one.excess.join(', ')} ${one.table}`);
  return [
    ...(missing.length > 0
      ? [`The role of the service may not ${someOf(missing, '; ')}. Give it its rights: kontor migrate.`]
      : []),
    ...(attributes.length > 0
      ? [`The role of the service could give itself other rights. Run: alter role … ${attributes.join(' ')}`]
      : []),
    ...(memberships.length > 0
      ? [`The role of the service is a member of ${memberships.join(', ')}: revoke that from it.`]
      : []),
    ...(excess.length > 0 && memberships.length === 0
      ? [
          `The role of the service may ${someOf(excess, '; ')}: it could change what must not change. ` +
            'Take these rights away: kontor migrate. Those that it has by another role or by PUBLIC are to be revoked there.',
        ]
      : []),
  ];
}

const FIND_ROLE_RIGHTS: Statement = {
  name: 'find-role-rights',
  text: `
    select current_setting('is_superuser')::boolean or coalesce(pg_has_role(relowner, 'member'), false) as "ownsAll",
      array_remove(array[
        case when rolcreaterole then 'nocreaterole' end,
        case when rolreplication then 'noreplication' end,
        case when rolbypassrls then 'nobypassrls' end
      ], null) as attributes,
      array(
        select rolname::text from pg_roles
        where rolname in ('pg_write_all_data', 'pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files')
          and pg_has_role(oid, 'member')
      ) as memberships
    from pg_roles
    left join pg_class on pg_class.oid = to_regclass('schema_migration')
    where rolname = current_user`,
};

const FIND_TABLE_RIGHTS: Statement = {
  name: 'find-table-rights',
  text: `
    with own_table as (
      select oid, ${WANTED} as wanted
      from (
        select *, coalesce(obj_description(oid, 'pg_class'), '') as description from pg_class
        where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'p')
          and relowner = (select relowner from pg_class where oid = to_regclass('schema_migration'))
      ) as own_relation
    ),
    compared as (
      select oid::regclass::text as "table",
        array(
          select privilege from unnest(${PRIVILEGES}) as privilege
          where privilege = any (wanted) and not has_table_privilege(oid, privilege)
        ) as missing,
        array(
          select privilege from unnest(${PRIVILEGES}) as privilege
          where privilege <> all (wanted) and ${mayInPart('current_user')}
        ) as excess
      from own_table
    )
    select * from compared where missing <> '{}' or excess <> '{}' order by 1`,
};
