// Pieces of SQL that trial balances and the sums that are kept for them have in common.

/** The columns that sums are told apart by. */
export const SUM_COLUMNS = 'side, currency, is_stored_value, agreement, product_id, is_item';

/** Whom a message was for: the agreement with an acquirer, or the name of another issuer. By the transaction it has made, or by the payment itself. */
const askedFor = (payee: string, key: string) => `(
  select coalesce(x.agreement, a.issuer)
  from (select * from issuer_attempt where payment_id = m.payment_id offset 0) a
  left join lateral (
    select agreement, retry from acquirer_exchange
    where payee_id = a.payee_id and attempt_id = a.attempt_id and kind = 'Ask' limit 1
  ) x on true
  where a.payee_id = ${payee} and coalesce(a.transaction_id, a.payment_id) = ${key}
  order by a.state = 'SETTLED' desc, x.retry is null desc, a.attempt_id desc
  limit 1
)`;

/** The agreement of what movement m of a payment has booked; what comes with the payment's own message has none of its own. */
const agreementOf = (payee: string) => `
  coalesce(
    ${askedFor(payee, 'coalesce(m.transaction_id, m.payment_id)')},
    ${askedFor(
      payee,
      `coalesce((
        select paid_by from card_payment where payee_id = ${payee} and payment_id = m.payment_id limit 1
      ), m.payment_id)`,
    )},
    (select issuer from card_transaction where payee_id = ${payee} and transaction_id = m.transaction_id limit 1),
    (
      select a.issuer
      from (select account_id from payment where payee_id = ${payee} and payment_id = m.payment_id limit 1) p
      cross join lateral (select issuer from account where payee_id = ${payee} and account_id = p.account_id limit 1) a
    ),
    ''
  )`;

/**
 * What movements have booked, as the CTE `booked`: `happened_at`, the columns that sums are told apart by, and `amount`. Each look-up is by an
 * index, so it takes as long as the movements are many.
 *
 * @param movements where they stand
 */
export function bookedBy(movements: string, payee: string): string {
  return `
    booked as materialized (
      select m.happened_at, e.side, m.currency, ca.account_id is not null as is_stored_value,
        case
          when ca.account_id is not null then ''
          when m.kind in ('Settlement', 'Dispute', 'Conversion') then coalesce(s.agreement, '')
          else ${agreementOf(payee)}
        end as agreement, coalesce(g.product_id, '') as product_id,
        e.side = 'Issuer' and m.kind in ('Capture', 'Purchase', 'Deposit', 'Reversal', 'Credit') as is_item,
        case when s.amount is null then e.amount when e.side = 'Issuer' then s.amount else -s.amount end as amount
      from ${movements} m
      cross join lateral (
        select line, side, amount, account_id from entry where payee_id = ${payee} and movement_id = m.movement_id offset 0
      ) e
      left join lateral (
        select agreement, amount from settlement_share where payee_id = ${payee} and movement_id = m.movement_id offset 0
      ) s on true
      left join lateral (
        select account_id from account
        where payee_id = ${payee} and kind = 'StoredValue' and account_id = coalesce(
          e.account_id,
          (
            select account_id from entry
            where payee_id = ${payee} and movement_id = m.movement_id and account_id is not null
            order by line limit 1
          ),
          (select account_id from payment where payee_id = ${payee} and payment_id = m.payment_id limit 1)
        )
        limit 1
      ) ca on true
      left join lateral (
        select product_id from gift_card where payee_id = ${payee} and account_id = ca.account_id limit 1
      ) g on true
    )`;
}

/** Debit and credit of amounts, both above zero. */
export const TURNED = `coalesce(-sum(amount) filter (where amount < 0), 0) as debit,
  coalesce(sum(amount) filter (where amount > 0), 0) as credit`;
