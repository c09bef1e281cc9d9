import type { Read, Statement } from '../../db/transaction.types.ts';
import { GREATEST_UUID } from '../../kit/ids.ts';
import type { IssuerBacklog, IssuerTally, ListedProduct, ProductList } from './installation.types.ts';

/**
 * What became of the latest questions to issuers. They are found by their ids, which begin with the time, payee by payee: an
 * index for this alone would be written for every payment. Each payee has its share of the rows that are looked at.
 */
export const ISSUER_TALLIES: Statement = {
  name: 'portal-select-issuer-tallies',
  text: `
    select issuer as "issuerId", count(*) filter (where state = 'SETTLED')::integer as answered,
      count(*) filter (where state in ('REVERSING', 'REVERSED'))::integer as unanswered,
      max(a.created_at) filter (where state = 'SETTLED') as "latestAnsweredAt",
      max(a.created_at) filter (where state in ('REVERSING', 'REVERSED')) as "latestUnansweredAt"
    from payee p
    cross join lateral (
      select issuer, state, created_at from issuer_attempt
      where payee_id = p.payee_id and attempt_id >= (
        rpad(lpad(to_hex((extract(epoch from kontor_now() - make_interval(hours => $1::integer)) * 1000)::bigint),
          12, '0'), 32, '0')::uuid)
      order by attempt_id desc
      limit greatest(1, $2::integer / greatest(1, (select count(*) from payee)))
    ) a
    group by issuer`,
};

/** What issuers have still to answer or to take back, of the oldest questions. */
export const ISSUER_BACKLOGS: Statement = {
  name: 'portal-select-issuer-backlogs',
  text: `
    select issuer as "issuerId", count(*) filter (where state = 'CALLING')::integer as waiting,
      count(*) filter (where state = 'REVERSING')::integer as "toTakeBack", min(created_at) as "oldestAt"
    from (select * from issuer_attempt where due_at is not null order by due_at limit $1::integer) a
    group by issuer`,
};

/** How the questions of the last hours went, of as many rows at most. */
export async function selectIssuerTallies(
  read: Read,
  { hours, limit }: { readonly hours: number; readonly limit: number },
): Promise<readonly IssuerTally[]> {
  return (await read<IssuerTally>(ISSUER_TALLIES, [hours, limit])).rows;
}

/** What is not at its end, of as many rows at most. */
export async function selectIssuerBacklogs(read: Read, limit: number): Promise<readonly IssuerBacklog[]> {
  return (await read<IssuerBacklog>(ISSUER_BACKLOGS, [limit])).rows;
}

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

/** Gift-card products across payees. */
export async function selectListedProducts(
  read: Read,
  { payeeId, state, after, limit }: ProductList,
): Promise<readonly ListedProduct[]> {
  const isOnSale = state === null ? null : state === 'OnSale';
  const values = [after.payeeId, after.productId, payeeId ?? GREATEST_UUID, isOnSale, limit];
  return (await read<ListedProduct>(PRODUCTS, values)).rows;
}
