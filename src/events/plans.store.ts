import type { Transaction } from '../db/transaction.types.ts';

/**
 * Keeps the planner of this transaction to the indexes. Connections for background work leave it free, and a plan that it
 * makes while there are few events would read the whole table for each event later on.
 */
export async function keepToIndexes(transaction: Transaction): Promise<void> {
  await transaction.run(
    {
      name: 'events-keep-to-indexes',
      text: `
        select set_config(name, 'off', true)
        from unnest('{enable_seqscan,enable_hashjoin,enable_mergejoin}'::text[]) as setting (name)`,
    },
    [],
  );
}
