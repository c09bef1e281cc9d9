import type { Read, Statement } from '../../db/transaction.types.ts';
import type { ListedProduct, ProductList } from './products.types.ts';

/** Products after one, of one payee or of payees between two ids; in a state, or in any. */
export const PRODUCTS: Statement = {
  name: 'portal-select-products',
  text: `
    select g.payee_id as "payeeId", p.name as "payeeName", g.product_id as "productId", g.name, g.currency,
      g.number_prefix as "numberPrefix", g.number_length as "numberLength", g.validity_months as "validityMonths",
      g.smallest_amount as "smallestAmount", g.largest_amount as "largestAmount", g.largest_balance as "largestBalance",
      g.allowed_product_ids as "allowedProductIds", g.cvc_required as "cvcRequired", g.is_default as "isDefault",
      case when g.retired_at is null then 'OnSale' else 'Retired' end as state, g.created_at as "createdAt",
      g.retired_at as "retiredAt"
    from gift_card_product g
    cross join lateral (select name from payee where payee_id = g.payee_id limit 1) p
    where (g.payee_id, g.product_id) > ($1::uuid, $2::text) and g.payee_id <= $3::uuid
      and ($4::boolean is null or (g.retired_at is null) = $4::boolean)
    order by g.payee_id, g.product_id
    limit $5::integer`,
};

const BEYOND_LAST_PAYEE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Gift-card products across payees. */
export async function selectListedProducts(
  read: Read,
  { payeeId, state, after, limit }: ProductList,
): Promise<readonly ListedProduct[]> {
  const isOnSale = state === null ? null : state === 'OnSale';
  const values = [after.payeeId, after.productId, payeeId ?? BEYOND_LAST_PAYEE, isOnSale, limit];
  return (await read<ListedProduct>(PRODUCTS, values)).rows;
}
