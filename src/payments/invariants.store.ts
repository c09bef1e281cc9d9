import type { Invariant } from '../journal/invariants.types.ts';

/** Everything that has a payment number. */
const NUMBERED = `
  select payee_id, number from card_payment
  union all
  select payee_id, number from card_transaction
  union all
  select payee_id, number from payment_number`;

/** What must hold of card payments, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'A card payment is paid by the one authorization or verification of it that succeeded, with its amount.',
    statement: {
      name: 'payments-verify-paid',
      text: `
        select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
        from card_payment p
        left join (
          select payee_id, payment_id, count(*) as tries, min(transaction_id::text)::uuid as transaction_id, sum(amount) as amount
          from card_transaction
          where state = 'Completed' and type in ('Authorization', 'Verification')
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where coalesce(t.tries, 0) > 1 or p.paid_by is distinct from t.transaction_id or p.amount <> coalesce(t.amount, 0)
        order by p.payment_id`,
    },
  },
  {
    holds: 'What was captured, cancelled and reversed of each card payment is what its transactions say.',
    statement: {
      name: 'payments-verify-transactions',
      text: `
        select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
        from card_payment p
        left join (
          select payee_id, payment_id,
            sum(amount) filter (where type = 'Capture') as captured,
            -- What a capture has released is cancelled, where its acquirer captures once.
            sum(case type when 'Cancellation' then amount when 'Capture' then released else 0 end) as cancelled,
            sum(amount) filter (where type = 'Reversal') as reversed
          from card_transaction
          where state = 'Completed'
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.captured <> coalesce(t.captured, 0) or p.cancelled <> coalesce(t.cancelled, 0)
          or p.reversed <> coalesce(t.reversed, 0)
        order by p.payment_id`,
    },
  },
  {
    holds:
      'No more of a card payment is captured and cancelled than was authorized, and no more reversed than captured.',
    statement: {
      name: 'payments-verify-bounds',
      text: `
        select payee_id as "payeeId", 'card payment ' || payment_id as row
        from card_transaction
        where state = 'Completed'
        group by payee_id, payment_id
        having
          coalesce(sum(amount) filter (where type in ('Capture', 'Cancellation')), 0)
            > coalesce(sum(amount) filter (where type = 'Authorization'), 0)
          or coalesce(sum(amount) filter (where type = 'Reversal'), 0)
            > coalesce(sum(amount) filter (where type = 'Capture'), 0)
        order by payment_id`,
    },
  },
  {
    holds: 'Each capture and reversal of a card payment has moved, and nothing else of it.',
    statement: {
      name: 'payments-verify-movements',
      text: `
        select t.payee_id as "payeeId", 'card transaction ' || t.transaction_id as row
        from card_transaction t
        left join (
          select m.payee_id, m.transaction_id, min(m.kind) as kind, max(m.kind) as last_kind,
            min(m.payment_id::text)::uuid as payment_id, min(m.currency) as currency, sum(e.amount) as amount
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Clearing'
          group by m.payee_id, m.transaction_id
        ) m on m.payee_id = t.payee_id and m.transaction_id = t.transaction_id
        join card_payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id
        where case
            when t.state = 'Completed' and t.type = 'Capture' then t.amount
            when t.state = 'Completed' and t.type = 'Reversal' then -t.amount
            else 0
          end <> coalesce(m.amount, 0)
          or (m.transaction_id is not null and (
            m.kind <> t.type or m.last_kind <> t.type or m.payment_id <> t.payment_id or m.currency <> p.currency
          ))
        order by t.transaction_id`,
    },
  },
  {
    holds: 'What is reserved of each card payment is what its captures, cancellations and reversals wait for.',
    statement: {
      name: 'payments-verify-reserved',
      text: `
        select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
        from card_payment p
        left join (
          select payee_id, payment_id,
            sum(amount) filter (where type in ('Capture', 'Cancellation')) as hold,
            sum(amount) filter (where type = 'Reversal') as reversal
          from card_transaction
          where state = 'Initialized'
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.reserved_hold <> coalesce(t.hold, 0) or p.reserved_reversal <> coalesce(t.reversal, 0)
        order by p.payment_id`,
    },
  },
  {
    holds: 'What is unsettled of each card payment waits for its issuer, or is being taken back.',
    statement: {
      name: 'payments-verify-unsettled',
      text: `
        select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
        from card_payment p
        left join (
          select payee_id, payment_id, count(*) as unsettled
          from card_transaction
          where state = 'Initialized' or taking_back
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.unsettled <> coalesce(t.unsettled, 0)
        order by p.payment_id`,
    },
  },
  {
    holds:
      'Whatever waits of a card payment has an open attempt, and each open attempt at one has something that waits.',
    statement: {
      name: 'payments-verify-waiting',
      text: `
        select coalesce(t.payee_id, a.payee_id) as "payeeId",
          coalesce('card transaction ' || t.transaction_id, 'attempt ' || a.attempt_id) as row
        from (select * from card_transaction where state = 'Initialized' or taking_back) t
        full join (
          select * from issuer_attempt
          where (state in ('CALLING', 'REVERSING') or forward_at is not null) and subject = 'CardPayment'
        ) a
          on a.payee_id = t.payee_id and a.attempt_id = t.attempt_id and a.transaction_id = t.transaction_id
            and (a.state = 'REVERSING') = t.taking_back
        where t.transaction_id is null or a.attempt_id is null
        order by 2`,
    },
  },
  {
    holds: 'A card payment has failed where a try has, and no more tries are counted than failed.',
    statement: {
      name: 'payments-verify-tries',
      text: `
        select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
        from card_payment p
        left join (
          select payee_id, payment_id, count(*) as failed
          from card_transaction
          where state = 'Failed' and type in ('Authorization', 'Verification')
          group by payee_id, payment_id
        ) t on t.payee_id = p.payee_id and t.payment_id = p.payment_id
        where p.failed_tries > coalesce(t.failed, 0) or (p.state = 'Failed' and p.failed_tries = 0)
        order by p.payment_id`,
    },
  },
  {
    holds: 'Each reference of a card payment stands for one, and for a transaction of it where it names one.',
    statement: {
      name: 'payments-verify-references',
      text: `
        select r.payee_id as "payeeId", 'reference ' || r.reference as row
        from reference r
        left join card_payment p on p.payee_id = r.payee_id and p.payment_id = r.payment_id
        left join card_transaction t
          on t.payee_id = r.payee_id and t.transaction_id = r.transaction_id and t.payment_id = r.payment_id
        where r.scope in ('card-payment', 'card-payment-key')
          and (p.payment_id is null or (r.transaction_id is not null and t.transaction_id is null))
        order by r.reference`,
    },
  },
  {
    holds: 'Each number is one payment’s or one transaction’s of the installation.',
    statement: {
      name: 'payments-verify-numbers',
      text: `
        select min(payee_id::text)::uuid as "payeeId", 'number ' || number as row
        from (${NUMBERED}) n
        group by number
        having count(*) > 1
        order by number`,
    },
  },
  {
    holds: 'Each number lies in a block of its payee, and is none that the payee has yet to be given.',
    statement: {
      name: 'payments-verify-blocks',
      text: `
        select n.payee_id as "payeeId", 'number ' || n.number as row
        from (${NUMBERED}) n
        where n.number > (select min(block) * 10000::bigint + 9999 from number_block) and not exists (
          select from number_block b
          join number_counter c on c.payee_id = b.payee_id
          where b.block = n.number / 10000 and b.payee_id = n.payee_id and n.number <= c.latest
        )
        order by n.number`,
    },
  },
];
