import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';

/** A payer, as the rows of payers are in order. */
export interface PayerKey {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
}

/** A payer, and whether nothing is stored of them. */
interface SeenPayer extends PayerKey {
  readonly isUnused: boolean;
}

/** Some payers behind one, in order: unused are those first seen so long ago who have no token, tombstone, payment or order. */
export async function selectPayersBehind(
  { run }: Pick<Transaction, 'run'>,
  { after, days, limit }: { readonly after: PayerKey; readonly days: number; readonly limit: number },
): Promise<readonly SeenPayer[]> {
  const { rows } = await run<SeenPayer>(
    {
      name: 'orders-select-payers-behind',
      text: `
        select p.payee_id as "payeeId", p.payer_reference as "payerReference",
          p.first_seen_at < (select kontor_now()) - $3::integer * interval '1 day'
            and not exists (
              select from payer_token t
              where t.payee_id = p.payee_id and t.payer_reference = p.payer_reference and t.state <> 'Deleted')
            and not exists (
              select from payer_token t
              where t.payee_id = p.payee_id and t.payer_reference = p.payer_reference and t.state = 'Deleted')
            and not exists (
              select from card_payment c
              where c.payee_id = p.payee_id and c.payer_reference collate "C" = p.payer_reference)
            and not exists (
              select from payment_order o
              where o.payee_id = p.payee_id and o.payer_reference = p.payer_reference) as "isUnused"
        from payer p
        where (p.payee_id, p.payer_reference) > ($1::uuid, $2::text)
        order by p.payee_id, p.payer_reference
        limit $4`,
    },
    [after.payeeId, after.payerReference, days, limit],
  );
  return rows;
}
