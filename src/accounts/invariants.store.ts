import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';

const OF_PAYMENT = 'payee_id = p.payee_id and payment_id = p.payment_id';
/** The kind of the payment's account; null where there is none. */
const KIND_OF_ACCOUNT = '(select kind from account where payee_id = p.payee_id and account_id = p.account_id)';
const HAS_NUMBER = `exists (select from payment_number where ${OF_PAYMENT})`;
/** The payment of a transaction, as `p`. */
const ITS_PAYMENT = `
  left join lateral (
    select order_id from payment where payee_id = t.payee_id and payment_id = t.payment_id limit 1
  ) p on true`;
/** What waits for an issuer: a hold or a kept capture that is to be sent. */
const IS_OPEN = `(a.state = 'CALLING' or a.forward_at is not null) and a.subject = 'AccountPayment'`;

/** What must hold of account payments, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each payment is of an account.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-payments-accounts',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        where ${KIND_OF_ACCOUNT} is null`,
      ),
    ],
  },
  {
    holds: 'What each account holds is what is left of its authorizations.',
    searches: [
      // Payment by payment: what an account holds is the sum of its entries, and each of these is of one payment.
      along(
        WALKS.payment,
        'accounts-verify-holds',
        (rows) => `
        select p.payee_id as "payeeId", 'account ' || p.account_id as row
        from ${rows} p
        cross join lateral (
          select coalesce(sum(e.amount), 0) as amount
          from (select payee_id, movement_id from movement where ${OF_PAYMENT} offset 0) m
          cross join lateral (
            -- By its movement alone: an account may hold for a hundred thousand others.
            select amount from (
              select * from entry where payee_id = m.payee_id and movement_id = m.movement_id offset 0
            ) of_movement
            where side = 'Held' and account_id = p.account_id
          ) e
        ) held
        where held.amount <> case
            when p.state = 'OK' and p.operation = 'Authorize' then p.amount - p.captured - p.cancelled else 0
          end
          and ${KIND_OF_ACCOUNT} = 'StoredValue'`,
      ),
      along(
        WALKS.entry,
        'accounts-verify-held',
        (rows) => `
        select e.payee_id as "payeeId", 'account ' || e.account_id as row
        from ${rows} e
        where e.side = 'Held' and not exists (
          select from (
            select payee_id, payment_id from movement
            where payee_id = e.payee_id and movement_id = e.movement_id offset 0
          ) m
          cross join lateral (
            select account_id from payment where payee_id = m.payee_id and payment_id = m.payment_id limit 1
          ) p
          where p.account_id = e.account_id
        )`,
      ),
    ],
  },
  {
    holds: 'No hold ends before its account knows of it.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-expiries',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        where p.order_id is null and p.hold_expires_at < coalesce((
          select next_hold_expires_at from account where payee_id = p.payee_id and account_id = p.account_id
        ), 'infinity')`,
      ),
    ],
  },
  {
    holds: 'What was captured, cancelled and reversed of each payment has moved.',
    searches: [
      // The first line of a movement has its amount.
      along(
        WALKS.payment,
        'accounts-verify-payments',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        cross join lateral (
          select
            coalesce(sum(abs(e.amount)) filter (where m.kind in ('Capture', 'Purchase', 'Deposit', 'Credit')), 0) as captured,
            coalesce(sum(abs(e.amount)) filter (where m.kind in ('Cancel', 'Expire')), 0) as cancelled,
            coalesce(sum(abs(e.amount)) filter (where m.kind = 'Reversal'), 0) as reversed
          from (select payee_id, movement_id, kind from movement where ${OF_PAYMENT} offset 0) m
          cross join lateral (
            select amount from entry where payee_id = m.payee_id and movement_id = m.movement_id and line = 1 limit 1
          ) e
        ) m
        where p.captured <> m.captured or p.reversed <> m.reversed
          or (p.cancelled <> m.cancelled and ${KIND_OF_ACCOUNT} = 'StoredValue')`,
      ),
    ],
  },
  {
    holds: 'What was captured and reversed of each payment is what its transactions say.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-transactions',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        cross join lateral (
          select coalesce(sum(amount) filter (where operation = 'Capture'), 0) as captured,
            coalesce(sum(amount) filter (where operation = 'Reversal'), 0) as reversed
          from payment_transaction
          where ${OF_PAYMENT} and state = 'OK'
        ) t
        where p.reversed <> t.reversed or (p.operation = 'Authorize' and p.captured <> t.captured)`,
      ),
    ],
  },
  {
    holds: 'What is reserved of each payment is what its captures, cancels and reversals wait for.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-reserved',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        cross join lateral (
          select coalesce(sum(amount + released) filter (where operation in ('Capture', 'Cancel')), 0) as hold,
            coalesce(sum(amount) filter (where operation = 'Reversal'), 0) as reversal
          from payment_transaction
          where ${OF_PAYMENT} and state = 'CALLING'
        ) t
        where p.reserved_hold <> t.hold or p.reserved_reversal <> t.reversal`,
      ),
    ],
  },
  {
    holds: 'Whatever waits for an issuer has an open attempt, and each open attempt has something that waits.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-waiting-payments',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        where p.state = 'CALLING' and not exists (
          select from issuer_attempt a where a.${OF_PAYMENT} and a.transaction_id is null and ${IS_OPEN} offset 0
        )`,
      ),
      // What an order keeps apart waits for the issuer of another leg.
      along(
        WALKS.paymentTransaction,
        'accounts-verify-waiting-transactions',
        (rows) => `
        select t.payee_id as "payeeId", 'payment ' || t.payment_id as row
        from ${rows} t${ITS_PAYMENT}
        where t.state = 'CALLING' and p.order_id is null and not exists (
          select from (select * from issuer_attempt where payment_id = t.payment_id offset 0) a
          where a.payee_id = t.payee_id and a.transaction_id = t.transaction_id and ${IS_OPEN}
        )`,
      ),
      along(
        WALKS.issuerAttempt,
        'accounts-verify-waiting-attempts',
        (rows) => `
        select a.payee_id as "payeeId", 'attempt ' || a.attempt_id as row
        from ${rows} a
        where ${IS_OPEN} and case
          when a.transaction_id is null then not exists (
            select from payment p where p.payee_id = a.payee_id and p.payment_id = a.payment_id and p.state = 'CALLING'
            offset 0
          )
          else not exists (
            select from payment_transaction t${ITS_PAYMENT}
            where t.payee_id = a.payee_id and t.transaction_id = a.transaction_id and t.payment_id = a.payment_id
              and t.state = 'CALLING' and p.order_id is null
            offset 0
          )
        end`,
      ),
    ],
  },
  {
    holds: 'Each account payment, capture, cancel and reversal has its reference, and each reference stands for one.',
    searches: [
      along(
        WALKS.payment,
        'accounts-verify-references-of-payments',
        (rows) => `
        select p.payee_id as "payeeId", 'payment ' || p.payment_id as row
        from ${rows} p
        where p.order_id is null and not ${HAS_NUMBER} and not exists (
          select from reference
          where payee_id = p.payee_id and scope = 'payment' and reference = p.payment_transaction_ref
            and payment_id = p.payment_id and transaction_id is null
        )`,
      ),
      along(
        WALKS.paymentTransaction,
        'accounts-verify-references-of-transactions',
        (rows) => `
        select t.payee_id as "payeeId", 'payment ' || t.payment_id as row
        from ${rows} t${ITS_PAYMENT}
        where p.order_id is null and not exists (
          select from reference
          where payee_id = t.payee_id and scope = 'payment' and reference = t.payment_transaction_ref
            and payment_id = t.payment_id and transaction_id = t.transaction_id
        )`,
      ),
      along(
        WALKS.reference,
        'accounts-verify-references',
        (rows) => `
        select r.payee_id as "payeeId", 'reference ' || r.reference as row
        from ${rows} r
        where r.scope = 'payment' and case
          when r.transaction_id is null then not exists (
            select from payment p
            where p.payee_id = r.payee_id and p.payment_id = r.payment_id and p.order_id is null
              and p.payment_transaction_ref = r.reference and not ${HAS_NUMBER}
            offset 0
          )
          else not exists (
            select from payment_transaction t${ITS_PAYMENT}
            where t.payee_id = r.payee_id and t.transaction_id = r.transaction_id and t.payment_id = r.payment_id
              and t.payment_transaction_ref = r.reference and p.order_id is null
            offset 0
          )
        end`,
      ),
    ],
  },
  {
    holds: 'Each reference of a deposit on a gift card stands for a payment with a number.',
    searches: [
      along(
        WALKS.reference,
        'accounts-verify-deposit-references',
        (rows) => `
        select r.payee_id as "payeeId", 'reference ' || r.reference as row
        from ${rows} r
        where r.scope in ('new-gift-card', 'pre-deposit') and not exists (
          select from payment p
          where p.payee_id = r.payee_id and p.payment_id = r.payment_id and p.operation = 'Deposit' and ${HAS_NUMBER}
        )`,
      ),
    ],
  },
];
