import { overRows } from '../../db/rows/over-rows.ts';
import { columnsOf, namesOf } from '../../db/rows/tables.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCOUNT, ACCOUNT_NUMBER } from '../ledger.tables.ts';
import type { AccountId, KnownAccount } from '../ledger.types.ts';
import type { AccountLine } from './ledger-reads.types.ts';
import type { AccountDraft } from './open-account.types.ts';

/** A row that is to be added. */
export interface NewAccount extends AccountDraft {
  readonly accountId: AccountId;
  readonly numberDigest: Buffer;
  readonly numberKeyId: KeyId;
}

/** A payee's accounts, the newest first: ids begin with the time. */
export function selectAccounts(transaction: Transaction, payeeId: PayeeId, limit: number): Promise<Rows<AccountLine>> {
  return transaction.run(
    {
      name: 'ledger-select-accounts',
      text: `
        select account_id as "accountId", instrument, issuer, currency, number_masked as "numberMasked",
          expires_on::text as "expiresOn", available, held, created_at as "createdAt"
        from account where payee_id = $1 order by account_id desc limit $2`,
    },
    [payeeId, limit],
  );
}

/**
 * Adds an account, empty; the count is 0 where another transaction has added its number at that moment. Its last day
 * ends where the payee is.
 */
export async function insertAccount(transaction: Transaction, account: NewAccount): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'ledger-insert-account',
      text: `
        insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id,
          number_masked, expires_on, expires_at, cvc_required, cvc_key_id, cvc_sequence, allowed_product_ids,
          largest_balance)
        select p.payee_id, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::bytea, $8::text, $9::text, $10::date,
          ($10::date + 1)::timestamp at time zone p.time_zone, $11::boolean, $12::text, $13::integer, $14::text[],
          $15::bigint
        from payee p
        where p.payee_id = $1::uuid
        on conflict (payee_id, number_digest) where number_digest is not null do nothing`,
    },
    [
      account.payeeId,
      account.accountId,
      account.kind,
      account.instrument,
      account.issuer,
      account.currency,
      account.numberDigest,
      account.numberKeyId,
      account.numberMasked,
      account.expiresOn,
      account.cvcRequired,
      account.cvcKeyId,
      account.cvcSequence,
      account.allowedProductIds,
      account.largestBalance,
    ],
  );
  return count;
}

const ADDED = { ...ACCOUNT.added, ...columnsOf(ACCOUNT_NUMBER, 'numberDigest', 'numberKeyId') };
const ADDED_COLUMNS = namesOf(ADDED);

/**
 * Adds accounts with what they hold. Where a number has an account by now, its row is left out, so that the count tells:
 * an error would name the index instead.
 */
export const insertAccounts = overRows<KnownAccount>({
  name: 'ledger-insert-accounts',
  columns: { ...ADDED, products: ['jsonb', ({ allowedProductIds }) => JSON.stringify(allowedProductIds)] },
  text: ({ payee, rows }) => `
    insert into account (payee_id, ${ADDED_COLUMNS}, allowed_product_ids)
    select ${payee}, ${ADDED_COLUMNS}, array(select jsonb_array_elements_text(products))
    from ${rows}
    on conflict (payee_id, number_digest) where number_digest is not null do nothing`,
}).call;
