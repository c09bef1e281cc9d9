import type { GuardedCall } from '../db/batch.types.ts';
import type { Account, Change, Payment, PaymentTransaction, TakenReference } from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

// The writes of a batch: few statements over arrays. Each change names the state that it was decided on.
//
// A change finds its row by key in a subquery with a limit, and joins it by its place (`ctid`). A plain join by key has
// another plan too: to walk the whole table. PostgreSQL prefers that one while it believes that the table is empty, and
// keeps it. Nobody moves the row meanwhile: it is changed under its account's lock alone.

/** Gives back references that their commands took and do not need. */
export function deleteReferences(claims: readonly TakenReference[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-delete-references',
      text: `
        delete from reference r
        using (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
            as v (payee_id, scope, reference, command_id)
          cross join lateral (
            select ctid
            from reference
            where payee_id = v.payee_id and scope = v.scope and reference = v.reference
            limit 1
          ) found
        ) v
        where r.ctid = v.place and r.command_id = v.command_id`,
    },
    values: [
      claims.map(({ payeeId }) => payeeId),
      claims.map(({ scope }) => scope),
      claims.map(({ reference }) => reference),
      claims.map(({ commandId }) => commandId),
    ],
    expected: claims.length,
  };
}

/** Writes accounts that were changed. What the terms say stays. */
export function updateAccounts(changes: readonly Change<Account>[]): GuardedCall {
  const after = changes.map((change) => change.after);
  return {
    statement: {
      name: 'ledger-update-accounts',
      text: `
        update account a
        set available = v.available, held = v.held, blocked_at = v.blocked_at, blocked_until = v.blocked_until,
          closed_at = v.closed_at, strikes = v.strikes, strikes_end_at = v.strikes_end_at, next_hold_expires_at = v.next_hold_expires_at,
          strikers = v.strikers, entry_count = v.entry_count, version = v.version
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[],
            $7::timestamptz[], $8::timestamptz[], $9::bigint[], $10::bigint[], $11::integer[], $12::timestamptz[],
            $13::timestamptz[], $14::jsonb[])
            as v (payee_id, account_id, seen, available, held, blocked_at, blocked_until, next_hold_expires_at,
              entry_count, version, strikes, strikes_end_at, closed_at, strikers)
          cross join lateral (
            select ctid from account where payee_id = v.payee_id and account_id = v.account_id limit 1
          ) found
        ) v
        where a.ctid = v.place and a.version = v.seen`,
    },
    values: [
      after.map(({ payeeId }) => payeeId),
      after.map(({ accountId }) => accountId),
      changes.map(({ before }) => before.version),
      after.map(({ available }) => available),
      after.map(({ held }) => held),
      after.map(({ blockedAt }) => blockedAt),
      after.map(({ blockedUntil }) => blockedUntil),
      after.map(({ nextHoldExpiresAt }) => nextHoldExpiresAt),
      after.map(({ entryCount }) => entryCount),
      after.map(({ version }) => version),
      after.map(({ strikes }) => strikes),
      after.map(({ strikesEndAt }) => strikesEndAt),
      after.map(({ closedAt }) => closedAt),
      after.map(({ strikers }) => strikers && JSON.stringify(strikers)),
    ],
    expected: changes.length,
  };
}

/** Adds payments. */
export function insertPayments(payments: readonly Payment[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-payments',
      text: `
        insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
          reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, problem, echo, created_at, updated_at,
          event_sequence)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::text[],
          $8::bigint[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::text[], $13::text[], $14::text[],
          $15::jsonb[], $16::timestamptz[], $17::timestamptz[], $18::bigint[])`,
    },
    values: [
      payments.map(({ payeeId }) => payeeId),
      payments.map(({ paymentId }) => paymentId),
      payments.map(({ accountId }) => accountId),
      payments.map(({ operation }) => operation),
      payments.map(({ state }) => state),
      payments.map(({ amount }) => amount),
      payments.map(({ currency }) => currency),
      payments.map(({ captured }) => captured),
      payments.map(({ cancelled }) => cancelled),
      payments.map(({ reversed }) => reversed),
      payments.map(({ holdExpiresAt }) => holdExpiresAt),
      payments.map(({ paymentOrderRef }) => paymentOrderRef),
      payments.map(({ paymentTransactionRef }) => paymentTransactionRef),
      payments.map(({ problem }) => problem),
      payments.map(({ echo }) => JSON.stringify(echo)),
      payments.map(({ createdAt }) => createdAt),
      payments.map(({ updatedAt }) => updatedAt),
      payments.map(({ eventSequence }) => eventSequence),
    ],
    expected: payments.length,
  };
}

