import { overRows } from '../db/rows/over-rows.ts';
import { columnsOf, insertRows, updateChanges } from '../db/rows/tables.ts';
import { ACCOUNT, ENTRY, MOVEMENT, REFERENCE } from './ledger.tables.ts';
import type { TakenReference } from './ledger.types.ts';

// The writes of a batch: few statements over arrays. Each change names the state that it was decided on; no other
// transaction moves its row meanwhile, for it is changed under its account's lock alone: see `updateRows`.

/** Gives back references that their commands took and do not need. */
export const deleteReferences = overRows<TakenReference>({
  name: 'ledger-delete-references',
  columns: columnsOf(REFERENCE, 'scope', 'reference', 'commandId'),
  guard: 'checks',
  text: ({ payee, rows, asMany }) => `
    with changed as (
      delete from reference r
      using (
        select v.*, found.ctid as place
        from ${rows}
        cross join lateral (
          select ctid
          from reference
          where payee_id = ${payee} and scope = v.scope and reference = v.reference
          limit 1
        ) found
      ) v
      where r.ctid = v.place and r.command_id = v.command_id
      returning 1
    )
    ${asMany}`,
}).call;

/** Writes accounts that were changed, each from the version that was seen. */
export const updateAccounts = updateChanges('ledger-update-accounts', ACCOUNT, 'version');

/** Adds movements, all of one instant. */
export const insertMovements = insertRows('ledger-insert-movements', MOVEMENT);

/** Adds entries. Those of one movement must come in one statement: at its end they are summed. */
export const insertEntries = insertRows('ledger-insert-entries', ENTRY);
