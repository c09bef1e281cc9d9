/** Loads payments in bulk, as if the service had carried them out: all rows of each but its place in the outbox. */
import pg from 'pg';

const CHUNK = 50_000;
const AMOUNT_MINOR = 10;

/**
 * One payment for each number of a series, the accounts in turn. Ids are UUIDs of version 7, a second of time for each
 * 100; references are random, which is the hardest for their index. All hold money, so no index is smaller than it could be.
 */
const ADD_PAYMENTS = `
  with series as materialized (
    select n, a.account_id, a.available, a.held, a.entry_count,
      -- How many payments of the same account this one is within the series.
      row_number() over (partition by a.account_id order by n) as nth,
      timestamptz '2025-01-01' + n * interval '10 milliseconds' as happened_at,
      gen_random_uuid()::text as reference,
      md5(n::text) as random
    from generate_series($2::bigint, $3::bigint) n
    join (
      select *, row_number() over (order by account_id) - 1 as place, count(*) over () as accounts
      from account
      where payee_id = $1::uuid and account_id = any ($4::uuid[])
    ) a on a.place = n % a.accounts
  ), made as materialized (
    select *, (lpad(to_hex((extract(epoch from happened_at) * 1000)::bigint), 12, '0') || '7' || left(random, 3) ||
      '8' || right(random, 15))::uuid as id
    from series
  ), taken as (
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select $1::uuid, 'payment', reference, id, id from made
  ), paid as (
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select $1::uuid, id, account_id, 'Authorize', 'OK', ${AMOUNT_MINOR}, 'NOK', 0, 0, 0,
      '2099-01-01'::timestamptz + n * interval '10 milliseconds', 'order', reference, $5::jsonb, happened_at, happened_at, 1
    from made
  ), moved as (
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    select $1::uuid, id, 'Authorize', 'NOK', id, happened_at from made
  ), booked as (
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select $1::uuid, id, line, side, 'NOK', sign * ${AMOUNT_MINOR}, account_id, entry_count + 2 * (nth - 1) + line,
      before + sign * ${AMOUNT_MINOR} * nth
    from made
    cross join lateral (values (1, 'Available', -1, available), (2, 'Held', 1, held)) as v (line, side, sign, before)
  ), noted as (
    insert into audit (payee_id, audit_id, happened_at, actor_kind, action, object_kind, object_id, details)
    select $1::uuid, id, happened_at, 'bench', 'authorize-payment', 'payment', id::text,
      '{"state": "OK", "amount": ${AMOUNT_MINOR}}'
    from made
  ), happened as (
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select $1::uuid, id, 'payment.authorized', 'payment', id::text, 1, happened_at,
      jsonb_build_object('paymentId', id, 'accountId', account_id, 'operation', 'Authorize', 'state', 'OK',
        'transactionId', null)
    from made
  )
  update account a
  set available = available - ${AMOUNT_MINOR} * spent.payments, held = held + ${AMOUNT_MINOR} * spent.payments,
    entry_count = entry_count + 2 * spent.payments, version = version + 1,
    next_hold_expires_at = least(next_hold_expires_at, '2099-01-01'::timestamptz)
  from (select account_id, count(*) as payments from made group by account_id) spent
  where a.payee_id = $1::uuid and a.account_id = spent.account_id`;

/**
 * Adds payments numbered from one to another; another call goes on where the last call ended. No service may spend
 * from these accounts meanwhile.
 *
 * @param {{server: {adminUrl: string}, payeeId: string, accounts: {accountId: string}[]}} shop
 * @param {{from: number, to: number, echo: object}} options both included; `echo` as the service stores it
 * @returns bytes of the database afterwards
 */
export async function storePayments({ server, payeeId, accounts }, { from, to, echo }) {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  try {
    // What the rows point to is there: to look it up for each would take longer than to add them.
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    const accountIds = accounts.map(({ accountId }) => accountId);
    for (let first = from; first <= to; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, to);
      await client.query(ADD_PAYMENTS, [payeeId, first, last, accountIds, JSON.stringify(echo)]);
    }
    // Done here, so that no round is measured beside it.
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes);
  } finally {
    await client.end();
  }
}
