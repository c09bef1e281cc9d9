import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { NamedPayer, SumsOfPayer } from './turnover.types.ts';

/** What the gift cards of a payer have come to, by product. */
export async function selectSumsOfPayer(
  read: Read,
  { payeeId, payerReference }: NamedPayer,
): Promise<readonly SumsOfPayer[]> {
  const { rows } = await read<SumsOfPayer>(
    {
      name: 'accounts-select-sums-of-payer',
      text: `
        select t.product_id as "productId", t.day_began_at as "dayBeganAt", t.month_began_at as "monthBeganAt",
          t.loaded_of_day as "loadedOfDay", t.loaded_of_month as "loadedOfMonth", t.spent_of_day as "spentOfDay",
          t.spent_of_month as "spentOfMonth"
        from gift_card_product p
        join gift_card_turnover t on t.payee_id = p.payee_id and t.product_id = p.product_id and t.scope = 'Payer'
          and t.subject = $2::text
        where p.payee_id = $1
        order by t.product_id`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** Puts a pseudonym in the place of a payer's reference: the sums count on, without the person. */
export function renamePayer(
  transaction: Transaction,
  { payeeId, payerReference, pseudonym }: NamedPayer & { readonly pseudonym: string },
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'accounts-rename-payer',
      text: `
        update gift_card_turnover t set subject = $3::text, version = t.version + 1
        from gift_card_product p
        where p.payee_id = $1 and t.payee_id = p.payee_id and t.product_id = p.product_id and t.scope = 'Payer'
          and t.subject = $2::text`,
    },
    [payeeId, payerReference, pseudonym],
  );
}
