import type { GuardedCall } from '../../db/batch/batch.types.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
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

/**
 * Adds accounts with what they hold. Where a number has an account by now, its row is left out, so that the count tells:
 * an error would name the index instead.
 */
export function insertAccounts(accounts: readonly KnownAccount[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-accounts',
      text: `
        insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id,
          number_masked, available, entry_count, version, expires_on, expires_at, cvc_required, cvc_key_id, cvc_sequence,
          allowed_product_ids, largest_balance, created_at, blocked_at, blocked_until)
        select v.payee_id, v.account_id, v.kind, v.instrument, v.issuer, v.currency, v.number_digest, v.number_key_id,
          v.number_masked, v.available, v.entry_count, v.version, v.expires_on, v.expires_at, v.cvc_required,
          v.cvc_key_id, v.cvc_sequence, array(select jsonb_array_elements_text(v.allowed_product_ids)),
          v.largest_balance, v.created_at, v.blocked_at, v.blocked_until
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[],
          $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::date[], $14::timestamptz[], $15::boolean[],
          $16::text[], $17::integer[], $18::jsonb[], $19::bigint[], $20::timestamptz[],
          $21::timestamptz[], $22::timestamptz[])
          as v (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked,
            available, entry_count, version, expires_on, expires_at, cvc_required, cvc_key_id, cvc_sequence,
            allowed_product_ids, largest_balance, created_at, blocked_at, blocked_until)
        on conflict (payee_id, number_digest) where number_digest is not null do nothing`,
    },
    values: [
      accounts.map(({ payeeId }) => payeeId),
      accounts.map(({ accountId }) => accountId),
      accounts.map(({ kind }) => kind),
      accounts.map(({ instrument }) => instrument),
      accounts.map(({ issuer }) => issuer),
      accounts.map(({ currency }) => currency),
      accounts.map(({ numberDigest }) => numberDigest),
      accounts.map(({ numberKeyId }) => numberKeyId),
      accounts.map(({ numberMasked }) => numberMasked),
      accounts.map(({ available }) => available),
      accounts.map(({ entryCount }) => entryCount),
      accounts.map(({ version }) => version),
      accounts.map(({ expiresOn }) => expiresOn),
      accounts.map(({ expiresAt }) => expiresAt),
      accounts.map(({ cvcRequired }) => cvcRequired),
      accounts.map(({ cvcKeyId }) => cvcKeyId),
      accounts.map(({ cvcSequence }) => cvcSequence),
      accounts.map(({ allowedProductIds }) => JSON.stringify(allowedProductIds)),
      accounts.map(({ largestBalance }) => largestBalance),
      accounts.map(({ createdAt }) => createdAt),
      accounts.map(({ blockedAt }) => blockedAt),
      accounts.map(({ blockedUntil }) => blockedUntil),
    ],
    expected: accounts.length,
  };
}
