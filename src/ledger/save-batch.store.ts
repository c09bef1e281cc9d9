import { insertRows, overRows, updateRows } from '../db/over-rows.ts';
import type { Account, Change, TakenReference } from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

// The writes of a batch: few statements over arrays. Each change names the state that it was decided on; no other
// transaction moves its row meanwhile, for it is changed under its account's lock alone: see `updateRows`.

/** Gives back references that their commands took and do not need. */
export const deleteReferences = overRows<TakenReference>({
  name: 'ledger-delete-references',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    scope: ['text', 'scope'],
    reference: ['text', 'reference'],
    command_id: ['uuid', 'commandId'],
  },
  guard: 'checks',
  text: ({ rows, asMany }) => `
    with changed as (
      delete from reference r
      using (
        select v.*, found.ctid as place
        from ${rows}
        cross join lateral (
          select ctid
          from reference
          where payee_id = v.payee_id and scope = v.scope and reference = v.reference
          limit 1
        ) found
      ) v
      where r.ctid = v.place and r.command_id = v.command_id
      returning 1
    )
    ${asMany}`,
}).call;

/** Writes accounts that were changed. What the terms say stays, but for the end of a card that is extended. */
export const updateAccounts = updateRows<Change<Account>>({
  name: 'ledger-update-accounts',
  table: 'account',
  key: {
    payee_id: ['uuid', ({ after }) => after.payeeId],
    account_id: ['uuid', ({ after }) => after.accountId],
  },
  seen: { version: ['bigint', ({ before }) => before.version] },
  set: {
    available: ['bigint', ({ after }) => after.available],
    held: ['bigint', ({ after }) => after.held],
    blocked_at: ['timestamptz', ({ after }) => after.blockedAt],
    blocked_until: ['timestamptz', ({ after }) => after.blockedUntil],
    next_hold_expires_at: ['timestamptz', ({ after }) => after.nextHoldExpiresAt],
    entry_count: ['bigint', ({ after }) => after.entryCount],
    version: ['bigint', ({ after }) => after.version],
    strikes: ['integer', ({ after }) => after.strikes],
    strikes_end_at: ['timestamptz', ({ after }) => after.strikesEndAt],
    closed_at: ['timestamptz', ({ after }) => after.closedAt],
    expires_at: ['timestamptz', ({ after }) => after.expiresAt],
    strikers: ['jsonb', ({ after: { strikers } }) => strikers && JSON.stringify(strikers)],
  },
});

/** Adds movements, all of one instant. */
export const insertMovements = insertRows<Movement>('ledger-insert-movements', 'movement', {
  payee_id: ['uuid', 'payeeId'],
  movement_id: ['uuid', 'movementId'],
  kind: ['text', 'kind'],
  currency: ['text', 'currency'],
  payment_id: ['uuid', 'paymentId'],
  transaction_id: ['uuid', 'transactionId'],
  happened_at: ['timestamptz', 'happenedAt'],
});

/** Adds entries. Those of one movement must come in one statement: at its end they are summed. */
export const insertEntries = insertRows<Entry>('ledger-insert-entries', 'entry', {
  payee_id: ['uuid', 'payeeId'],
  movement_id: ['uuid', 'movementId'],
  line: ['smallint', 'line'],
  side: ['text', 'side'],
  currency: ['text', 'currency'],
  amount: ['bigint', 'amount'],
  account_id: ['uuid', 'accountId'],
  sequence: ['bigint', 'sequence'],
  balance: ['bigint', 'balance'],
});
