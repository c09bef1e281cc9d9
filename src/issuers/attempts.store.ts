import { overRows } from '../db/over-rows.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read, Rows, Transaction } from '../db/transaction.types.ts';
import type { PaymentKey } from '../ledger/ledger.types.ts';
import type { Attempt, AttemptOutcome, DueAttempt, NewAttempt } from './issuers.types.ts';

/** Adds attempts in the state `CALLING`. */
export const insertAttempts = overRows<NewAttempt, [now: string]>({
  name: 'issuers-insert-attempts',
  beside: 1,
  columns: {
    payee_id: ['uuid', 'payeeId'],
    attempt_id: ['uuid', 'attemptId'],
    payment_id: ['uuid', 'paymentId'],
    transaction_id: ['uuid', 'transactionId'],
    account_id: ['uuid', 'accountId'],
    issuer: ['text', 'issuerId'],
    due_at: ['timestamptz', 'dueAt'],
  },
  text: ({ rows }) => `
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, account_id, issuer, state, due_at,
      created_at, subject)
    select payee_id, attempt_id, payment_id, transaction_id, account_id, issuer, 'CALLING', due_at, $1::timestamptz,
      case when account_id is null then 'CardPayment' else 'AccountPayment' end
    from ${rows}`,
}).call;

/** Moves attempts on, each from the state that it must be in. What has to be reversed is due at once. */
export const updateAttempts = overRows<AttemptOutcome, [now: string]>({
  name: 'issuers-update-attempts',
  beside: 1,
  columns: {
    payee_id: ['uuid', 'payeeId'],
    attempt_id: ['uuid', 'attemptId'],
    from_state: ['text', 'from'],
    to_state: ['text', 'to'],
  },
  text: ({ rows }) => `
    update issuer_attempt
    set state = outcome.to_state, due_at = case outcome.to_state when 'REVERSING' then $1::timestamptz end
    from (
      select v.*, found.ctid as place
      from ${rows}
      cross join lateral (
        select ctid from issuer_attempt where payee_id = v.payee_id and attempt_id = v.attempt_id limit 1
      ) found
    ) outcome
    where issuer_attempt.ctid = outcome.place and issuer_attempt.state = outcome.from_state`,
}).call;

/**
 * Takes attempts whose time has come, and puts their next time off, so that no other instance does the same meanwhile:
 * by 2, 4, 8 … seconds, an hour at most.
 */
export async function takeDueAttempts(transaction: Transaction, limit: number): Promise<readonly DueAttempt[]> {
  const { rows } = await transaction.run<DueAttempt>(
    {
      name: 'issuers-take-due-attempts',
      text: `
        update issuer_attempt
        set tries = tries + 1, due_at = kontor_now() + least(interval '1 hour', interval '1 second' * 2 ^ least(tries + 1, 12))
        from (
          select ctid as place from issuer_attempt
          where due_at <= kontor_now()
            and ${isFreeFor('recover-attempts', 'issuer_attempt.payee_id', 'issuer_attempt.attempt_id::text')}
          order by due_at
          limit $1::integer
          for update skip locked
        ) due
        where issuer_attempt.ctid = due.place
        returning payee_id as "payeeId", attempt_id as "attemptId", attempt_id as "rowId", payment_id as "paymentId",
          transaction_id as "transactionId", account_id as "accountId", issuer as "issuerId", state, subject`,
    },
    [limit],
  );
  return rows;
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

/** The attempts that made payments, by the payments' ids. */
export const FIND_ORIGINAL_ATTEMPTS = overRows<PaymentKey>({
  name: 'issuers-find-original-attempts',
  columns: { payee_id: ['uuid', 'payeeId'], payment_id: ['uuid', 'paymentId'] },
  text: ({ places, matches }) => `
    select v.position::int, a.*
    from ${places}
    cross join lateral (
      select attempt_id as "attemptId"
      from issuer_attempt
      where ${matches} and transaction_id is null
      limit 1
    ) a`,
});

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
