import { overRows } from '../db/rows/over-rows.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read, Rows, Transaction } from '../db/transaction.types.ts';
import { UNACKNOWLEDGED_TRIES } from '../kit/limits.ts';
import type { Ahead, Attempt, AttemptOutcome, DueAttempt, Issuer, NewAttempt, OpenAttempts } from './issuers.types.ts';

/** Adds attempts with their exchanges. */
export const insertAttempts = overRows<NewAttempt, [now: string]>({
  name: 'issuers-insert-attempts',
  beside: 1,
  columns: {
    attempt_id: ['uuid', 'attemptId'],
    payment_id: ['uuid', 'paymentId'],
    transaction_id: ['uuid', 'transactionId'],
    account_id: ['uuid', 'accountId'],
    issuer: ['text', 'issuerId'],
    state: ['text', 'state'],
    due_at: ['timestamptz', 'dueAt'],
    acquirer: ['text', ({ dispatch }) => dispatch.exchange.acquirerId],
    agreement: ['text', ({ dispatch }) => dispatch.agreement.id],
    merchant_id: ['text', ({ dispatch }) => dispatch.agreement.merchantId],
    terminal_id: ['text', ({ dispatch }) => dispatch.exchange.terminalId],
    stan: ['text', ({ dispatch }) => dispatch.exchange.stan],
    sent_at: ['timestamptz', ({ dispatch }) => dispatch.exchange.sentAt],
    retrieval_reference: ['text', ({ dispatch }) => dispatch.exchange.retrievalReference],
    operation: ['text', 'operation'],
    amount: ['bigint', 'amount'],
    currency: ['text', 'currency'],
    original_attempt_id: ['uuid', 'originalAttemptId'],
    point_of_service: ['text', ({ dispatch }) => dispatch.pointOfService],
    descriptor: ['text', ({ dispatch }) => dispatch.descriptor ?? null],
  },
  guard: 'adds',
  // In one statement with their exchanges, so that what asks an acquirer costs the batch no further one.
  text: ({ payee, rows }) => `
    with v as materialized (select * from ${rows}),
    exchanges as (
      insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation,
        stan, sent_at, retrieval_reference, amount, currency, original_attempt_id, point_of_service, descriptor)
      select ${payee}, attempt_id, 'Ask', acquirer, agreement, merchant_id, terminal_id, operation, stan, sent_at,
        retrieval_reference, amount, currency, original_attempt_id, point_of_service, descriptor
      from v
    )
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, account_id, issuer, state, due_at,
      created_at, subject)
    select ${payee}, attempt_id, payment_id, transaction_id, account_id, issuer, state, due_at, $1::timestamptz,
      case when account_id is null then 'CardPayment' else 'AccountPayment' end
    from v`,
}).call;

/**
 * Moves attempts on, each from the state that it must be in, and notes what their exchanges came to. What has to be
 * reversed is due at once, and what is repeated a while later.
 */