/** Writes payments that were changed: their state and counters, and the echo, which an issuer's answer may add to. */
export function updatePayments(changes: readonly Change<Payment>[]): GuardedCall {
  const after = changes.map((change) => change.after);
  const before = changes.map((change) => change.before);
  return {
    statement: {
      name: 'ledger-update-payments',
      text: `
        update payment p
        set state = v.state, captured = v.captured, cancelled = v.cancelled, reversed = v.reversed,
          reserved_hold = v.reserved_hold, reserved_reversal = v.reserved_reversal,
          hold_expires_at = v.hold_expires_at, problem = v.problem, echo = v.echo, updated_at = v.updated_at,
          event_sequence = v.event_sequence
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::text[], $13::jsonb[],
            $14::timestamptz[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[])
            as v (payee_id, payment_id, state_seen, captured_seen, cancelled_seen, reversed_seen, state, captured,
              cancelled, reversed, hold_expires_at, problem, echo, updated_at, event_sequence, reserved_hold_seen,
              reserved_reversal_seen, reserved_hold, reserved_reversal)
          cross join lateral (
            select ctid from payment where payee_id = v.payee_id and payment_id = v.payment_id limit 1
          ) found
        ) v
        where p.ctid = v.place and p.state = v.state_seen and p.captured = v.captured_seen
          and p.cancelled = v.cancelled_seen and p.reversed = v.reversed_seen
          and p.reserved_hold = v.reserved_hold_seen and p.reserved_reversal = v.reserved_reversal_seen`,
    },
    values: [
      after.map(({ payeeId }) => payeeId),
      after.map(({ paymentId }) => paymentId),
      before.map(({ state }) => state),
      before.map(({ captured }) => captured),
      before.map(({ cancelled }) => cancelled),
      before.map(({ reversed }) => reversed),
      after.map(({ state }) => state),
      after.map(({ captured }) => captured),
      after.map(({ cancelled }) => cancelled),
      after.map(({ reversed }) => reversed),
      after.map(({ holdExpiresAt }) => holdExpiresAt),
      after.map(({ problem }) => problem),
      after.map(({ echo }) => JSON.stringify(echo)),
      after.map(({ updatedAt }) => updatedAt),
      after.map(({ eventSequence }) => eventSequence),
      before.map(({ reservedHold }) => reservedHold),
      before.map(({ reservedReversal }) => reservedReversal),
      after.map(({ reservedHold }) => reservedHold),
      after.map(({ reservedReversal }) => reservedReversal),
    ],
    expected: changes.length,
  };
}

/** Adds captures, cancels and reversals. */
export function insertTransactions(transactions: readonly PaymentTransaction[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-transactions',
      text: `
        insert into payment_transaction (payee_id, transaction_id, payment_id, operation, state, amount,
          payment_order_ref, payment_transaction_ref, problem, echo, created_at, updated_at, released)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::text[],
          $8::text[], $9::text[], $10::jsonb[], $11::timestamptz[], $12::timestamptz[], $13::bigint[])`,
    },
    values: [
      transactions.map(({ payeeId }) => payeeId),
      transactions.map(({ transactionId }) => transactionId),
      transactions.map(({ paymentId }) => paymentId),
      transactions.map(({ operation }) => operation),
      transactions.map(({ state }) => state),
      transactions.map(({ amount }) => amount),
      transactions.map(({ paymentOrderRef }) => paymentOrderRef),
      transactions.map(({ paymentTransactionRef }) => paymentTransactionRef),
      transactions.map(({ problem }) => problem),
      transactions.map(({ echo }) => JSON.stringify(echo)),
      transactions.map(({ createdAt }) => createdAt),
      transactions.map(({ updatedAt }) => updatedAt),
      transactions.map(({ released }) => released),
    ],
    expected: transactions.length,
  };
}

/** Writes captures, cancels and reversals whose issuer has answered. */
export function updateTransactions(changes: readonly Change<PaymentTransaction>[]): GuardedCall {
  const after = changes.map((change) => change.after);
  return {
    statement: {
      name: 'ledger-update-transactions',
      text: `
        update payment_transaction t
        set state = v.state, problem = v.problem, echo = v.echo, updated_at = v.updated_at
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
            as v (payee_id, transaction_id, state_seen, state, problem, echo, updated_at)
          cross join lateral (
            select ctid
            from payment_transaction
            where payee_id = v.payee_id and transaction_id = v.transaction_id
            limit 1
          ) found
        ) v
        where t.ctid = v.place and t.state = v.state_seen`,
    },
    values: [
      after.map(({ payeeId }) => payeeId),
      after.map(({ transactionId }) => transactionId),
      changes.map(({ before }) => before.state),
      after.map(({ state }) => state),
      after.map(({ problem }) => problem),
      after.map(({ echo }) => JSON.stringify(echo)),
      after.map(({ updatedAt }) => updatedAt),
    ],
    expected: changes.length,
  };
}

/** Adds movements, all of one instant. */
export function insertMovements(movements: readonly Movement[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-movements',
      text: `
        insert into movement (payee_id, movement_id, kind, currency, payment_id, transaction_id, happened_at)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::timestamptz[])`,
    },
    values: [
      movements.map(({ payeeId }) => payeeId),
      movements.map(({ movementId }) => movementId),
      movements.map(({ kind }) => kind),
      movements.map(({ currency }) => currency),
      movements.map(({ paymentId }) => paymentId),
      movements.map(({ transactionId }) => transactionId),
      movements.map(({ happenedAt }) => happenedAt),
    ],
    expected: movements.length,
  };
}

/** Adds entries. Those of one movement must come in one statement: at its end they are summed. */
export function insertEntries(entries: readonly Entry[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-entries',
      text: `
        insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
        select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::uuid[],
          $8::bigint[], $9::bigint[])`,
    },
    values: [
      entries.map(({ payeeId }) => payeeId),
      entries.map(({ movementId }) => movementId),
      entries.map(({ line }) => line),
      entries.map(({ side }) => side),
      entries.map(({ currency }) => currency),
      entries.map(({ amount }) => amount),
      entries.map(({ accountId }) => accountId),
      entries.map(({ sequence }) => sequence),
      entries.map(({ balance }) => balance),
    ],
    expected: entries.length,
  };
}
