import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import { assert } from '../../kit/assert.ts';

/**
 * Days before the mark that are read again: an answer may be stored after it came, and what an acquirer says of a take-back keeps
 * the time of the first answer.
 */
const LATE_DAYS = 3;

/** Answers of an acquirer in the order of their times. */
export interface Answers {
  /** Behind this time; PostgreSQL's own text of it. */
  readonly after: string;
  /** Up to this time; null: all that there are. */
  readonly to: string | null;
}

/**
 * The next answers of an acquirer.
 *
 * @param after where those before end; undefined: from the mark on
 * @param most how many, and more where several came at the same time
 */
export async function selectAnswers(
  { run }: Transaction,
  acquirer: string,
  { after, most }: { readonly after: string | undefined; readonly most: number },
): Promise<Answers> {
  const { rows } = await run<Answers>(
    {
      name: 'settlements-select-answers',
      text: `
        select begins.after::text as after, (
            select answered_at from acquirer_exchange
            where acquirer = $1::text and answered_at > begins.after and operation in ('Purchase', 'Capture', 'Reversal', 'Credit')
            order by acquirer_exchange.answered_at limit 1 offset $3::integer - 1
          )::text as to
        from (
          select coalesce($2::timestamptz, least(collected_to, kontor_now()) - make_interval(days => ${LATE_DAYS})) as after
          from settlement_mark where acquirer = $1::text
        ) begins`,
    },
    [acquirer, after ?? null, most],
  );
  const [answers] = rows;
  assert(answers !== undefined, 'the mark is locked');
  return answers;
}

/** Whose sales and refunds are collected. */
export interface Collecting extends Pick<Acquirer, 'cutOver' | 'timeZone'>, Answers {
  readonly acquirer: string;
  /** Action codes of an acquirer that does not know what it is to take back. */
  readonly unknownOriginal: readonly string[];
}

/**
 * Adds the sales and refunds that were answered and are not yet items, and what was taken back of such: of that the acquirer
 * has acknowledged that it knew it. Each gets its day: the business day of its answer, or where that is closed the day after
 * the last closed one, and that day is open.
 */
export function collectItems(transaction: Transaction, collecting: Collecting): Promise<Rows<unknown>> {
  const { acquirer, timeZone, cutOver, unknownOriginal, after, to } = collecting;
  return transaction.run(
    {
      name: 'settlements-collect-items',
      text: `
        with added as (
        insert into settlement_item (payee_id, attempt_id, type, acquirer, agreement, merchant_id, currency, amount, day,
          payment_id, transaction_id, retrieval_reference, acquirer_reference)
        select x.payee_id, x.attempt_id, case when s.is_sale then 'Sale' else 'Refund' end
            || case when x.kind = 'TakeBack' then 'Reversal' else '' end,
          x.acquirer, x.agreement, x.merchant_id, x.currency, case when s.is_sale then x.amount else -x.amount end,
          coalesce((
            select max(c.day) + 1 from settlement_day c
            where c.payee_id = x.payee_id and c.agreement = x.agreement and c.currency = x.currency and c.day >= b.day
          ), b.day),
          a.payment_id, m.transaction_id, x.retrieval_reference, x.acquirer_reference
        from (
          select * from acquirer_exchange
          where acquirer = $1::text and answered_at > $5::timestamptz and answered_at <= coalesce($6::timestamptz, 'infinity')
            and operation in ('Purchase', 'Capture', 'Reversal', 'Credit')
            -- Looked up for each: most that was answered in the days before the mark is an item.
            and not exists (
              select from settlement_item
              where payee_id = acquirer_exchange.payee_id and attempt_id = acquirer_exchange.attempt_id
                and type = case when operation in ('Purchase', 'Capture') then 'Sale' else 'Refund' end
                  || case when kind = 'TakeBack' then 'Reversal' else '' end
              offset 0
            )
        ) x
        cross join lateral (
          select * from issuer_attempt where payee_id = x.payee_id and attempt_id = x.attempt_id limit 1
        ) a
        cross join lateral (select x.operation in ('Purchase', 'Capture') as is_sale) s
        cross join lateral (
          select coalesce(x.business_day, (x.answered_at at time zone $2::text)::date
            + case when (x.answered_at at time zone $2::text)::time >= $3::text::time then 1 else 0 end) as day
        ) b
        left join lateral (
          select state from card_transaction where payee_id = a.payee_id and transaction_id = a.transaction_id limit 1
        ) c on true
        left join lateral (
          select state from payment_transaction where payee_id = a.payee_id and transaction_id = a.transaction_id limit 1
        ) t on true
        left join lateral (
          select state from payment where payee_id = a.payee_id and payment_id = a.payment_id limit 1
        ) p on a.subject = 'AccountPayment'
        -- The capture that comes with a purchase is what the ledger has booked. Found by its payment first: asked for both at once,
        -- PostgreSQL may read all transactions of the payee beside it, for each exchange, where it believes that there are few.
        left join lateral (
          select k.transaction_id
          from (select * from card_transaction where payment_id = a.payment_id offset 0) k
          where k.payee_id = a.payee_id and k.type = 'Capture' and k.attempt_id is null
          limit 1
        ) k on a.subject = 'CardPayment' and x.operation = 'Purchase'
        cross join lateral (select coalesce(k.transaction_id, a.transaction_id) as transaction_id) m
        where case x.kind
            -- Without advice on another try: an acquirer that has asked no issuer has sold nothing, though another one has.
            when 'Ask' then a.state = 'SETTLED' and x.retry is null and case
                when a.subject = 'CardPayment' then c.state = 'Completed'
                else coalesce(t.state, p.state) in ('OK', 'REVERSED')
              end
            else a.state = 'REVERSED' and x.state = 'Answered' and x.action_code <> all($4::text[])
          end
        on conflict do nothing
        returning *
        )
        insert into settlement_open_day (payee_id, agreement, currency, day, acquirer)
        select distinct payee_id, agreement, currency, day, acquirer from added
        on conflict do nothing`,
    },
    [acquirer, timeZone, cutOver, unknownOriginal, after, to],
  );
}
