import { overRows } from '../db/rows/over-rows.ts';
import type { Read, Rows, Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { STAN_BLOCK } from '../kit/limits.ts';
import type { PaymentKey } from '../ledger/ledger.types.ts';
import type { Attempt, LateAnswer, OpenExchange, StoredExchange } from './issuers.types.ts';
import type { Exchange, TakeBackReason } from './questions.types.ts';

/** The last number of messages: they have six digits, in whole blocks. */
const LAST_STAN = 999_900;
/** Half of all numbers, in whole blocks. */
const FAR_STANS = 500_000;
/** Open exchanges that are listed at once. */
const OPEN_EXCHANGES = 1_000;

/** As `StoredExchange` names them. */
const EXCHANGE_COLUMNS = `
  attempt_id as "attemptId", acquirer as "acquirerId", agreement as "agreementId", terminal_id as "terminalId", operation,
  stan, to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "sentAt",
  retrieval_reference as "retrievalReference", amount, currency, original_attempt_id as "originalAttemptId", acquirer_exchange.state, approval_code as "approvalCode",
  scheme_transaction_id as "schemeTransactionId", point_of_service as "pointOfService", descriptor,
  answered_at as "answeredAt", approved_amount as "approvedAmount", reason, capture_number as "captureNumber",
  is_last_capture as "isLastCapture", released as "releasedAmount"`;

/** One question to an acquirer; none of an attempt from before exchanges were stored. */
export async function selectExchange(
  { run }: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<StoredExchange | undefined> {
  const { rows } = await run<StoredExchange>(
    {
      name: 'issuers-select-exchange',
      text: `
        select ${EXCHANGE_COLUMNS} from acquirer_exchange
        where payee_id = $1 and attempt_id = $2 and kind = 'Ask'`,
    },
    [payeeId, attemptId],
  );
  return rows[0];
}

/**
 * Names the taking back of an attempt, once for ever: the row that is there, or a new one made of its question. What is taken back is what
 * was approved.
 */
export async function upsertTakeBack(
  { run }: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
  { stan, sentAt, reason }: Pick<Exchange, 'stan' | 'sentAt'> & { readonly reason: TakeBackReason },
): Promise<StoredExchange | undefined> {
  const { rows } = await run<StoredExchange>(
    {
      name: 'issuers-upsert-take-back',
      text: `
        insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation,
          stan, sent_at, retrieval_reference, amount, currency, original_attempt_id, reason)
        select payee_id, attempt_id, 'TakeBack', acquirer, agreement, merchant_id, terminal_id, operation, $3,
          $4::timestamptz, retrieval_reference, coalesce(approved_amount, amount), currency, attempt_id, $5
        from acquirer_exchange
        where payee_id = $1 and attempt_id = $2 and kind = 'Ask'
        on conflict (payee_id, attempt_id, kind) do update set kind = excluded.kind
        returning ${EXCHANGE_COLUMNS}`,
    },
    [payeeId, attemptId, stan, sentAt, reason],
  );
  return rows[0];
}

/** What acquirers have not answered or acknowledged yet, of all payees, the oldest first. */
export async function selectOpenExchanges({ run }: Transaction): Promise<readonly OpenExchange[]> {
  const { rows } = await run<OpenExchange>(
    {
      name: 'issuers-select-open-exchanges',
      text: `
        select e.attempt_id as "attemptId", e.payee_id as "payeeId", e.acquirer as "acquirerId", e.agreement as "agreementId",
          e.operation, e.amount, e.currency, a.state, a.tries, a.created_at as "createdAt", coalesce(a.forward_at, a.due_at) as "dueAt"
        from issuer_attempt a
        join acquirer_exchange e on e.payee_id = a.payee_id and e.attempt_id = a.attempt_id and e.kind = 'Ask'
        where a.due_at is not null
        order by a.created_at
        limit $1::integer`,
    },
    [OPEN_EXCHANGES],
  );
  return rows;
}

/** Notes what a taking back, or a repeated advice, came to. The time of the first answer stays. */
export function updateExchange(
  { run }: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
  { kind, state, actionCode }: ExchangeNote,
): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-update-exchange',
      text: `
        update acquirer_exchange
        set state = $4, action_code = coalesce($5, action_code),
          business_day = coalesce(business_day, case $4 when 'Answered' then (
            select day from acquirer_day d where d.acquirer = acquirer_exchange.acquirer and d.ends_at > kontor_now()
          ) end),
          answered_at = case when $4 in ('Answered', 'Abandoned') or $5::text is not null
            then coalesce(answered_at, kontor_now()) else answered_at end
        where payee_id = $1 and attempt_id = $2 and kind = $3`,
    },
    [payeeId, attemptId, kind, state, actionCode],
  );
}

