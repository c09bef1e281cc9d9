import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import { type ActorColumns, namingActor, type Who } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LastVerification, VerificationRun } from './health.types.ts';

/** When the transaction began, ISO 8601 in UTC: a report sees all that was committed before, and nothing that came much later. */
export async function selectInstant(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.run<{ readonly instant: string }>(
    { name: 'ledger-select-instant', text: 'select transaction_timestamp() as instant' },
    [],
  );
  return rows[0]?.instant ?? '';
}

/** How many rows were added to the tables of this database since the server began to count. */
export async function selectRowsAdded(read: Read): Promise<number> {
  const { rows } = await read<{ readonly added: number }>(
    {
      name: 'ledger-select-rows-added',
      text: 'select tup_inserted as added from pg_stat_database where datname = current_database()',
    },
    [],
  );
  return rows[0]?.added ?? 0;
}

/** Adds no movement: the server looks whether one could be added. */
export async function insertNoMovement(transaction: Transaction): Promise<void> {
  await transaction.run(
    { name: 'ledger-insert-no-movement', text: 'insert into movement select * from movement where false' },
    [],
  );
}

/** Keeps a run, and what it found as the last result, unless one of a later instant is kept already. */
export async function insertRun(
  transaction: Transaction,
  payeeId: PayeeId,
  { runId, verifiedAt, invariants, broken, badRow }: Omit<VerificationRun, 'actor'>,
  { kind, id }: Who,
): Promise<void> {
  await transaction.run(
    {
      name: 'ledger-insert-verification-run',
      text: `
        with run as (
          insert into ledger_verification_run (payee_id, run_id, verified_at, invariants, broken, actor_kind, actor_id, bad_row)
          values ($1::uuid, $2::uuid, $3::timestamptz, $4::integer, $5::integer, $6::text, $7::text, $8::text)
          returning payee_id, verified_at, invariants, broken
        )
        insert into ledger_verification (payee_id, verified_at, invariants, broken)
        select payee_id, verified_at, invariants, broken from run
        on conflict (payee_id) do update
        set verified_at = excluded.verified_at, invariants = excluded.invariants, broken = excluded.broken
        where ledger_verification.verified_at < excluded.verified_at`,
    },
    [payeeId, runId, verifiedAt, invariants, broken, kind, id ?? null, badRow],
  );
}

/** Runs, the latest first. */
export async function selectRuns(
  transaction: Transaction,
  payeeId: PayeeId,
  limit: number,
): Promise<readonly VerificationRun[]> {
  const { rows } = await transaction.run<Omit<VerificationRun, 'actor'> & ActorColumns>(
    {
      name: 'ledger-select-verification-runs',
      text: `
        select run_id as "runId", verified_at as "verifiedAt", actor_kind as "actorKind", actor_id as "actorId",
          invariants, broken, bad_row as "badRow"
        from ledger_verification_run
        where payee_id = $1::uuid
        order by ledger_verification_run.verified_at desc, ledger_verification_run.run_id desc
        limit $2::integer`,
    },
    [payeeId, limit],
  );
  return rows.map(({ runId, verifiedAt, ...row }) => ({ runId, verifiedAt, ...namingActor(row) }));
}

/** What the last verification found, by the server's own clock. */
export function selectVerification(read: Read, payeeId: PayeeId): Promise<Rows<LastVerification>> {
  return read<LastVerification>(
    {
      name: 'ledger-select-verification',
      text: `
        select extract(epoch from clock_timestamp() - verified_at)::float8 as "ageSeconds", broken
        from ledger_verification
        where payee_id = $1::uuid`,
    },
    [payeeId],
  );
}
