import type { Read, Statement } from '../../db/transaction.types.ts';
import type { ChangeObject } from './approvals.types.ts';

const CARDS: Statement = {
  name: 'portal-select-cards-of-changes',
  text: `
    select 'gift-card' as kind, account_id as id, number_masked as name, null as reference, null as "payerReference",
      available as left
    from account
    where payee_id = $1::uuid and account_id = any($2::uuid[])`,
};

const PRODUCTS: Statement = {
  name: 'portal-select-products-of-changes',
  text: `
    select 'product' as kind, product_id as id, name, null as reference, null as "payerReference", null::bigint as left
    from gift_card_product
    where payee_id = $1::uuid and product_id = any($2::text[])`,
};

/** Gift cards that changes are about, by their ids. */
export async function selectCardsOfChanges(
  read: Read,
  payeeId: string,
  accountIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(CARDS, [payeeId, accountIds])).rows;
}

/** Products that changes are about, by their ids. */
export async function selectProductsOfChanges(
  read: Read,
  payeeId: string,
  productIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(PRODUCTS, [payeeId, productIds])).rows;
}
