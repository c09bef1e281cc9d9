import type { Call } from '../../db/batch/batch.types.ts';
import type { GroupStatement, Rows, Statement, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountKey, KnownAccount, NumberKey, ReferenceKey, TakenReference } from '../ledger.types.ts';

// What a batch reads: every statement walks an index, key by key, whatever the tables' sizes were when its plan
// was made. The limit in each look-up by key is what makes it so: without it PostgreSQL takes the look-up for a join, which
// it may also do by walking the whole table.

/** An account as the ledger sees it. */
const ACCOUNT_COLUMNS = `
  payee_id as "payeeId", account_id as "accountId", kind, instrument, issuer, currency,
  number_masked as "numberMasked", available, held, expires_on as "expiresOn", expires_at as "expiresAt",
  cvc_required as "cvcRequired", cvc_key_id as "cvcKeyId", cvc_sequence as "cvcSequence",
  allowed_product_ids as "allowedProductIds", largest_balance as "largestBalance", blocked_at as "blockedAt",
  blocked_until as "blockedUntil", closed_at as "closedAt", strikes, strikes_end_at as "strikesEndAt", strikers,
  next_hold_expires_at as "nextHoldExpiresAt", entry_count as "entryCount", version, created_at as "createdAt"`;

/** A reference with what it stands for. */
const REFERENCE_COLUMNS = `
  payee_id as "payeeId", scope, reference, command_id as "commandId", payment_id as "paymentId",
  transaction_id as "transactionId"`;

/**
 * Takes references: the rows are those that were free. In a fixed order, so that two batches never wait for each other;
 * a twin in another transaction is waited for, and nothing ever breaks the key.
 */
export function claimReferences(claims: readonly TakenReference[]): Call {
  return {
    statement: {
      name: 'ledger-claim-references',
      text: `
        insert into reference (payee_id, scope, reference, command_id, payment_id, transaction_id)
        select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[])
          as v (payee_id, scope, reference, command_id, payment_id, transaction_id)
        order by payee_id, scope, reference
        on conflict do nothing
        returning payee_id as "payeeId", scope, reference`,
    },
    values: [
      ...referenceKeys(claims),
      claims.map(({ commandId }) => commandId),
      claims.map(({ paymentId }) => paymentId),
      claims.map(({ transactionId }) => transactionId),
    ],
  };
}

function referenceKeys(claims: readonly TakenReference[]): unknown[][] {
  return [
    claims.map(({ payeeId }) => payeeId),
    claims.map(({ scope }) => scope),
    claims.map(({ reference }) => reference),
  ];
}

const LOCK = `
  select a.*
  from (select * from unnest($1::uuid[], $2::uuid[]) as v (payee_id, account_id) order by 1, 2) v
  cross join lateral (
    select ${ACCOUNT_COLUMNS}
    from account
    where payee_id = v.payee_id and account_id = v.account_id
    for no key update`;

const LOCK_WHAT_IS_FREE: Statement = { name: 'ledger-lock-accounts', text: `${LOCK} skip locked\n) a` };
const LOCK_AND_WAIT: Statement = { name: 'ledger-lock-accounts-waiting', text: `${LOCK}\n) a` };

/** Locks accounts until the transaction ends, and reads them. Without waiting, those that somebody else holds are left out. */
export function lockAccounts(keys: readonly AccountKey[], wait: boolean): Call {
  return { statement: wait ? LOCK_AND_WAIT : LOCK_WHAT_IS_FREE, values: accountKeys(keys) };
}

function accountKeys(keys: readonly AccountKey[]): unknown[][] {
  return [keys.map(({ payeeId }) => payeeId), keys.map(({ accountId }) => accountId)];
}

/** Who has the references. */
export function readReferences(claims: readonly TakenReference[]): Call {
  return {
    statement: {
      name: 'ledger-read-references',
      text: `
        select r.*
        from unnest($1::uuid[], $2::text[], $3::text[]) as v (payee_id, scope, reference)
        cross join lateral (
          select ${REFERENCE_COLUMNS}
          from reference
          where payee_id = v.payee_id and scope = v.scope and reference = v.reference
          limit 1
        ) r`,
    },
    values: referenceKeys(claims),
  };
}

/** Those of the numbers that accounts have. */
export function readNumbers(keys: readonly NumberKey[]): Call {
  return {
    statement: {
      name: 'ledger-read-numbers',
      text: `
        select a.*
        from unnest($1::uuid[], $2::bytea[]) as v (payee_id, number_digest)
        cross join lateral (
          select payee_id as "payeeId", number_digest as "numberDigest"
          from account
          where payee_id = v.payee_id and number_digest = v.number_digest
          limit 1
        ) a`,
    },
    values: [keys.map(({ payeeId }) => payeeId), keys.map(({ numberDigest }) => numberDigest)],
  };
}

/**
 * The time of the batch. It is read after the locks, unlike `now()`, so it never runs backwards along an account; and
 * before the holds, so that none of them has expired unseen.
 */
export function readClock(): Call {
  return { statement: { name: 'ledger-read-clock', text: 'select kontor_now() as now' }, values: [] };
}

// Reads outside of a batch.

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

/** What references stand for. */
export const FIND_REFERENCES: GroupStatement<ReferenceKey> = {
  name: 'ledger-find-references',
  columns: ['payeeId', 'scope', 'reference'],
  text: `
    select v.position::int, r.*
    from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as v (payee_id, scope, reference, position)
    cross join lateral (
      select ${REFERENCE_COLUMNS}
      from reference
      where payee_id = v.payee_id and scope = v.scope and reference = v.reference
      limit 1
    ) r`,
};

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
