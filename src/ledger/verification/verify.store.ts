import type { Transaction } from '../../db/transaction.types.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import type { BadRow } from './health.types.ts';

/**
 * The first row that breaks an invariant, or undefined. Whole tables are compared, so nested loops never pay: without statistics
 * PostgreSQL takes a table for a row and would read the other one anew for each. The limit stands outside of what is
 * materialized: where it may reach inside, PostgreSQL hopes for an early row, which a sound ledger does not have.
 */
export async function searchBadRow(transaction: Transaction, { statement }: Invariant): Promise<BadRow | undefined> {
  await transaction.run(WITHOUT_NESTED_LOOPS, []);
  const text = `with bad as materialized (${statement.text}) select * from bad limit 1`;
  const { rows } = await transaction.run<BadRow>({ name: statement.name, text }, []);
  return rows[0];
}

/** Until the transaction ends. */
const WITHOUT_NESTED_LOOPS = {
  name: 'ledger-verify-without-loops',
  text: `select set_config('enable_nestloop', 'off', true)`,
};

/** What must hold of the ledger's own tables, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'The entries of each movement sum to zero, in one currency.',
    statement: {
      name: 'ledger-verify-movements',
      text: `
        select m.payee_id as "payeeId", 'movement ' || m.movement_id as row
        from movement m left join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
        group by m.payee_id, m.movement_id, m.currency
        having count(e.line) < 2 or sum(e.amount) <> 0 or min(e.currency) <> m.currency or max(e.currency) <> m.currency
        order by m.movement_id`,
    },
  },
  {
    holds: 'Each entry belongs to a movement, and where it is of a bucket, to an account.',
    statement: {
      name: 'ledger-verify-entries',
      text: `
        select e.payee_id as "payeeId", 'entry ' || e.movement_id || ' line ' || e.line as row
        from entry e
          left join movement m on m.payee_id = e.payee_id and m.movement_id = e.movement_id
          left join account a on a.payee_id = e.payee_id and a.account_id = e.account_id
        where m.movement_id is null or (e.account_id is not null and a.account_id is null)
        order by e.movement_id, e.line`,
    },
  },
  {
    holds: 'All sides together sum to zero in each currency.',
    statement: {
      name: 'ledger-verify-currencies',
      text: `
        select payee_id as "payeeId", 'currency ' || currency as row
        from entry
        group by payee_id, currency
        having sum(amount) <> 0`,
    },
  },
  {
    holds: 'The entries of each account are numbered without gaps, and each balance follows from the one before.',
    statement: {
      name: 'ledger-verify-chains',
      text: `
        select payee_id as "payeeId", 'account ' || account_id || ' entry ' || sequence as row
        from (
          select payee_id, account_id, sequence, balance,
            row_number() over (partition by payee_id, account_id order by sequence) as place,
            sum(amount) over (partition by payee_id, account_id, side order by sequence) as reckoned
          from entry
          where account_id is not null
        ) e
        where sequence <> place or balance <> reckoned
        order by account_id, sequence`,
    },
  },
  {
    holds: 'What each account shows as available and held is the sum of its entries.',
    statement: {
      name: 'ledger-verify-balances',
      text: `
        select a.payee_id as "payeeId", 'account ' || a.account_id as row
        from account a
        left join (
          select payee_id, account_id, count(*) as entries,
            coalesce(sum(amount) filter (where side = 'Available'), 0) as available,
            coalesce(sum(amount) filter (where side = 'Held'), 0) as held
          from entry
          where account_id is not null
          group by payee_id, account_id
        ) e on e.payee_id = a.payee_id and e.account_id = a.account_id
        where a.available <> coalesce(e.available, 0) or a.held <> coalesce(e.held, 0)
          or a.entry_count <> coalesce(e.entries, 0)
        order by a.account_id`,
    },
  },
];
