import { overRows } from '../../db/rows/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import { ACCOUNT } from '../ledger.tables.ts';
import type { AccountKey } from '../ledger.types.ts';
import { NO_NUMBER_KEY, NUMBER_DAYS } from './number-ends.types.ts';

/** An account whose number comes under another key, or whose end is put off. */
export interface RenewedNumber extends AccountKey {
  readonly from: KeyId;
  readonly digest: Buffer;
}

const UPDATE_NUMBERS = overRows<RenewedNumber, [to: KeyId]>({
  name: 'ledger-update-numbers',
  beside: 1,
  columns: {
    ...ACCOUNT.key,
    number_digest: ['bytea', 'digest'],
    number_key_id: ['text', 'from'],
  },
  text: ({ payee, rows }) => `
    update account a
    set number_digest = v.number_digest, number_key_id = $1::text,
      number_ends_at = (select kontor_now()) + interval '${NUMBER_DAYS} days'
    from ${rows}
    where a.payee_id = ${payee} and a.account_id = v.account_id and a.number_key_id = v.number_key_id`,
});

/** Gives accounts these digests and the time of a use, where theirs is still under the key that was seen; answers how many. */
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

/**
 * Takes the digests of external cards' numbers off some accounts whose time is over, and answers of how many. What is put in their place
 * is made of the account's id alone. A blocked card keeps its digest: else its next use would open another account, which is not blocked.
 */
export async function endNumbers(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'ledger-end-numbers',
      text: `
        with old as materialized (
          select payee_id, account_id
          from account
          where kind = 'External' and number_key_id collate "C" <> '${NO_NUMBER_KEY}'
            and number_ends_at < (select kontor_now())
            and (blocked_at is null or blocked_until < (select kontor_now()))
          order by number_ends_at
          limit $1::integer
          for no key update skip locked
        )
        update account
        set number_digest = sha256(convert_to(account.account_id::text, 'UTF8')), number_key_id = '${NO_NUMBER_KEY}'
        from old
        where account.payee_id = old.payee_id and account.account_id = old.account_id`,
    },
    [limit],
  );
  return count;
}
