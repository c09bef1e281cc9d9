import type { Transaction } from '../db/transaction.types.ts';

/** As the function of the database, which alone may change the trail. */
export async function forgetSomeAddresses(
  transaction: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ readonly rows: number }>(
    {
      name: 'journal-forget-addresses',
      text: 'select forget_addresses_of_trail($1::integer, $2::integer) as rows',
    },
    [days, limit],
  );
  return rows[0]?.rows ?? 0;
}
