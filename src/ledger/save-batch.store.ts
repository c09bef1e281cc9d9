import type { GuardedCall } from '../db/batch/batch.types.ts';
import type { Account, Change, TakenReference } from './ledger.types.ts';
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
