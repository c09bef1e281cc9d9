import type { Read } from '../../db/transaction.types.ts';
import type { ElsewhereNow, ReadLine, TrialBalanceAsked, TrialBalancePeriod } from './trial-balance.types.ts';

/** The days of a period as instants, in the payee's time zone. The texts were checked before. */
export async function selectPeriod(
  read: Read,
  { payeeId, from, to }: TrialBalanceAsked,
  ageSeconds: number,
): Promise<TrialBalancePeriod | undefined> {
  const { rows } = await read<TrialBalancePeriod>(
    {
      name: 'settlements-select-period',
      text: `
        select time_zone as "timeZone", $2::date::timestamp at time zone time_zone as "from",
          ($3::date + 1)::timestamp at time zone time_zone as "to",
          kontor_now() - make_interval(secs => $4::integer) as latest
        from payee
        where payee_id = $1::uuid`,
    },
    [payeeId, from, to, ageSeconds],
  );
  return rows[0];
}

/**
 * Whom each message to an issuer was for: the agreement with an acquirer, or the name of another issuer. By the transaction that it has made,
 * or by the payment where that is the payment itself.
 */
const ASKED = `
  asked as materialized (
    select distinct on (key) coalesce(a.transaction_id, a.payment_id) as key, coalesce(x.agreement, a.issuer) as agreement
    from issuer_attempt a
    left join acquirer_exchange x on x.payee_id = a.payee_id and x.attempt_id = a.attempt_id and x.kind = 'Ask'
    where a.payee_id = $1::uuid
    order by key, a.state = 'SETTLED' desc, x.retry is null desc, a.attempt_id desc
  )`;

/** The agreement of what a movement m of a payment has booked; what comes with the payment's own message has none of its own. */
const AGREEMENT = `
  left join card_payment cp on cp.payee_id = m.payee_id and cp.payment_id = m.payment_id
  left join card_transaction ct on ct.payee_id = m.payee_id and ct.transaction_id = m.transaction_id
  left join payment ap on ap.payee_id = m.payee_id and ap.payment_id = m.payment_id
  left join account aa on aa.payee_id = ap.payee_id and aa.account_id = ap.account_id
  left join asked own on own.key = coalesce(m.transaction_id, m.payment_id)
  left join asked paid on paid.key = coalesce(cp.paid_by, m.payment_id)`;
const AGREEMENT_NAME = `coalesce(own.agreement, paid.agreement, ct.issuer, aa.issuer, '')`;

/** All entries of payee $1, told apart by side, currency, and agreement or product. */
const BOOKED = `
  ${ASKED}, of_card as materialized (
    select distinct on (e.movement_id) e.movement_id, e.account_id
    from entry e where e.payee_id = $1::uuid and e.account_id is not null
    order by e.movement_id, e.line
  ), booked as materialized (
    select e.side, m.currency, m.happened_at, m.movement_id, m.payment_id, m.transaction_id, m.kind,
      case when s.movement_id is null then e.amount when e.side = 'Issuer' then s.amount else -s.amount end as amount,
      case
        when ca.account_id is not null then null
        when m.kind in ('Settlement', 'Dispute', 'Conversion') then coalesce(s.agreement, '')
        else ${AGREEMENT_NAME}
      end as agreement, g.product_id as product
    from movement m
    join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
    left join settlement_share s on s.payee_id = m.payee_id and s.movement_id = m.movement_id
    left join of_card o on o.movement_id = m.movement_id
    ${AGREEMENT}
    left join account ca on ca.payee_id = $1::uuid and ca.account_id = coalesce(e.account_id, o.account_id, ap.account_id)
      and ca.kind = 'StoredValue'
    left join gift_card g on g.payee_id = $1::uuid and g.account_id = ca.account_id
    where m.payee_id = $1::uuid
  )`;

/** The lines of a trial balance from $2 to $3, and what was booked since. */
const LINES = `
  select side, currency, agreement, product,
    coalesce(sum(amount) filter (where happened_at < $2::timestamptz), 0)::bigint as opening,
    coalesce(-sum(amount) filter (where amount < 0 and happened_at >= $2::timestamptz and happened_at < $3::timestamptz), 0)::bigint as debit,
    coalesce(sum(amount) filter (where amount > 0 and happened_at >= $2::timestamptz and happened_at < $3::timestamptz), 0)::bigint as credit,
    coalesce(sum(amount) filter (where happened_at < $3::timestamptz), 0)::bigint as closing,
    coalesce(sum(amount) filter (where happened_at >= $3::timestamptz), 0)::bigint as since
  from booked
  group by side, currency, agreement, product`;

/** What other tables say of now: what is on accounts, and what acquirers have not paid of sales and refunds. */
const ELSEWHERE = `
  select 'CardBalances' as what, a.currency, null as agreement, g.product_id as product, sum(a.available + a.held)::bigint as amount
  from account a left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
  where a.payee_id = $1::uuid and a.kind = 'StoredValue'
  group by a.currency, g.product_id
  union all
  select 'OpenItems', o.currency, o.agreement, null, sum(o.amount)::bigint
  from (
    select currency, agreement, amount
    from settlement_item
    where payee_id = $1::uuid and type in ('Sale', 'Refund') and coalesce(batch_id, ended_by::text) is null
    union all
    -- What no business day has yet.
    select b.currency, b.agreement, -b.amount
    from booked b
    where b.side = 'Issuer' and b.kind in ('Capture', 'Purchase', 'Deposit', 'Reversal', 'Credit') and not exists (
      select from settlement_item i
      where i.payee_id = $1::uuid and i.payment_id = b.payment_id and i.transaction_id is not distinct from b.transaction_id
        and i.type in ('Sale', 'Refund')
    )
  ) o
  group by o.currency, o.agreement`;

/**
 * The lines of a trial balance and what they are tied to, in one statement: so all of it is of one snapshot, and right while money moves. It
 * reads all movements of the payee.
 */
export async function selectTrialBalance(
  read: Read,
  payeeId: TrialBalanceAsked['payeeId'],
  { from, to }: Pick<TrialBalancePeriod, 'from' | 'to'>,
): Promise<{ readonly lines: readonly ReadLine[]; readonly elsewhere: readonly ElsewhereNow[] }> {
  const { rows } = await read<{ readonly lines: readonly ReadLine[]; readonly elsewhere: readonly ElsewhereNow[] }>(
    {
      name: 'settlements-select-trial-balance',
      text: `
        with ${BOOKED}, line as (${LINES}), elsewhere as (${ELSEWHERE})
        select (
          select coalesce(jsonb_agg(to_jsonb(l) order by l.currency, l.side, l.agreement, l.product), '[]') from line l
        ) as lines, (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from elsewhere e) as elsewhere`,
    },
    [payeeId, from, to],
  );
  return rows[0] ?? { lines: [], elsewhere: [] };
}
