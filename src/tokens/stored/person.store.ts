import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { KnownToken } from '../tokens.types.ts';

/** Whose tokens. */
export interface Payer {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
}

/** All of a payer, the newest last. */
export async function selectTokensOf(read: Read, { payeeId, payerReference }: Payer): Promise<readonly KnownToken[]> {
  const { rows } = await read<KnownToken>(
    {
      name: 'tokens-select-of-person',
      text: `
        select token, token_type as "tokenType", instrument, state, created_at as created, display_name as "displayName",
          card_brand as "cardBrand", last_four as "lastFour", expiry_date as "expiryDate", archive_reason as "archiveReason",
          delete_comment as "deleteComment"
        from (
          select * from payer_token where payee_id = $1 and payer_reference = $2 and state <> 'Deleted'
          union all select * from payer_token where payee_id = $1 and payer_reference = $2 and state = 'Deleted'
        ) t
        order by created_at`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** Takes from tombstones of a payer what people have written on them, and answers of how many. */
export async function eraseWords(
  transaction: Transaction,
  { payeeId, payerReference, displayName }: Payer & { readonly displayName: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'tokens-erase-words',
      text: `
        update payer_token set display_name = $3, archive_reason = null, delete_comment = null
        where payee_id = $1 and payer_reference = $2 and state = 'Deleted'
          and (display_name <> $3 or archive_reason is not null or delete_comment is not null)`,
    },
    [payeeId, payerReference, displayName],
  );
  return count;
}

/**
 * Deletes those of the payers who have no token by now, not even a tombstone. They are locked before one looks: no token of theirs is added
 * then. A payer whom another transaction has locked is left out, for it is about to store a token.
 */
export async function deletePayers(transaction: Transaction, payers: readonly Payer[]): Promise<void> {
  const { rows: locked } = await transaction.run<Payer>(LOCK_UNUSED, LOCK_UNUSED.values(payers));
  await transaction.run(DELETE_UNUSED, DELETE_UNUSED.values(locked));
}

const LOCK_UNUSED = overRows<Payer>({
  name: 'tokens-lock-unused-payers',
  columns: { payer_reference: ['text', 'payerReference'] },
  text: ({ payee, rows }) => `
    select p.payee_id as "payeeId", p.payer_reference as "payerReference"
    from payer p
    join ${rows} on p.payee_id = ${payee} and p.payer_reference = v.payer_reference
    order by p.payee_id, p.payer_reference collate "C"
    for update of p skip locked`,
});

const DELETE_UNUSED = overRows<Payer>({
  name: 'tokens-delete-payers',
  columns: { payer_reference: ['text', 'payerReference'] },
  text: ({ payee, rows }) => `
    delete from payer p
    using ${rows}
    where p.payee_id = ${payee} and p.payer_reference = v.payer_reference
      and not exists (
        select from payer_token t
        where t.payee_id = p.payee_id and t.payer_reference = p.payer_reference and t.state <> 'Deleted')
      and not exists (
        select from payer_token t
        where t.payee_id = p.payee_id and t.payer_reference = p.payer_reference and t.state = 'Deleted')`,
});
