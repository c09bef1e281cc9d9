import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';

const OF_PAYMENT = 'payee_id = p.payee_id and payment_id = p.payment_id';
const NUMBERED = [WALKS.cardPayment, WALKS.cardTransaction, WALKS.paymentNumber];

/** Of a transaction. */
const HAS_PAID = `state = 'Completed' and type in ('Authorization', 'Verification')`;
const IS_OPEN = `(a.state in ('CALLING', 'REVERSING') or a.forward_at is not null) and a.subject = 'CardPayment'`;
const ITS_ATTEMPT = `a.transaction_id = t.transaction_id and (a.state = 'REVERSING') = t.taking_back`;
const OF_BLOCK = `
  payee_id = b.payee_id and number > 0 and number between b.block * 10000::bigint and b.block * 10000::bigint + 9999`;

function sumOf(amount: string, where: string): string {
  return `coalesce(sum(${amount}) filter (where ${where}), 0)`;
}

/** Finds card payments that do not say what their transactions do. */
function ofTransactions(name: string, { sums, broken }: { readonly sums: string; readonly broken: string }) {
  return along(
    WALKS.cardPayment,
    `payments-verify-${name}`,
    (rows) => `
    select p.payee_id as "payeeId", 'card payment ' || p.payment_id as row
    from ${rows} p
    cross join lateral (select ${sums} from card_transaction where ${OF_PAYMENT}) t
    where ${broken}`,
  );
}

