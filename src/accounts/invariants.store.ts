import type { Invariant } from '../journal/invariants.types.ts';

/** Amounts of a payment's movements by what they did: the first line of a movement has its amount. */
const MOVED = `
  select m.payee_id, m.payment_id,
    sum(abs(e.amount)) filter (where m.kind in ('Capture', 'Purchase', 'Deposit', 'Credit')) as captured,
    sum(abs(e.amount)) filter (where m.kind in ('Cancel', 'Expire')) as cancelled,
    sum(abs(e.amount)) filter (where m.kind = 'Reversal') as reversed
  from movement m join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.line = 1
  where m.payment_id is not null
  group by m.payee_id, m.payment_id`;

/** What must hold of account payments, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each payment is of an account.',
    statement: {
      name: 'accounts-verify-payments-accounts',
      text: `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from payment p left join account a on a.payee_id = p.payee_id and a.account_id = p.account_id
        where a.account_id is null
        order by p.payment_id`,
    },
  },
  {
    holds: 'What each account holds is what is left of its authorizations.',
    statement: {
      name: 'accounts-verify-holds',
      text: `
        select a.payee_id as "payeeId", 'account ' || a.account_id as row
        from account a
        left join (
          select payee_id, account_id, sum(amount - captured - cancelled) as open
          from payment
          where state = 'OK' and operation = 'Authorize'
          group by payee_id, account_id
        ) p on p.payee_id = a.payee_id and p.account_id = a.account_id
        where a.kind = 'StoredValue' and a.held <> coalesce(p.open, 0)
        order by a.account_id`,
    },
  },
  {
    holds: 'No hold ends before its account knows of it.',
    statement: {
      name: 'accounts-verify-expiries',
      text: `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from payment p join account a on a.payee_id = p.payee_id and a.account_id = p.account_id
        where p.order_id is null and p.hold_expires_at < coalesce(a.next_hold_expires_at, 'infinity')
        order by p.payment_id`,
    },
  },
  {
    holds: 'What was captured, cancelled and reversed of each payment has moved.',
    statement: {
      name: 'accounts-verify-payments',
      text: `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from payment p
        join account a on a.payee_id = p.payee_id and a.account_id = p.account_id
        left join (${MOVED}) m on m.payee_id = p.payee_id and m.payment_id = p.payment_id
        where p.captured <> coalesce(m.captured, 0) or p.reversed <> coalesce(m.reversed, 0)
          or (a.kind = 'StoredValue' and p.cancelled <> coalesce(m.cancelled, 0))
        order by p.payment_id`,
    },
  },
  {
    holds: 'What was captured and reversed of each payment is what its transactions say.',
    statement: {
      name: 'accounts-verify-transactions',
      text: `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from payment p
        left join (
          select payee_id, payment_id,
            sum(amount) filter (where operation = 'Capture') as captured,
            sum(amount) filter (where operation = 'Reversal') as reversed
          from payment_transaction
          where state = 'OK'
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.reversed <> coalesce(t.reversed, 0)
          or (p.operation = 'Authorize' and p.captured <> coalesce(t.captured, 0))
        order by p.payment_id`,
    },
  },
  {
    holds: 'What is reserved of each payment is what its captures, cancels and reversals wait for.',
    statement: {
      name: 'accounts-verify-reserved',
      text: `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from payment p
        left join (
          select payee_id, payment_id,
            sum(amount + released) filter (where operation in ('Capture', 'Cancel')) as hold,
            sum(amount) filter (where operation = 'Reversal') as reversal
          from payment_transaction
          where state = 'CALLING'
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.reserved_hold <> coalesce(t.hold, 0) or p.reserved_reversal <> coalesce(t.reversal, 0)
        order by p.payment_id
        limit 1`,
    },
  },
  {
    holds: 'Whatever waits for an issuer has an open attempt, and each open attempt has something that waits.',
    statement: {
      name: 'accounts-verify-waiting',
      text: `
        select coalesce(w.payee_id, a.payee_id) as "payeeId",
          coalesce('payment ' || w.payment_id, 'attempt ' || a.attempt_id) as row
        from (
          select payee_id, payment_id, null::uuid as transaction_id from payment where state = 'CALLING'
          union all
          select t.payee_id, t.payment_id, t.transaction_id
          from payment_transaction t
          join payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id
          -- What an order keeps apart waits for another leg's issuer.
          where t.state = 'CALLING' and p.order_id is null
        ) w
        full join (
          select * from issuer_attempt
          where (state = 'CALLING' or forward_at is not null) and subject = 'AccountPayment'
        ) a
          on a.payee_id = w.payee_id and a.payment_id = w.payment_id
            and coalesce(a.transaction_id, a.payment_id) = coalesce(w.transaction_id, w.payment_id)
        where w.payment_id is null or a.payment_id is null
        limit 1`,
    },
  },
  {
    holds: 'Each account payment, capture, cancel and reversal has its reference, and each reference stands for one.',
    statement: {
      name: 'accounts-verify-references',
      text: `
        select coalesce(r.payee_id, d.payee_id) as "payeeId",
          coalesce('reference ' || r.reference, 'payment ' || d.payment_id) as row
        from (
          select payee_id, payment_id, null::uuid as transaction_id, payment_transaction_ref from payment p
          where order_id is null
            and not exists (select from payment_number where payee_id = p.payee_id and payment_id = p.payment_id)
          union all
          select t.payee_id, t.payment_id, t.transaction_id, t.payment_transaction_ref
          from payment_transaction t
          join payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id and p.order_id is null
        ) d
        full join (select * from reference where scope = 'payment') r
          on r.payee_id = d.payee_id and r.reference = d.payment_transaction_ref
        where r.payment_id is distinct from d.payment_id or r.transaction_id is distinct from d.transaction_id`,
    },
  },
  {
    holds: 'Each reference of a deposit on a gift card stands for a payment with a number.',
    statement: {
      name: 'accounts-verify-deposit-references',
      text: `
        select r.payee_id as "payeeId", 'reference ' || r.reference as row
        from reference r
        where r.scope in ('new-gift-card', 'pre-deposit') and not exists (
          select from payment_number n
          join payment p on p.payee_id = n.payee_id and p.payment_id = n.payment_id
          where n.payee_id = r.payee_id and n.payment_id = r.payment_id and p.operation = 'Deposit'
        )`,
    },
  },
];
