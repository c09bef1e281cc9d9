import type { Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { AccountDraft, AccountId } from './ledger.types.ts';

/** A row that is to be added. */
export interface NewAccount extends AccountDraft {
  readonly accountId: AccountId;
  readonly numberDigest: Buffer;
  readonly numberKeyId: KeyId;
}

/**
 * Adds an account, empty; the count is 0 where somebody else has added its number at that moment. Its last day ends
 * where the payee is.
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
        on conflict (payee_id, number_digest) do nothing`,
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
