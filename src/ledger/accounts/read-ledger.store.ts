import type { Call } from '../../db/batch/batch.types.ts';
import { overRows } from '../../db/rows/over-rows.ts';
import { findRows, some } from '../../db/rows/tables.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { ACCOUNT, ACCOUNT_NUMBER, REFERENCE } from '../ledger.tables.ts';
import type { AccountKey, KnownAccount, NumberKey, ReferenceKey, TakenReference } from '../ledger.types.ts';
import { NUMBER_ENDS_SOON } from './number-ends.types.ts';

// What a batch reads: every statement walks an index, key by key, whatever the tables' sizes were when its plan
// was made. The limit in each look-up by key is what makes it so: without it PostgreSQL takes the look-up for a join, which
// it may also do by walking the whole table.

/** An answer of `claimReferences`: how many references were free, and one of them; one of nulls where all or none were. */
export type Claimed = { readonly free: number } & (ReferenceKey | { readonly reference: null });

/**
 * Takes references: says how many were free, and which, where some were not. In a fixed order, so that two batches never wait for
 * each other; a twin in another transaction is waited for, and nothing ever breaks the key.
 */
export const claimReferences = overRows<TakenReference>({
  name: 'ledger-claim-references',
  columns: REFERENCE.added,
  text: ({ payee, names, values, rows, given }) => `
    with claimed as (
      insert into reference (${names})
      select ${values} from ${rows}
      order by ${payee}, scope, reference
      on conflict do nothing
      returning payee_id, scope, reference
    )
    select n.free::int, c.payee_id as "payeeId", c.scope, c.reference
    from (select count(*) as free from claimed) n
    left join claimed c on n.free < ${given}`,
}).ask;

const lockStatement = (name: string, waiting: '' | 'skip locked') =>
  overRows<AccountKey>({
    name,
    columns: ACCOUNT.key,
    text: ({ payee, rows, matches }) => `
      select a.*
      from (select * from ${rows} order by ${payee}, account_id) v
      cross join lateral (
        select ${ACCOUNT.columns}
        from account
        where ${matches}
        for no key update ${waiting}
      ) a`,
  });

const LOCK_WHAT_IS_FREE = lockStatement('ledger-lock-accounts', 'skip locked');
const LOCK_AND_WAIT = lockStatement('ledger-lock-accounts-waiting', '');

/**
 * Locks accounts until the transaction ends, and reads them. Without waiting, those that another transaction holds are
 * left out.
 */
export function lockAccounts(keys: readonly AccountKey[], wait: boolean): Call {
  return (wait ? LOCK_AND_WAIT : LOCK_WHAT_IS_FREE).ask(keys);
}

/** Who has the references. */
export const readReferences = overRows<ReferenceKey>({
  name: 'ledger-read-references',
  columns: REFERENCE.key,
  text: ({ rows, matches }) => `
    select r.*
    from ${rows}
    cross join lateral (select ${REFERENCE.columns} from reference where ${matches} limit 1) r`,
}).ask;

/** Those of the numbers that accounts have. */
export const readNumbers = overRows<NumberKey>({
  name: 'ledger-read-numbers',
  columns: ACCOUNT_NUMBER.key,
  text: ({ rows, matches }) => `
    select a.*
    from ${rows}
    cross join lateral (
      select ${some(ACCOUNT_NUMBER, 'payeeId', 'numberDigest')} from account where ${matches}
      limit 1
    ) a`,
}).ask;

/**
 * The time of the batch. It is read after the locks, unlike `now()`, so it never runs backwards along an account; and
 * before the holds, so that none of them has expired unseen.
 */
export function readClock(): Call {
  return { statement: { name: 'ledger-read-clock', text: 'select kontor_now() as now' }, values: [] };
}

// Reads outside of a batch.

const NUMBER_COLUMNS = `
  ${some(ACCOUNT_NUMBER, 'numberDigest', 'numberKeyId')}, ${NUMBER_ENDS_SOON} as "numberEndsSoon"`;
const KNOWN_COLUMNS = `${ACCOUNT.columns}, ${NUMBER_COLUMNS}`;

/** Accounts by their ids: reads of one tick, in one round trip. */
export const FIND_ACCOUNTS = findRows({
  name: 'ledger-find-accounts',
  table: ACCOUNT,
  key: ACCOUNT.key,
  shown: KNOWN_COLUMNS,
});

/** What no payment changes of them, and so what most requests ask for: columns are what a look-up costs. */
export const FIND_ACCOUNT_IDENTITIES = findRows({
  name: 'ledger-find-account-identities',
  table: ACCOUNT,
  key: ACCOUNT.key,
  shown: `
    payee_id as "payeeId", account_id as "accountId", kind, issuer, expires_on as "expiresOn",
    cvc_key_id as "cvcKeyId", cvc_sequence as "cvcSequence", allowed_product_ids as "allowedProductIds",
    instrument = 'giftcard' and exists (
      select from gift_card_limit where payee_id = account.payee_id and amount is not null
    ) as "mayBeLimited",
    ${NUMBER_COLUMNS}`,
});

/** Accounts by their numbers. */
export const FIND_ACCOUNTS_BY_NUMBER = findRows({
  name: 'ledger-find-accounts-by-number',
  table: ACCOUNT,
  key: ACCOUNT_NUMBER.key,
  shown: KNOWN_COLUMNS,
});

/** The accounts whose numbers have these digests, each with the place of its digest, from 1. */
export async function selectAccountsByNumber(
  transaction: Transaction,
  keys: readonly NumberKey[],
): Promise<readonly (KnownAccount & { readonly position: number })[]> {
  return (
    await transaction.run<KnownAccount & { readonly position: number }>(
      FIND_ACCOUNTS_BY_NUMBER,
      FIND_ACCOUNTS_BY_NUMBER.values(keys),
    )
  ).rows;
}

/** What references stand for. */
export const FIND_REFERENCES = findRows({ name: 'ledger-find-references', table: REFERENCE, key: REFERENCE.key });