export const updateAttempts = overRows<AttemptOutcome, [now: string]>({
  name: 'issuers-update-attempts',
  beside: 1,
  columns: {
    attempt_id: ['uuid', 'attemptId'],
    from_state: ['text', 'from'],
    to_state: ['text', 'to'],
    exchange_state: ['text', ({ answer }) => answer?.state ?? null],
    action_code: ['text', ({ answer }) => answer?.actionCode ?? null],
    scheme_code: ['text', ({ answer }) => answer?.schemeCode ?? null],
    approval_code: ['text', ({ answer }) => answer?.approvalCode ?? null],
    approved_amount: ['bigint', ({ answer }) => answer?.approvedAmount ?? null],
    acquirer_reference: ['text', ({ answer }) => answer?.acquirerReference ?? null],
    scheme_transaction_id: ['text', ({ answer }) => answer?.schemeTransactionId ?? null],
    retry: ['text', ({ answer }) => answer?.retry ?? null],
    retry_after_hours: ['integer', ({ answer }) => answer?.retryAfterHours ?? null],
    business_day: ['date', ({ answer }) => answer?.businessDay ?? null],
    capture_number: ['integer', ({ answer }) => answer?.kept?.sequence.number ?? null],
    is_last_capture: ['boolean', ({ answer }) => answer?.kept?.sequence.isLast ?? null],
    released: ['bigint', ({ answer }) => answer?.kept?.releasedAmount ?? null],
  },
  guard: 'checks',
  text: ({ payee, rows, asMany }) => `
    with v as materialized (select * from ${rows}),
    exchanges as (
      update acquirer_exchange e
      set state = said.exchange_state, action_code = said.action_code, scheme_code = said.scheme_code,
        approval_code = said.approval_code, approved_amount = said.approved_amount, acquirer_reference = said.acquirer_reference,
        scheme_transaction_id = said.scheme_transaction_id, retry = said.retry, retry_after_hours = said.retry_after_hours,
        business_day = coalesce(said.business_day, case said.exchange_state when 'Answered' then (
          select day from acquirer_day where acquirer = e.acquirer and ends_at > $1::timestamptz
        ) end),
        -- What came late may have come before this is written.
        answered_at = case when said.exchange_state = 'Answered' or said.action_code is not null then $1::timestamptz
          else e.answered_at end,
        capture_number = coalesce(said.capture_number, e.capture_number),
        is_last_capture = coalesce(said.is_last_capture, e.is_last_capture), released = coalesce(said.released, e.released)
      from (
        select v.*, found.ctid as place
        from v
        -- Locked, so that its place is still its own when it is written: no count tells where one was left out.
        cross join lateral (
          select ctid from acquirer_exchange
          where payee_id = ${payee} and attempt_id = v.attempt_id and kind = 'Ask'
          limit 1
          for update
        ) found
        where v.exchange_state is not null
      ) said
      where e.ctid = said.place
    ),
    changed as (
      update issuer_attempt
      set state = outcome.to_state, due_at = case outcome.to_state when 'REVERSING' then $1::timestamptz
        when 'FORWARDING' then case when outcome.capture_number is null then $1::timestamptz + interval '2 seconds'
          else 'infinity' end end,
        forward_at = case when outcome.to_state = 'FORWARDING' and outcome.capture_number is not null
          then $1::timestamptz + interval '2 seconds' end,
        tries = case when outcome.to_state in ('REVERSING', 'FORWARDING') then 0 else tries end
      from (
        select v.*, found.ctid as place
        from v
        cross join lateral (
          select ctid from issuer_attempt where payee_id = ${payee} and attempt_id = v.attempt_id limit 1
        ) found
      ) outcome
      where issuer_attempt.ctid = outcome.place and issuer_attempt.state = outcome.from_state
      returning 1
    )
    ${asMany}`,
}).call;

/** As `DueAttempt` names them. */
const DUE_COLUMNS = `
  payee_id as "payeeId", attempt_id as "attemptId", attempt_id as "rowId", payment_id as "paymentId",
  transaction_id as "transactionId", account_id as "accountId", issuer as "issuerId", state, subject, tries,
  extract(epoch from kontor_now() - created_at)::float8 as "ageSeconds",
  (
    select operation from acquirer_exchange e
    where e.payee_id = issuer_attempt.payee_id and e.attempt_id = issuer_attempt.attempt_id and e.kind = 'Ask'
  ) as operation`;

/** When an attempt is looked after next: what is kept has a time of its own. */
const DUE_AT = 'coalesce(forward_at, due_at)';
const dueIn = (interval: string) => `
          due_at = case when forward_at is null then kontor_now() + ${interval} else due_at end,
          forward_at = case when forward_at is not null then kontor_now() + ${interval} end`;

/** Seconds in which the instance that took due attempts has begun to work at them: from then on they are its own. */
const TAKEN_SECONDS = 5;

/** What attempts are taken. */
export interface Taking {
  readonly most: number;
  /** Issuers of which none is taken. */
  readonly but: readonly string[];
  /** Issuers that no line is there to. */
  readonly away: readonly Pick<Issuer, 'issuerId' | 'forwardHours'>[];
}

/**
 * Takes attempts whose time has come, and puts their next time off for a moment, so that no other instance takes the same.
 * That is no try yet: a process that ends meanwhile has not told the issuer in vain. An advice waits for what the acquirer has to be
 * told before of its payment: a cancel that overtook a capture, or its take-back, would be refused, and the hold be there again after
 * it. It also waits for its acquirer, which it is told to as soon as that is there; so none of its tries is in vain meanwhile.
 */
