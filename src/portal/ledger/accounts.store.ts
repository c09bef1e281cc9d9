import type { Read, Statement } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { PORTAL_SEARCH_ROWS } from '../../kit/portal-limits.ts';
import type { Found } from '../newest-first.types.ts';
import type { AccountEntry, AccountName, BalanceThen, LedgerList, ListedAccount } from './ledger.types.ts';
import type { Books } from './ledger.wire.ts';

const COLUMNS = `
  a.account_id as "accountId", a.kind, a.instrument, a.issuer, a.number_masked as masked, a.currency, a.available, a.held,
  a.created_at as "createdAt", a.closed_at as "closedAt",
  exists (select from gift_card g where g.payee_id = a.payee_id and g.account_id = a.account_id) as "isGiftCard"`;

const IN_REACH = 'a.payee_id = $1::uuid and a.account_id >= $2::uuid and a.account_id < $3::uuid';

/** Accounts, newest first. */
export const ACCOUNTS: Statement = {
  name: 'portal-select-accounts',
  text: `select ${COLUMNS} from account a where ${IN_REACH} order by a.account_id desc limit $4::integer`,
};

/** The same of one kind: looked for one after the other, up to a limit. */
export const ACCOUNTS_OF_KIND: Statement = {
  name: 'portal-select-accounts-of-kind',
  text: `
    select ${COLUMNS} from (
      select * from account a where ${IN_REACH} order by a.account_id desc limit ${PORTAL_SEARCH_ROWS}
    ) a
    where a.kind = $5::text
    order by a.account_id desc limit $4::integer`,
};

/** The last account that such a search looks at; no row where the list ends before. */
export const ACCOUNTS_STOP: Statement = {
  name: 'portal-select-accounts-stop',
  text: `
    select a.account_id as id from account a where ${IN_REACH}
    order by a.account_id desc offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
};

/** One account. */
export const ONE_ACCOUNT: Statement = {
  name: 'portal-select-account',
  text: `select ${COLUMNS} from account a where a.payee_id = $1::uuid and a.account_id = $2::uuid`,
};

/**
 * The number of an account's last entry up to an instant; 0 where there is none. Entries are numbered without gaps in the
 * order of their time, so it is found by halving.
 */
export const SEQUENCE_AT: Statement = {
  name: 'portal-select-sequence-at',
  text: `
    with recursive halves (low, high) as (
      select 0::bigint, entry_count from account where payee_id = $1::uuid and account_id = $2::uuid
      union all
      select case when m.happened_at <= $3::timestamptz then s.middle else h.low end,
        case when m.happened_at <= $3::timestamptz then h.high else s.middle - 1 end
      from halves h
      cross join lateral (select (h.low + h.high + 1) / 2 as middle) s
      cross join lateral (
        select movement_id from entry
        where payee_id = $1::uuid and account_id = $2::uuid and sequence = s.middle limit 1
      ) e
      cross join lateral (
        select happened_at from movement where payee_id = $1::uuid and movement_id = e.movement_id limit 1
      ) m
      where h.low < h.high
    )
    select low as sequence from halves where low = high`,
};

/** Entries of an account below a number, the latest first. */
export const ENTRIES: Statement = {
  name: 'portal-select-entries',
  text: `
    select e.sequence, m."happenedAt", e.movement_id as "movementId", m.kind, e.side, e.amount, e.balance, e.currency,
      m."paymentId", p."orderId", p."orderNumber"
    from (
      select * from entry
      where payee_id = $1::uuid and account_id = $2::uuid and sequence < $3::bigint
      order by sequence desc limit $4::integer
    ) e
    cross join lateral (
      select happened_at as "happenedAt", kind, payment_id as "paymentId" from movement
      where payee_id = e.payee_id and movement_id = e.movement_id limit 1
    ) m
    left join lateral (
      -- A gift card's part of a payment order has its number as reference.
      select order_id as "orderId", payment_order_ref::bigint as "orderNumber" from payment
      where payee_id = e.payee_id and payment_id = m."paymentId" and order_id is not null limit 1
    ) p on true
    order by e.sequence desc`,
};

/** What an account's buckets held after an entry. Each has an index of its own, so each is named. */
export const BALANCE_AT: Statement = {
  name: 'portal-select-balance-at',
  text: (['Available', 'Held'] as const)
    .map(
      (side) => `
    select '${side}' as side, coalesce((
      select balance from entry
      where payee_id = $1::uuid and account_id = $2::uuid and sequence <= $3::bigint and side = '${side}'
      order by sequence desc limit 1
    ), 0) as balance`,
    )
    .join(' union all'),
};

/** Accounts of a list, with the place where a search for one kind stopped. */
export async function selectAccounts(
  read: Read,
  { payeeId, reach, limit, kind }: LedgerList,
): Promise<Found<ListedAccount>> {
  const values = [payeeId, reach.from, reach.below, limit];
  if (kind === undefined) return { rows: (await read<ListedAccount>(ACCOUNTS, values)).rows, stoppedAt: undefined };
  const { rows } = await read<ListedAccount>(ACCOUNTS_OF_KIND, [...values, kind]);
  if (rows.length >= limit) return { rows, stoppedAt: undefined };
  return { rows, stoppedAt: (await read<{ id: string }>(ACCOUNTS_STOP, values.slice(0, 3))).rows[0]?.id };
}

/** One account, or undefined. */
export async function selectAccount(
  read: Read,
  { payeeId, accountId }: AccountName,
): Promise<ListedAccount | undefined> {
  return (await read<ListedAccount>(ONE_ACCOUNT, [payeeId, accountId])).rows[0];
}

/** The number of the last entry up to an instant; 0 where there is none. */
export async function selectSequenceAt(
  read: Read,
  { payeeId, accountId }: AccountName,
  instant: string,
): Promise<number> {
  const { rows } = await read<{ sequence: number }>(SEQUENCE_AT, [payeeId, accountId, instant]);
  return rows[0]?.sequence ?? 0;
}

/** Entries below a number, the latest first. */
export async function selectEntries(
  read: Read,
  { payeeId, accountId }: AccountName,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly AccountEntry[]> {
  return (await read<AccountEntry>(ENTRIES, [payeeId, accountId, below, limit])).rows;
}

/** What the buckets held after an entry. */
export async function selectBalanceAt(
  read: Read,
  { payeeId, accountId }: AccountName,
  sequence: number,
): Promise<BalanceThen> {
  const { rows } = await read<{ side: string; balance: number }>(BALANCE_AT, [payeeId, accountId, sequence]);
  const of = (side: string) => rows.find((row) => row.side === side)?.balance ?? 0;
  return { available: of('Available'), held: of('Held') };
}

const LAST_VERIFICATION: Statement = {
  name: 'portal-select-books',
  text: `
    select verified_at as "verifiedAt", invariants, broken from ledger_verification where payee_id = $1::uuid`,
};

/** What the last check of the books found; it is made for all payees together. */
export async function selectBooks(read: Read): Promise<Books | undefined> {
  return (await read<Books>(LAST_VERIFICATION, [OPERATOR])).rows[0];
}
