import type { GroupStatement, Read, Rows, Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type {
  AccountDraft,
  AccountId,
  AccountKey,
  KnownAccount,
  PaymentKey,
  PaymentTransaction,
  ReferenceKey,
  TransactionKey,
} from './ledger.types.ts';
import { ACCOUNT_COLUMNS, PAYMENT_COLUMNS, TRANSACTION_COLUMNS } from './open-batch.store.ts';

const KNOWN_COLUMNS = `${ACCOUNT_COLUMNS}, number_digest as "numberDigest", number_key_id as "numberKeyId"`;

/** Accounts by their ids: reads of one tick, in one round trip. */
export const FIND_ACCOUNTS: GroupStatement<AccountKey> = {
  name: 'ledger-find-accounts',
  columns: ['payeeId', 'accountId'],
  text: `
    select v.position::int, a.*
    from unnest($1::uuid[], $2::uuid[]) with ordinality as v (payee_id, account_id, position)
    cross join lateral (
      select ${KNOWN_COLUMNS} from account where payee_id = v.payee_id and account_id = v.account_id
      limit 1
    ) a`,
};

/** Payments by their ids. */
export const FIND_PAYMENTS: GroupStatement<PaymentKey> = {
  name: 'ledger-find-payments',
  columns: ['payeeId', 'paymentId'],
  text: `
    select v.position::int, p.*
    from unnest($1::uuid[], $2::uuid[]) with ordinality as v (payee_id, payment_id, position)
    cross join lateral (
      select ${PAYMENT_COLUMNS} from payment where payee_id = v.payee_id and payment_id = v.payment_id
      limit 1
    ) p`,
};

/** Captures, cancels and reversals by their ids. */
export const FIND_TRANSACTIONS: GroupStatement<TransactionKey> = {
  name: 'ledger-find-transactions',
  columns: ['payeeId', 'transactionId'],
  text: `
    select v.position::int, t.*
    from unnest($1::uuid[], $2::uuid[]) with ordinality as v (payee_id, transaction_id, position)
    cross join lateral (
      select ${TRANSACTION_COLUMNS}
      from payment_transaction
      where payee_id = v.payee_id and transaction_id = v.transaction_id
      limit 1
    ) t`,
};

/** What references stand for. */
export const FIND_REFERENCES: GroupStatement<ReferenceKey> = {
  name: 'ledger-find-references',
  columns: ['payeeId', 'scope', 'reference'],
  text: `
    select v.position::int, r.*
    from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as v (payee_id, scope, reference, position)
    cross join lateral (
      select payee_id as "payeeId", scope, reference, command_id as "commandId", payment_id as "paymentId",
        transaction_id as "transactionId"
      from reference
      where payee_id = v.payee_id and scope = v.scope and reference = v.reference
      limit 1
    ) r`,
};

/** The captures, cancels and reversals of a payment, oldest first. */
export function selectTransactionsOf(read: Read, key: PaymentKey): Promise<Rows<PaymentTransaction>> {
  return read<PaymentTransaction>(
    {
      name: 'ledger-select-transactions-of',
      text: `
        select ${TRANSACTION_COLUMNS}
        from payment_transaction
        where payee_id = $1::uuid and payment_id = $2::uuid
        order by created_at, transaction_id`,
    },
    [key.payeeId, key.paymentId],
  );
}

/** The account whose number has one of these digests, or none. */
export function selectAccountByNumber(
  transaction: Transaction,
  { payeeId, digests }: { readonly payeeId: PayeeId; readonly digests: readonly Buffer[] },
): Promise<Rows<KnownAccount>> {
  return transaction.run<KnownAccount>(
    {
      name: 'ledger-select-account-by-number',
      text: `
        select ${KNOWN_COLUMNS}
        from account
        where payee_id = $1::uuid and number_digest = any ($2::bytea[])`,
    },
    [payeeId, digests],
  );
}

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