export async function takeDueAttempts(
  transaction: Transaction,
  { most, but, away }: Taking,
): Promise<readonly DueAttempt[]> {
  const { rows } = await transaction.run<DueAttempt>(
    {
      name: 'issuers-take-due-attempts',
      text: `
        with due as materialized (
          select ctid as place from issuer_attempt
          where due_at is not null and ${DUE_AT} <= (select kontor_now()) and issuer <> all ($2::text[])
            and ${isFreeFor('recover-attempts', 'issuer_attempt.payee_id', 'issuer_attempt.attempt_id::text')}
            and not (state = 'FORWARDING' and (
              exists (
                select from issuer_attempt before
                where before.payee_id = issuer_attempt.payee_id and before.payment_id = issuer_attempt.payment_id
                  and before.state = 'REVERSING'
              )
              or exists (
                select from issuer_attempt before
                where before.payee_id = issuer_attempt.payee_id and before.payment_id = issuer_attempt.payment_id
                  and before.state = 'FORWARDING'
                  and (before.created_at, before.attempt_id) < (issuer_attempt.created_at, issuer_attempt.attempt_id)
              )
              or exists (
                select from unnest($3::text[], $4::integer[]) away (issuer, hours)
                where away.issuer = issuer_attempt.issuer
                  and issuer_attempt.created_at > (select kontor_now()) - make_interval(hours => away.hours)
              )
            ))
          order by ${DUE_AT}
          limit $1::integer
          for update skip locked
        )
        update issuer_attempt
        set ${dueIn(`make_interval(secs => ${TAKEN_SECONDS})`)}
        from due
        where issuer_attempt.ctid = due.place
        returning ${DUE_COLUMNS}`,
    },
    [most, but, away.map(({ issuerId }) => issuerId), away.map(({ forwardHours }) => forwardHours)],
  );
  return rows;
}

/** Counts a try that came to nothing, and puts the next one off: by 2, 4, 8 … seconds, an hour at most. */
export function postponeAttempt(
  { run }: Transaction,
  { payeeId, attemptId, state }: Pick<DueAttempt, 'payeeId' | 'attemptId' | 'state'>,
): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-postpone-attempt',
      text: `
        update issuer_attempt
        set tries = tries + 1,
          ${dueIn("least(interval '1 hour', interval '1 second' * 2 ^ least(tries + 1, 12))")}
        where payee_id = $1 and attempt_id = $2 and state = $3 and due_at is not null`,
    },
    [payeeId, attemptId, state],
  );
}

/** An attempt that waits until its issuer acknowledges it, of any payee. */
export async function lockUnacknowledged({ run }: Transaction, attemptId: string): Promise<DueAttempt | undefined> {
  const { rows } = await run<DueAttempt>(
    {
      name: 'issuers-lock-unacknowledged',
      text: `
        select ${DUE_COLUMNS} from issuer_attempt
        where due_at is not null and attempt_id = $1 and state in ('REVERSING', 'FORWARDING')
        for update`,
    },
    [attemptId],
  );
  return rows[0];
}

/** Notes that the issuer has taken attempts back. */
export function confirmReversal(
  transaction: Transaction,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'issuers-confirm-reversal',
      text: `
        update issuer_attempt set state = 'REVERSED', due_at = null
        where payee_id = $1 and attempt_id = $2 and state = 'REVERSING'`,
    },
    [payeeId, attemptId],
  );
}

/** What is open of the payment that an attempt is about, beside that one. */
export function selectAhead(
  read: Read,
  { payeeId, attemptId }: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<Rows<Ahead>> {
  return read(
    {
      name: 'issuers-select-ahead',
      text: `
        select count(*) filter (where other.state = 'REVERSING') > 0 as "isTakingBack",
          count(*) filter (where other.state = 'FORWARDING') > 0 as "isForwarding",
          count(*) filter (where other.forward_at is not null) > 0 as "isCaptureKept"
        from issuer_attempt asked join issuer_attempt other using (payee_id, payment_id)
        where asked.payee_id = $1 and asked.attempt_id = $2 and other.state in ('REVERSING', 'FORWARDING')`,
    },
    [payeeId, attemptId],
  );
}

/** How long the oldest attempt has been open, in seconds; null where none is. */
export function selectOldestAttempt(read: Read): Promise<Rows<{ readonly seconds: number | null }>> {
  return read(
    {
      name: 'issuers-select-oldest-attempt',
      text: `
        select extract(epoch from kontor_now() - min(created_at))::float8 as seconds
        from issuer_attempt
        where due_at is not null`,
    },
    [],
  );
}

/** What each issuer has not acknowledged yet. Few rows are due at any time, and an index has these alone. */
export function selectOpenAttempts(read: Read): Promise<Rows<OpenAttempts>> {
  return read(
    {
      name: 'issuers-select-open-attempts',
      text: `
        select issuer as "issuerId", count(*) filter (where state = 'REVERSING')::integer as "takeBacks",
          count(*) filter (where state = 'FORWARDING')::integer as forwarded,
          count(*) filter (where state in ('REVERSING', 'FORWARDING') and tries > ${UNACKNOWLEDGED_TRIES})::integer as unacknowledged,
          coalesce(extract(epoch from kontor_now() - min(created_at) filter (where state = 'REVERSING')), 0)::float8
            as "oldestTakeBackSeconds"
        from issuer_attempt
        where due_at is not null
        group by issuer`,
    },
    [],
  );
}
