import type { Transaction } from '../../db/transaction.types.ts';

/**
 * Keeps the planner of this transaction to the indexes. Connections for background work leave it free, and a plan that it
 * makes while there are few events would read the whole table for each event later on.
 */
export async function keepToIndexes(transaction: Transaction): Promise<void> {
  await switchOff(transaction, PLANS);
}

/**
 * The same, and its commit does not wait for the disk: for what a crash may undo, because it is done again then. So the
 * commits of payments do not stand in line behind it.
 */
export async function keepToIndexesWithoutWaiting(transaction: Transaction): Promise<void> {
  await switchOff(transaction, [...PLANS, 'synchronous_commit']);
}

const PLANS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

async function switchOff(transaction: Transaction, settings: readonly string[]): Promise<void> {
  await transaction.run(
    {
      name: 'events-switch-off',
      text: `select set_config(name, 'off', true) from unnest($1::text[]) as setting (name)`,
    },
    [settings],
  );
}