/** What is noted of an exchange. */
export interface ExchangeNote {
  readonly kind: 'Ask' | 'TakeBack';
  readonly state: 'Stored' | 'Silent' | 'Forwarded' | 'Answered' | 'Abandoned';
  readonly actionCode: string | null;
}

/** Notes that an answer came that no question waited for any more. */
export function updateLate(
  { run }: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-update-late',
      text: `
        update acquirer_exchange set answered_at = kontor_now()
        where payee_id = $1 and attempt_id = $2 and kind = 'Ask' and state in ('Stored', 'Silent') and answered_at is null`,
    },
    [payeeId, attemptId],
  );
}

/** The same by what an answer says: the question may be another instance's. What is forwarded is told again, whatever comes. */
export function updateLateByName(
  { run }: Transaction,
  { acquirerId, terminalId, stan, sentAt, timeZone }: LateAnswer,
): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-update-late-by-name',
      text: `
        update acquirer_exchange e set answered_at = kontor_now()
        where e.acquirer = $1 and e.terminal_id = $2 and e.stan = $3
          and e.sent_at = to_timestamp($4, 'YYMMDDHH24MISS')::timestamp at time zone $5
          and e.kind = 'Ask' and e.state in ('Stored', 'Silent') and e.answered_at is null
          and exists (
            select from issuer_attempt a
            where a.payee_id = e.payee_id and a.attempt_id = e.attempt_id and a.state in ('CALLING', 'REVERSING')
          )`,
    },
    [acquirerId, terminalId, stan, sentAt, timeZone],
  );
}

/** Notes that an advice was acknowledged, or ended otherwise. */
export function endForwarding(
  { run }: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-end-forwarding',
      text: `
        update issuer_attempt set state = 'SETTLED', due_at = null, forward_at = null
        where payee_id = $1 and attempt_id = $2 and state = 'FORWARDING'`,
    },
    [payeeId, attemptId],
  );
}

/**
 * Takes the next block of numbers for the messages of a terminal, around at the end; answers its first number. A terminal is one
 * of an institution, whatever its acquirer is called here. The first block of one is far from those that versions before this take,
 * which count by the acquirer's id: their instances may work beside this one for a while.
 */
export async function takeStans(
  { run }: Transaction,
  { institution, terminalId }: { readonly institution: string; readonly terminalId: string },
): Promise<number> {
  const { rows } = await run<{ readonly first: number }>(
    {
      name: 'issuers-take-stans',
      text: `
        insert into acquirer_stan as s (acquirer, terminal_id, next_stan)
        select $1::text, $2::text, (b.before + $3::integer) % $4::integer + 1
        from (
          select coalesce((max(next_stan) - 1 + $5::integer) % $4::integer, 0) as before from acquirer_stan
          where terminal_id = $2::text
        ) b
        on conflict (acquirer, terminal_id) do update
          set next_stan = case when s.next_stan + $3::integer > $4::integer then 1 else s.next_stan + $3::integer end
        returning case when next_stan = 1 then $4::integer - $3::integer + 1 else next_stan - $3::integer end as first`,
    },
    // An acquirer's id has no blank, so no older row is taken for it.
    [`institution ${institution}`, terminalId, STAN_BLOCK, LAST_STAN, FAR_STANS],
  );
  const [taken] = rows;
  assert(taken !== undefined, 'the statement answers a row');
  return taken.first;
}

/**
 * The questions that made payments, by the payments' ids. Where another acquirer was asked because the first one was not, it
 * is the other one's: only an approval comes without advice on another try.
 */
export const FIND_ORIGINAL_EXCHANGES = overRows<PaymentKey>({
  name: 'issuers-find-original-exchanges',
  columns: { payment_id: ['uuid', 'paymentId'] },
  text: ({ payee, places, matches }) => `
    select v.position::int, a.*
    from ${places}
    cross join lateral (
      select ${EXCHANGE_COLUMNS} from acquirer_exchange
      where payee_id = ${payee} and kind = 'Ask' and attempt_id = any (array(
        select attempt_id from issuer_attempt
        where ${matches} and transaction_id is null
      ))
      order by retry is not null
      limit 1
    ) a`,
});

/** Whether an acquirer has been asked for a payment. */
export async function findAnyExchange(read: Read, acquirerId: string): Promise<boolean> {
  const { rows } = await read(
    {
      name: 'issuers-has-exchanges',
      text: 'select from acquirer_exchange where acquirer = $1::text limit 1',
    },
    [acquirerId],
  );
  return rows.length > 0;
}
