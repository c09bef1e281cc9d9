import { overRows } from '../../db/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { AccountKey } from '../ledger.types.ts';

/** An account whose number comes under another key. */
export interface RenewedNumber extends AccountKey {
  readonly from: KeyId;
  readonly digest: Buffer;
}

const UPDATE_NUMBERS = overRows<RenewedNumber, [to: KeyId]>({
  name: 'ledger-update-numbers',
  beside: 1,
  columns: {
    payee_id: ['uuid', 'payeeId'],
    account_id: ['uuid', 'accountId'],
    number_digest: ['bytea', 'digest'],
    number_key_id: ['text', 'from'],
  },
  text: ({ rows }) => `
    update account a
    set number_digest = v.number_digest, number_key_id = $1::text
    from ${rows}
    where a.payee_id = v.payee_id and a.account_id = v.account_id and a.number_key_id = v.number_key_id`,
});

/** Gives accounts the digests of another key, where theirs is still the one that was seen; answers how many. */
export async function updateNumbers(
  transaction: Transaction,
  numbers: readonly RenewedNumber[],
  to: KeyId,
): Promise<number> {
  const { count } = await transaction.run(UPDATE_NUMBERS, UPDATE_NUMBERS.values(numbers, to));
  return count;
}

/** How many accounts are found by a digest under a key, up to `limit`. */
export async function countNumbersUnder(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ readonly accounts: number }>(
    {
      name: 'ledger-count-numbers-under',
      text: `
        select count(*)::integer as accounts
        from (select from account where number_key_id collate "C" = $1::text limit $2::integer) counted`,
    },
    [keyId, limit],
  );
  return rows[0]?.accounts ?? 0;
}
