import { insertRows } from '../../db/rows/tables.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { SETTLEMENT_BATCH, SETTLEMENT_LINE } from '../settlements.tables.ts';
import type { NewBatch } from './files.types.ts';

/** Lets one import at a time in: what one has matched the other one must see. */
export function lockImports(transaction: Transaction): Promise<Rows<unknown>> {
  return transaction.run(
    { name: 'settlements-lock-imports', text: 'lock table settlement_file in share row exclusive mode' },
    [],
  );
}

/** Whether a file was read to its end before. Once a batch was withdrawn, the files before that are read again. */
export async function findFile(transaction: Transaction, acquirer: string, digest: Buffer): Promise<boolean> {
  const { count } = await transaction.run(
    {
      name: 'settlements-find-file',
      text: `
        select 1 from settlement_file f
        where f.payee_id = $1::uuid and f.acquirer = $2::text and f.digest = $3::bytea and not exists (
          select from settlement_withdrawal w where w.acquirer = $2::text and w.withdrawn_at >= f.imported_at
        )`,
    },
    [OPERATOR, acquirer, digest],
  );
  return count > 0;
}

/** A file that was read to its end. */
export interface NewFile {
  readonly acquirer: string;
  readonly digest: Buffer;
  readonly name: string;
  readonly lines: number;
}

/** Notes that a file was read to its end. */
export function insertFile(
  transaction: Transaction,
  { acquirer, digest, name, lines }: NewFile,
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-file',
      text: `
        insert into settlement_file (payee_id, acquirer, digest, name, lines, imported_at)
        values ($1::uuid, $2::text, $3::bytea, $4::text, $5::bigint, kontor_now())
        on conflict (payee_id, acquirer, digest) do update set name = excluded.name, imported_at = excluded.imported_at`,
    },
    [OPERATOR, acquirer, digest, name, lines],
  );
}

/** The digest of a batch that is there, of that name and for one of the merchant numbers that it pays; undefined where there is none. */
export async function findBatch(
  transaction: Transaction,
  { payeeId, acquirer, name, paid }: NewBatch,
): Promise<Buffer | undefined> {
  const { rows } = await transaction.run<{ readonly digest: Buffer }>(
    {
      name: 'settlements-find-batch',
      text: `
        select b.digest from settlement_batch b
        where b.payee_id = $1::uuid and b.acquirer = $2::text and b.name = $3::text and exists (
          select from settlement_line l
          where l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.batch_id = b.batch_id and l.type = 'Payout'
            and l.merchant_id = any($4::text[])
        )
        order by b.number
        limit 1`,
    },
    [payeeId, acquirer, name, [...paid]],
  );
  return rows[0]?.digest;
}

/** Whether this very batch was withdrawn. */
export async function isWithdrawn(
  transaction: Transaction,
  { payeeId, acquirer, name, digest }: NewBatch,
): Promise<boolean> {
  const { count } = await transaction.run(
    {
      name: 'settlements-find-withdrawn',
      text: `
        select 1 from settlement_withdrawal
        where payee_id = $1::uuid and acquirer = $2::text and name = $3::text and digest = $4::bytea
        limit 1`,
    },
    [payeeId, acquirer, name, digest],
  );
  return count > 0;
}

/** Adds batches. */
export const insertBatches = insertRows('settlements-insert-batches', SETTLEMENT_BATCH);

/** Adds lines of batches. */
export const insertLines = insertRows('settlements-insert-lines', SETTLEMENT_LINE);