/** What must hold of card payments, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'A card payment is paid by the one authorization or verification of it that succeeded, with its amount.',
    searches: [
      ofTransactions('paid', {
        sums: `
          count(*) filter (where ${HAS_PAID}) as tries, coalesce(sum(amount) filter (where ${HAS_PAID}), 0) as amount,
          min(transaction_id::text) filter (where ${HAS_PAID}) as transaction_id`,
        broken: 't.tries > 1 or p.paid_by is distinct from t.transaction_id::uuid or p.amount <> t.amount',
      }),
    ],
  },
  {
    holds: 'What was captured, cancelled and reversed of each card payment is what its transactions say.',
    searches: [
      ofTransactions('transactions', {
        // What a capture has released is cancelled, where its acquirer captures once.
        sums: `
          ${sumOf('amount', "type = 'Capture' and state = 'Completed'")} as captured,
          ${sumOf("case type when 'Capture' then released else amount end", "type in ('Cancellation', 'Capture') and state = 'Completed'")}
            as cancelled,
          ${sumOf('amount', "type = 'Reversal' and state = 'Completed'")} as reversed`,
        broken: 'p.captured <> t.captured or p.cancelled <> t.cancelled or p.reversed <> t.reversed',
      }),
    ],
  },
  {
    holds:
      'No more of a card payment is captured and cancelled than was authorized, and no more reversed than captured.',
    searches: [
      ofTransactions('bounds', {
        sums: `
          ${sumOf('amount', "type = 'Authorization' and state = 'Completed'")} as authorized,
          ${sumOf('amount', "type in ('Capture', 'Cancellation') and state = 'Completed'")} as used,
          ${sumOf('amount', "type = 'Capture' and state = 'Completed'")} as captured,
          ${sumOf('amount', "type = 'Reversal' and state = 'Completed'")} as reversed`,
        broken: 't.used > t.authorized or t.reversed > t.captured',
      }),
    ],
  },
  {
    holds: 'Each capture and reversal of a card payment has moved, and nothing else of it.',
    searches: [
      along(
        WALKS.cardTransaction,
        'payments-verify-moved',
        (rows) => `
        select t.payee_id as "payeeId", 'card transaction ' || t.transaction_id as row
        from ${rows} t
        cross join lateral (
          select coalesce(sum(e.amount), 0) as amount
          from (
            select payee_id, movement_id from movement
            where payee_id = t.payee_id and payment_id = t.payment_id and transaction_id = t.transaction_id offset 0
          ) m
          cross join lateral (
            select amount from entry
            where payee_id = m.payee_id and movement_id = m.movement_id and side = 'Clearing'
          ) e
        ) m
        where m.amount <> case
          when t.state = 'Completed' and t.type = 'Capture' then t.amount
          when t.state = 'Completed' and t.type = 'Reversal' then -t.amount
          else 0
        end`,
      ),
      along(
        WALKS.movement,
        'payments-verify-movements',
        (rows) => `
        select t.payee_id as "payeeId", 'card transaction ' || t.transaction_id as row
        from ${rows} m
        cross join lateral (
          select * from card_transaction where payee_id = m.payee_id and transaction_id = m.transaction_id limit 1
        ) t
        where m.kind <> t.type or m.payment_id is distinct from t.payment_id or t.state <> 'Completed'
          or m.currency is distinct from (
            select currency from card_payment where payee_id = t.payee_id and payment_id = t.payment_id
          )`,
      ),
    ],
  },
  {
    holds: 'What is reserved of each card payment is what its captures, cancellations and reversals wait for.',
    searches: [
      ofTransactions('reserved', {
        sums: `
          ${sumOf('amount', "type in ('Capture', 'Cancellation') and state = 'Initialized'")} as hold,
          ${sumOf('amount', "type = 'Reversal' and state = 'Initialized'")} as reversal`,
        broken: 'p.reserved_hold <> t.hold or p.reserved_reversal <> t.reversal',
      }),
    ],
  },
  {
    holds: 'What is unsettled of each card payment waits for its issuer, or is being taken back.',
    searches: [
      ofTransactions('unsettled', {
        sums: "count(*) filter (where state = 'Initialized' or taking_back) as unsettled",
        broken: 'p.unsettled <> t.unsettled',
      }),
    ],
  },
  {
    holds:
      'Whatever waits of a card payment has an open attempt, and each open attempt at one has something that waits.',
    searches: [
      along(
        WALKS.cardTransaction,
        'payments-verify-waiting-transactions',
        (rows) => `
        select t.payee_id as "payeeId", 'card transaction ' || t.transaction_id as row
        from ${rows} t
        where (t.state = 'Initialized' or t.taking_back) and not exists (
          select from issuer_attempt a where a.payee_id = t.payee_id and a.attempt_id = t.attempt_id and ${ITS_ATTEMPT}
            and ${IS_OPEN}
        )`,
      ),
      along(
        WALKS.issuerAttempt,
        'payments-verify-waiting-attempts',
        (rows) => `
        select a.payee_id as "payeeId", 'attempt ' || a.attempt_id as row
        from ${rows} a
        where ${IS_OPEN} and not exists (
          select from card_transaction t
          where t.payee_id = a.payee_id and t.transaction_id = a.transaction_id and t.attempt_id = a.attempt_id
            and (t.state = 'Initialized' or t.taking_back) and ${ITS_ATTEMPT}
        )`,
      ),
    ],
  },
  {
    holds: 'A card payment has failed where a try has, and no more tries are counted than failed.',
    searches: [
      ofTransactions('tries', {
        sums: "count(*) filter (where state = 'Failed' and type in ('Authorization', 'Verification')) as failed",
        broken: "p.failed_tries > t.failed or (p.state = 'Failed' and p.failed_tries = 0)",
      }),
    ],
  },
  {
    holds: 'Each reference of a card payment stands for one, and for a transaction of it where it names one.',
    searches: [
      along(
        WALKS.reference,
        'payments-verify-references',
        (rows) => `
        select r.payee_id as "payeeId", 'reference ' || r.reference as row
        from ${rows} r
        where r.scope in ('card-payment', 'card-payment-key') and (
          not exists (select from card_payment where payee_id = r.payee_id and payment_id = r.payment_id)
          or (r.transaction_id is not null and not exists (
            select from card_transaction
            where payee_id = r.payee_id and transaction_id = r.transaction_id and payment_id = r.payment_id
          ))
        )`,
      ),
    ],
  },
  {
    holds: 'Each number is one payment’s or one transaction’s of the installation.',
    searches: [
      // Block by block: no number lies outside of the blocks of its payee, says the next invariant.
      along(
        WALKS.numberBlock,
        'payments-verify-numbers',
        (rows) => `
        select b.payee_id as "payeeId", 'number ' || n.number as row
        from ${rows} b
        cross join lateral (
          select number
          from (
            ${NUMBERED.map(({ table }) => `select number from ${table} where ${OF_BLOCK}`).join(' union all ')}
          ) n
          group by number
          having count(*) > 1
        ) n`,
      ),
    ],
  },
  {
    holds: 'Each number lies in a block of its payee, and is none that the payee has yet to be given.',
    searches: NUMBERED.map((walk) =>
      along(
        walk,
        `payments-verify-blocks-of-${walk.table.replace('_', '-')}s`,
        (rows) => `
        select n.payee_id as "payeeId", 'number ' || n.number as row
        from ${rows} n
        where n.number > (select min(block) * 10000::bigint + 9999 from number_block) and not exists (
          select from number_block b
          where b.block = (n.number / 10000)::integer and b.payee_id = n.payee_id
            and n.number <= (select latest from number_counter c where c.payee_id = b.payee_id)
        )`,
      ),
    ),
  },
];
