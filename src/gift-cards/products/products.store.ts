import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Product, ProductKey, ProductTerms } from '../gift-cards.types.ts';

const PRODUCT_COLUMNS = `
  g.payee_id as "payeeId", g.product_id as "productId", g.name, g.currency, g.number_prefix as "numberPrefix",
  g.number_length as "numberLength", g.validity_months as "validityMonths", g.smallest_amount as "smallestAmount",
  g.largest_amount as "largestAmount", g.largest_balance as "largestBalance",
  g.allowed_product_ids as "allowedProductIds", g.cvc_required as "cvcRequired", g.is_default as "isDefault",
  g.merge_keeps_limits as "mergeKeepsLimits", g.retired_at as "retiredAt", g.created_at as "createdAt",
  coalesce((
    select jsonb_agg(jsonb_build_object('flow', flow, 'scope', scope, 'period', period, 'amount', amount)
      order by flow, scope, period)
    from gift_card_limit l
    where l.payee_id = g.payee_id and l.product_id = g.product_id and l.amount is not null
  ), '[]') as limits`;

/** Products on sale, each with the last day of a card that is made now: the end of a month where the payee is. */
export const FIND_PRODUCTS = overRows<ProductKey>({
  name: 'gift-cards-find-products',
  columns: { product_id: ['text', 'productId'] },
  text: ({ payee, places }) => `
    select v.position::int, g.*
    from ${places}
    cross join lateral (
      select ${PRODUCT_COLUMNS}, d.last_day as "cardExpiresOn",
        (d.last_day + 1)::timestamp at time zone p.time_zone as "cardExpiresAt"
      from gift_card_product g
      cross join lateral (select time_zone from payee where payee_id = g.payee_id limit 1) p
      cross join lateral (
        select (date_trunc('month', kontor_now() at time zone p.time_zone)
          + make_interval(months => g.validity_months + 1))::date - 1 as last_day
      ) d
      where g.payee_id = ${payee} and g.retired_at is null
        and case when v.product_id is null then g.is_default else g.product_id = v.product_id end
      limit 1
    ) g`,
});

/** Products by their ids, retired ones too. */
export const FIND_ANY_PRODUCTS = overRows<Pick<Product, 'payeeId' | 'productId'>>({
  name: 'gift-cards-find-any-products',
  columns: { product_id: ['text', 'productId'] },
  text: ({ payee, places }) => `
    select v.position::int, g.*
    from ${places}
    cross join lateral (
      select ${PRODUCT_COLUMNS} from gift_card_product g where g.payee_id = ${payee} and g.product_id = v.product_id
      limit 1
    ) g`,
});

/** Adds a product; the number of rows is 0 where its id is taken. */
export async function insertProduct(transaction: Transaction, product: ProductTerms): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-insert-product',
      text: `
        insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length,
          validity_months, smallest_amount, largest_amount, largest_balance, allowed_product_ids, cvc_required,
          merge_keeps_limits, is_default)
        values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::smallint, $7::smallint, $8::bigint, $9::bigint,
          $10::bigint, $11::text[], $12::boolean, $13::boolean, $14::boolean)
        on conflict (payee_id, product_id) do nothing`,
    },
    [
      product.payeeId,
      product.productId,
      product.name,
      product.currency,
      product.numberPrefix,
      product.numberLength,
      product.validityMonths,
      product.smallestAmount,
      product.largestAmount,
      product.largestBalance,
      product.allowedProductIds,
      product.cvcRequired,
      product.mergeKeepsLimits,
      product.isDefault,
    ],
  );
  return count;
}

/** A payee's products, the newest first. */
export function selectProducts(transaction: Transaction, payeeId: PayeeId): Promise<Rows<Product>> {
  return transaction.run<Product>(
    {
      name: 'gift-cards-select-products',
      text: `
        select ${PRODUCT_COLUMNS}
        from gift_card_product g
        where g.payee_id = $1::uuid
        order by g.created_at desc, g.product_id`,
    },
    [payeeId],
  );
}

/** Makes a change of a payee's products wait for another one. */
export async function lockProducts(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-lock-products',
      text: 'select from payee where payee_id = $1::uuid for no key update',
    },
    [payeeId],
  );
}

/** Leaves a payee without a default product. */
export async function takeDefaultAway(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-take-default-away',
      text: 'update gift_card_product set is_default = false where payee_id = $1::uuid and is_default',
    },
    [payeeId],
  );
}

/** Takes a product off sale; the number of rows is 0 where it is off already. */
export async function saveRetirement(
  transaction: Transaction,
  { payeeId, productId }: Pick<Product, 'payeeId' | 'productId'>,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-save-retirement',
      text: `
        update gift_card_product
        set retired_at = greatest(kontor_now(), created_at), is_default = false
        where payee_id = $1::uuid and product_id = $2::text and retired_at is null`,
    },
    [payeeId, productId],
  );
  return count;
}

/** Says whether money stays on cards with as many limits; the number of rows is 1. */
export async function saveMergeKeepsLimits(
  transaction: Transaction,
  { payeeId, productId, mergeKeepsLimits }: Pick<Product, 'payeeId' | 'productId' | 'mergeKeepsLimits'>,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-save-merge-keeps-limits',
      text: `
        update gift_card_product set merge_keeps_limits = $3::boolean
        where payee_id = $1::uuid and product_id = $2::text`,
    },
    [payeeId, productId, mergeKeepsLimits],
  );
  return count;
}

/** How many cards a payee's products have, ended ones too: their numbers are not given again. */
export function selectNumbersUsed(
  transaction: Transaction,
  payeeId: PayeeId,
): Promise<Rows<{ readonly productId: string; readonly cards: number }>> {
  return transaction.run(
    {
      name: 'gift-cards-select-numbers-used',
      text: `
        select product_id as "productId", count(*) as cards
        from gift_card where payee_id = $1::uuid group by product_id`,
    },
    [payeeId],
  );
}

/** The first digits of all products' cards, of all payees, each once. */
export function selectPrefixes(transaction: Transaction): Promise<Rows<{ readonly prefix: string }>> {
  return transaction.run<{ readonly prefix: string }>(
    {
      name: 'gift-cards-select-prefixes',
      text: 'select distinct number_prefix as prefix from gift_card_product order by 1',
    },
    [],
  );
}
