import { along, placeAfter, runAlong, standingIn } from '../../db/reading/walk.ts';
import type { AlongStatement, Portion, Standing } from '../../db/reading/walk.types.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { Invariant, Search } from '../../journal/invariants.types.ts';
import { WALKS } from '../../journal/walks.types.ts';
import type { Side } from '../ledger.types.ts';
import type { BadRow, Looked } from './health.types.ts';

/** Searches the next rows of a walk. */
export async function searchPortion(
  transaction: Transaction,
  search: AlongStatement,
  { rows: most, ...standing }: Portion & Standing,
): Promise<Looked> {
  const { from, groupEnd } = await standingIn(transaction, search.along, standing);
  const portion: Portion = { from, rows: most };
  const { rows } = await runAlong<BadRow>(transaction, { ...search, text: `${search.text} limit 1` }, portion);
  return { badRow: rows[0], next: await placeAfter(transaction, search.along, portion), groupEnd };
}

/**
 * The first row that a search finds in whole tables, or undefined. Nested loops never pay there: without statistics
 * PostgreSQL takes a table for a row and would read the other one anew for each. The limit stands outside of what is
 * materialized: where it may reach inside, PostgreSQL hopes for an early row, which a sound ledger does not have.
 */
export async function searchWhole(transaction: Transaction, { name, text }: Search): Promise<BadRow | undefined> {
  await transaction.run(WITHOUT_NESTED_LOOPS, []);
  const { rows } = await transaction.run<BadRow>(
    { name, text: `with bad as materialized (${text}) select * from bad limit 1` },
    [],
  );
  return rows[0];
}

/** Until the transaction ends. */
const WITHOUT_NESTED_LOOPS = {
  name: 'ledger-verify-without-loops',
  text: `select set_config('enable_nestloop', 'off', true)`,
};

const OF_ACCOUNT = 'payee_id = a.payee_id and account_id = a.account_id';
/** What is on a side of the account after its last entry. */
const balanceOf = (side: Side) => `coalesce((
  select balance from entry where ${OF_ACCOUNT} and side = '${side}' order by sequence desc limit 1), 0)`;

/** What must hold of the ledger's own tables, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'The entries of each movement sum to zero, in one currency.',
    searches: [
      along(
        WALKS.movement,
        'ledger-verify-movements',
        (rows) => `
        select m.payee_id as "payeeId", 'movement ' || m.movement_id as row
        from ${rows} m
        cross join lateral (
          select count(*) as lines, sum(amount) as amount, min(currency) as first, max(currency) as last
          from entry where payee_id = m.payee_id and movement_id = m.movement_id
        ) e
        where e.lines < 2 or e.amount <> 0 or e.first <> m.currency or e.last <> m.currency`,
      ),
    ],
  },
  {
    holds: 'Each entry belongs to a movement, and where it is of a bucket, to an account.',
    searches: [
      along(
        WALKS.entry,
        'ledger-verify-entries',
        (rows) => `
        select e.payee_id as "payeeId", 'entry ' || e.movement_id || ' line ' || e.line as row
        from ${rows} e
        where not exists (select from movement where payee_id = e.payee_id and movement_id = e.movement_id)
          or (e.account_id is not null
            and not exists (select from account where payee_id = e.payee_id and account_id = e.account_id))`,
      ),
    ],
  },
  {
    holds: 'All sides together sum to zero in each currency.',
    searches: [
      // Of each portion of movements: what a movement moves stays within it.
      along(
        WALKS.movement,
        'ledger-verify-currencies',
        (rows) => `
        select m.payee_id as "payeeId", 'currency ' || e.currency as row
        from ${rows} m
        cross join lateral (
          select currency, amount from entry where payee_id = m.payee_id and movement_id = m.movement_id
        ) e
        group by m.payee_id, e.currency
        having sum(e.amount) <> 0`,
      ),
    ],
  },
  {
    holds: 'The entries of each account are numbered without gaps, and each balance follows from the one before.',
    searches: [
      along(
        WALKS.entryOfAccount,
        'ledger-verify-chains',
        (rows) => `
        select payee_id as "payeeId", 'account ' || account_id || ' entry ' || sequence as row
        from (
          select e.*, 1 + coalesce(
              lag(sequence) over (partition by payee_id, account_id order by sequence),
              (select sequence from entry
                where payee_id = e.payee_id and account_id = e.account_id and sequence < e.sequence
                order by sequence desc limit 1),
              0
            ) as place,
            amount + coalesce(
              lag(balance) over (partition by payee_id, account_id, side order by sequence),
              (select balance from entry
                where payee_id = e.payee_id and account_id = e.account_id and side = e.side and sequence < e.sequence
                order by sequence desc limit 1),
              0
            ) as reckoned
          from ${rows} e
        ) e
        where sequence <> place or balance <> reckoned`,
      ),
    ],
  },
  {
    holds: 'What each account shows as available and held is the sum of its entries.',
    searches: [
      // The balance of a side's last entry is their sum: the invariant above holds each balance to the one before.
      along(
        WALKS.account,
        'ledger-verify-balances',
        (rows) => `
        select a.payee_id as "payeeId", 'account ' || a.account_id as row
        from ${rows} a
        where a.entry_count <> coalesce((select max(sequence) from entry where ${OF_ACCOUNT}), 0)
          or a.available <> ${balanceOf('Available')} or a.held <> ${balanceOf('Held')}`,
      ),
    ],
  },
];
