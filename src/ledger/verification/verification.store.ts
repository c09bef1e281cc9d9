import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LastVerification, Verification } from './health.types.ts';

/** When the transaction began, ISO 8601 in UTC: a report sees all that was committed before, and nothing that came much later. */
export async function selectInstant(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.run<{ readonly instant: string }>(
    { name: 'ledger-select-instant', text: 'select transaction_timestamp() as instant' },
    [],
  );
  return rows[0]?.instant ?? '';
}

/** Adds no movement: the server looks whether one could be added. */
export async function insertNoMovement(transaction: Transaction): Promise<void> {
  await transaction.run(
    { name: 'ledger-insert-no-movement', text: 'insert into movement select * from movement where false' },
    [],
  );
}

/** Keeps what a verification found, unless one of a later instant is kept already. */
export async function upsertVerification(
  transaction: Transaction,
  payeeId: PayeeId,
  { verifiedAt, invariants, broken }: Verification,
): Promise<void> {
  await transaction.run(
    {
      name: 'ledger-upsert-verification',
      text: `
        insert into ledger_verification (payee_id, verified_at, invariants, broken)
        values ($1::uuid, $2::timestamptz, $3::integer, $4::integer)
        on conflict (payee_id) do update
        set verified_at = excluded.verified_at, invariants = excluded.invariants, broken = excluded.broken
        where ledger_verification.verified_at < excluded.verified_at`,
    },
    [payeeId, verifiedAt, invariants, broken],
  );
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
