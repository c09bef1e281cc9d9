/**
 * The yardstick for money: one authorization as one prepared statement in a transaction of its own, on a connection of the
 * driver. It writes the rows that the service writes, into the same tables; the first one locks the account's row
 * through its commit.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { uuidV7 } from '../dist/modules/src/kit/ids.js';
import { median } from './report.mjs';

/** Callers of the yardstick, each with a connection of its own: more make it slower. */
const CONNECTIONS = 16;
/** Calls one after the other that tell what a single commit takes. */
const ALONE = 300;

const ONE_STATEMENT = `
  with taken as (
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    values ($1::uuid, 'payment', $5::text, $3::uuid, $3::uuid)
    on conflict do nothing
    returning payment_id
  ), spent as (
    update account
    set available = available - 10, held = held + 10, entry_count = entry_count + 2, version = version + 1,
      next_hold_expires_at = least(next_hold_expires_at, '2099-01-01'::timestamptz)
    where payee_id = $1::uuid and account_id = $2::uuid and available >= 10 and exists (select from taken)
    returning available, held, entry_count
  ), paid as (
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select $1::uuid, $3::uuid, $2::uuid, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, '2099-01-01', 'order', $5::text,
      $6::jsonb, kontor_now(), kontor_now(), 1
    from spent
  ), moved as (
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    select $1::uuid, $4::uuid, 'Authorize', 'NOK', $3::uuid, kontor_now() from spent
  ), booked as (
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select $1::uuid, $4::uuid, 1, 'Available', 'NOK', -10, $2::uuid, entry_count - 1, available from spent
    union all
    select $1::uuid, $4::uuid, 2, 'Held', 'NOK', 10, $2::uuid, entry_count, held from spent
  ), noted as (
    insert into audit (payee_id, audit_id, actor_kind, action, object_kind, object_id)
    select $1::uuid, $4::uuid, 'bench', 'authorize-payment', 'payment', $3::uuid::text from spent
  ), happened as (
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select $1::uuid, $4::uuid, 'payment.authorized', 'payment', $3::uuid::text, 1, kontor_now(), '{}' from spent
    returning event_id, happened_at
  )
  insert into event_pending (payee_id, event_id, happened_at)
  select $1::uuid, event_id, happened_at from happened`;

/**
 * Opens the yardstick's connections.
 *
 * @param {{url: string, payeeId: string, echo?: object}} options `echo` as the service stores it with a payment
 */
export async function openDriver({ url, payeeId, echo = {} }) {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const authorize = async (caller, accountIds) => {
    const accountId = accountIds[Math.floor(Math.random() * accountIds.length)];
    const [paymentId, otherId] = [uuidV7(Date.now()), uuidV7(Date.now())];
    const values = [payeeId, accountId, paymentId, otherId, randomUUID(), JSON.stringify(echo)];
    const { rowCount } = await clients[caller].query({ name: 'one-statement', text: ONE_STATEMENT, values });
    if (rowCount !== 1) throw new Error('The yardstick could not authorize.');
  };
  return {
    /** Authorizations a second of these accounts. */
    rate: (accountIds, seconds) => rate(CONNECTIONS, seconds, (caller) => authorize(caller, accountIds)),
    /** Milliseconds that one caller without company waits. */
    latency: (accountIds) => latency(() => authorize(0, accountIds)),
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}

/** Keeps so many callers busy for a while; returns their calls a second. */
export async function rate(callers, seconds, work) {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let done = 0;
  const call = async (caller) => {
    while (performance.now() < endsAt) {
      await work(caller);
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return (done * 1000) / (performance.now() - startedAt);
}

/** Milliseconds that one caller without company waits, the median of many. */
export async function latency(work) {
  const times = [];
  for (let call = 0; call < ALONE; call++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
