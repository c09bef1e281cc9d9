import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeState } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Payee } from '../merchants.types.ts';

const COLUMNS = `
  payee_id as "payeeId", name, created_at as "createdAt", time_zone as "timeZone", standing as state,
  standing_reason as "stateReason", standing_by as "stateBy"`;

/** Adds a payee; the number of rows is 1. */
export async function insertPayee(
  transaction: Transaction,
  payee: { payeeId: PayeeId; name: string },
): Promise<number> {
  const { count } = await transaction.run(
    { name: 'merchants-insert-payee', text: 'insert into payee (payee_id, name) values ($1::uuid, $2::text)' },
    [payee.payeeId, payee.name],
  );
  return count;
}

/** The payees but the operator, oldest first; all of them where `limit` is null. */
export function selectPayees(transaction: Transaction, limit: number | null): Promise<Rows<Payee>> {
  return transaction.run<Payee>(
    {
      name: 'merchants-select-payees',
      text: `
        select ${COLUMNS}
        from payee
        where payee_id <> '00000000-0000-0000-0000-000000000000'
        order by created_at, payee_id
        limit $1::integer`,
    },
    [limit],
  );
}

/** The payee of this id, or none. */
export function selectPayee(transaction: Transaction, payeeId: PayeeId): Promise<Rows<Payee>> {
  return transaction.run<Payee>(
    {
      name: 'merchants-select-payee',
      text: `
        select ${COLUMNS}
        from payee
        where payee_id = $1::uuid`,
    },
    [payeeId],
  );
}

/** The day where the payee is, `YYYY-MM-DD`. */
export function selectToday(read: Read, payeeId: PayeeId): Promise<Rows<{ readonly today: string }>> {
  return read(
    {
      name: 'merchants-select-today',
      text: 'select (kontor_now() at time zone time_zone)::date::text as today from payee where payee_id = $1::uuid',
    },
    [payeeId],
  );
}

/** The oldest payee of this name, or none. */
export function selectPayeeByName(transaction: Transaction, name: string): Promise<Rows<Payee>> {
  return transaction.run<Payee>(
    {
      name: 'merchants-select-payee-by-name',
      text: `
        select ${COLUMNS}
        from payee
        where name = $1::text and payee_id <> '00000000-0000-0000-0000-000000000000'
        order by created_at, payee_id
        limit 1`,
    },
    [name],
  );
}

/** Where a payee's days begin, as in `Europe/Oslo`; undefined where there is no such payee. */
export async function selectTimeZone(read: Read, payeeId: PayeeId): Promise<string | undefined> {
  const { rows } = await read<Pick<Payee, 'timeZone'>>(
    { name: 'merchants-select-time-zone', text: 'select time_zone as "timeZone" from payee where payee_id = $1::uuid' },
    [payeeId],
  );
  return rows[0]?.timeZone;
}

/** Sets the time zone of a payee, as the database spells it; the number of rows is 0 where it knows no such zone. */
export function updateTimeZone(
  transaction: Transaction,
  { payeeId, timeZone }: Pick<Payee, 'payeeId' | 'timeZone'>,
): Promise<Rows<Pick<Payee, 'timeZone'>>> {
  return transaction.run(
    {
      name: 'merchants-update-time-zone',
      text: `
        update payee set time_zone = z.name
        from pg_timezone_names z
        where payee_id = $1::uuid and z.name = $2::text
        returning time_zone as "timeZone"`,
    },
    [payeeId, timeZone],
  );
}

/** Locks a payee's row until the transaction ends. References to it do not wait; another lock does. */
export async function lockPayee(transaction: Transaction, payeeId: PayeeId): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-lock-payee',
      text: 'select payee_id from payee where payee_id = $1::uuid for no key update',
    },
    [payeeId],
  );
  return count;
}

/** Changes whether a payee takes payments; what the event that tells of it needs. */
export function updatePayeeState(
  transaction: Transaction,
  change: { readonly payeeId: PayeeId; readonly state: PayeeState; readonly reason: string; readonly by: string },
): Promise<Rows<{ readonly changes: number; readonly changedAt: string }>> {
  return transaction.run(
    {
      name: 'merchants-update-payee-state',
      text: `
        update payee
        set standing = $2::text, standing_reason = $3::text, standing_by = $4::text,
          standing_at = greatest(kontor_now(), standing_at), standing_changes = standing_changes + 1
        where payee_id = $1::uuid
        returning standing_changes as changes, standing_at as "changedAt"`,
    },
    [change.payeeId, change.state, change.reason, change.by],
  );
}

/** Whether a payee takes new payments now: one row or none. */
export async function countActivePayee(transaction: Transaction, payeeId: PayeeId): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-count-active-payee',
      text: "select 1 from payee where payee_id = $1::uuid and standing = 'Active'",
    },
    [payeeId],
  );
  return count;
}
