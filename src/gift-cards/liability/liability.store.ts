import type { Rows, Transaction } from '../../db/transaction.types.ts';
import { figureOf, IS_IMPORTED, LESS, SOLD_AT } from './figures.types.ts';
import type { LiabilityInstants, LiabilityQuestion, LiabilityRow, OwedByAge } from './liability.types.ts';

/** The instants of a question, in the payee's time zone. Its texts were checked before. */
export function selectInstants(
  transaction: Transaction,
  { payeeId, asOf, from, to }: LiabilityQuestion,
  ageSeconds: number,
): Promise<Rows<LiabilityInstants>> {
  return transaction.run<LiabilityInstants>(
    {
      name: 'gift-cards-liability-instants',
      text: `
        select p.time_zone as "timeZone", i.latest, i.as_of as "asOf", i."to",
          coalesce(
            case when length($3::text) = 10 then $3::text::date::timestamp at time zone p.time_zone
              else $3::text::timestamptz end,
            date_trunc('month', i."to" at time zone p.time_zone) at time zone p.time_zone
          ) as "from"
        from payee p
        cross join lateral (select kontor_now() - make_interval(secs => $5::integer) as latest) l
        cross join lateral (
          select l.latest, coalesce(
            case when length($2::text) = 10 then $2::text::date::timestamp at time zone p.time_zone
              else $2::text::timestamptz end,
            l.latest
          ) as as_of
        ) a
        cross join lateral (
          select a.latest, a.as_of, coalesce(
            case when length($4::text) = 10 then $4::text::date::timestamp at time zone p.time_zone
              else $4::text::timestamptz end,
            a.as_of
          ) as "to"
        ) i
        where p.payee_id = $1::uuid`,
    },
    [payeeId, asOf ?? null, from ?? null, to ?? null, ageSeconds],
  );
}

/**
 * All sums, in one statement: so they are of one snapshot, and right while money moves.
 *
 * What was owed at an instant is what is owed now less what has moved since: a card's balance and its entries change
 * together, so the snapshot has both or neither. For a question about last night few entries are read.
 */
export function selectLiability(
  transaction: Transaction,
  payeeId: LiabilityQuestion['payeeId'],
  { asOf, from, to }: Pick<LiabilityInstants, 'asOf' | 'from' | 'to'>,
): Promise<Rows<LiabilityRow>> {
  return transaction.run<LiabilityRow>(SELECT_LIABILITY, [payeeId, asOf, from, to]);
}

/**
 * What was owed at an instant by the months of issue and of expiry: on all stored value, so that it comes to what the ledger says. It is reckoned
 * as above. A card keeps its product and its months, so an instant that is past has the same sums whenever it is asked for.
 */
export function selectAges(
  transaction: Transaction,
  payeeId: LiabilityQuestion['payeeId'],
  { asOf, timeZone }: Pick<LiabilityInstants, 'asOf' | 'timeZone'>,
): Promise<Rows<OwedByAge>> {
  return transaction.run<OwedByAge>(
    {
      name: 'gift-cards-liability-ages',
      text: `
        with owed as materialized (
          select account_id, sum(amount) as amount
          from (
            select account_id, available + held as amount from account where payee_id = $1::uuid and kind = 'StoredValue'
            union all
            select e.account_id, -e.amount
            from movement m
            join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.account_id is not null
            where m.payee_id = $1::uuid and m.happened_at >= $2::timestamptz
          ) part
          group by account_id
          having sum(amount) <> 0
        )
        select a.currency, g.product_id as "productId",
          to_char(coalesce(${SOLD_AT}, a.created_at) at time zone $3::text, 'YYYY-MM') as issued,
          to_char(a.expires_on, 'YYYY-MM') as expiring, count(*) as cards, sum(o.amount)::bigint as amount
        from owed o
        join account a on a.payee_id = $1::uuid and a.account_id = o.account_id and a.kind = 'StoredValue'
        left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
        group by 1, 2, 3, 4
        order by 1, 2, 3, 4`,
    },
    [payeeId, asOf, timeZone],
  );
}

/** For the test of its plan as well. */
export const SELECT_LIABILITY = {
  name: 'gift-cards-liability',
  text: `
    with card as (
      select g.account_id, g.product_id, ${SOLD_AT} as issued_at, g.replaced_at, a.currency,
        ${IS_IMPORTED} as is_imported,
        to_char(a.expires_on, 'YYYY-MM') as month,
        a.available + a.held as holds
      from gift_card g join account a on a.payee_id = g.payee_id and a.account_id = g.account_id
      where g.payee_id = $1::uuid
    ), moved as (
      select c.account_id, c.product_id, c.currency, m.happened_at, e.amount,
        ${figureOf({ movement: 'm', entry: 'e' })} as figure
      from movement m
      join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
      join card c on c.account_id = e.account_id
      where m.payee_id = $1::uuid and m.happened_at >= least($2::timestamptz, $3::timestamptz)
    ), later as materialized (
      select account_id, sum(amount) as amount from moved where happened_at >= $2::timestamptz group by account_id
    ), figure as (
      select 'outstanding' as figure, c.product_id, c.currency, c.month, count(*) as cards,
        sum(c.holds - coalesce(l.amount, 0)) as amount
      from card c left join later l on l.account_id = c.account_id
      where c.holds <> coalesce(l.amount, 0)
      group by c.product_id, c.currency, c.month
      union all
      -- A card in the place of a lost one is made at the instant at which that one ends, of the same product.
      select s.figure, product_id, currency, null, sum(s.cards), 0
      from card
      cross join lateral (values
        ('cardsIssued', (issued_at >= $3::timestamptz and issued_at < $4::timestamptz and not is_imported)::integer
          - coalesce((replaced_at >= $3::timestamptz and replaced_at < $4::timestamptz)::integer, 0)),
        ('cardsImported', (issued_at >= $3::timestamptz and issued_at < $4::timestamptz and is_imported)::integer),
        ('cardsReplaced', coalesce((replaced_at >= $3::timestamptz and replaced_at < $4::timestamptz)::integer, 0))
      ) s (figure, cards)
      where (issued_at >= $3::timestamptz and issued_at < $4::timestamptz)
        or (replaced_at >= $3::timestamptz and replaced_at < $4::timestamptz)
      group by s.figure, product_id, currency
      union all
      select figure, product_id, currency, null, count(distinct account_id),
        sum(case when figure in ${LESS} then -amount else amount end)
      from moved
      where figure is not null and happened_at >= $3::timestamptz and happened_at < $4::timestamptz
      group by figure, product_id, currency
    )
    select f.figure, f.currency, f.product_id as "productId", p.name as "productName", f.month, f.cards,
      f.amount::bigint as amount
    from figure f join gift_card_product p on p.payee_id = $1::uuid and p.product_id = f.product_id
    order by f.currency, f.product_id, f.figure, f.month`,
};
