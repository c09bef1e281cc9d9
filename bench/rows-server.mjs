/**
 * What the rows of an authorization cost by themselves: a bare server that reads each body as JSON and writes the rows that the
 * service writes, those of all who wait as one statement over arrays. No signature, no rules, no checks: what no service on Node
 * and PostgreSQL can do without. As the service does, it begins a second batch beside one for 32 requests.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { uuidV7 } from '../dist/modules/src/kit/ids.js';

const BATCHES = 2;
const BESIDE_REQUESTS = 32;
const MOST_REQUESTS = 64;

/** `/api/payments/payment-account/<id>/payment/authorize`. */
const ACCOUNT = /payment-account\/([^/]+)\//;

const WRITE_ROWS = `
  with v as (
    select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::jsonb[])
      as v (account_id, payment_id, other_id, reference, echo)
  ), locked as (
    select account_id from account where payee_id = $1::uuid and account_id = any ($2::uuid[])
    order by account_id for no key update
  ), taken as (
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select $1::uuid, 'payment', reference, payment_id, payment_id from v
    on conflict do nothing
  ), spent as (
    update account
    set available = available - 10 * payments, held = held + 10 * payments, entry_count = entry_count + 2 * payments,
      version = version + 1, next_hold_expires_at = least(next_hold_expires_at, '2099-01-01'::timestamptz)
    from (select account_id, count(*) as payments from v group by account_id) sums
    join locked using (account_id)
    where account.payee_id = $1::uuid and account.account_id = sums.account_id
    returning account.account_id, available, held, entry_count
  ), numbered as (
    -- How many payments of the account come after this one.
    select v.*, available, held, entry_count,
      row_number() over (partition by account_id order by payment_id desc) - 1 as later
    from v join spent using (account_id)
  ), paid as (
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select $1::uuid, payment_id, account_id, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, '2099-01-01', 'order', reference,
      echo, kontor_now(), kontor_now(), 1
    from v
  ), moved as (
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    select $1::uuid, other_id, 'Authorize', 'NOK', payment_id, kontor_now() from v
  ), booked as (
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select $1::uuid, other_id, 1, 'Available', 'NOK', -10, account_id, entry_count - 2 * later - 1, available + 10 * later
    from numbered
    union all
    select $1::uuid, other_id, 2, 'Held', 'NOK', 10, account_id, entry_count - 2 * later, held - 10 * later
    from numbered
  ), noted as (
    insert into audit (payee_id, audit_id, actor_kind, action, object_kind, object_id)
    select $1::uuid, other_id, 'bench', 'authorize-payment', 'payment', payment_id::text from v
  ), happened as (
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select $1::uuid, other_id, 'payment.authorized', 'payment', payment_id::text, 1, kontor_now(), '{}' from v
    returning event_id, happened_at
  )
  insert into event_pending (payee_id, event_id, happened_at)
  select $1::uuid, event_id, happened_at from happened`;

process.once('message', async ({ headers, body, url, payeeId, echo }) => {
  const [bytes, echoText] = [Buffer.from(body), JSON.stringify(echo)];
  const free = Array.from({ length: BATCHES }, () => new pg.Client({ connectionString: url }));
  await Promise.all(free.map((client) => client.connect()));
  const waiting = [];
  const begin = () => {
    if (waiting.length === 0 || free.length === 0) return;
    if (free.length < BATCHES && waiting.length < BESIDE_REQUESTS) return;
    void write(free.pop(), waiting.splice(0, MOST_REQUESTS));
  };
  const write = async (client, batch) => {
    const ids = () => batch.map(() => uuidV7(Date.now()));
    const accounts = batch.map(({ accountId }) => accountId);
    const references = batch.map(({ reference }) => reference);
    const values = [payeeId, accounts, ids(), ids(), references, batch.map(() => echoText)];
    const { rowCount } = await client.query({ name: 'write-rows', text: WRITE_ROWS, values });
    if (rowCount !== batch.length) throw new Error('The rows could not be written.');
    free.push(client);
    for (const { response } of batch) {
      response.writeHead(200, headers);
      response.end(bytes);
    }
    begin();
  };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { paymentTransactionRef: reference } = JSON.parse(Buffer.concat(chunks).toString());
      waiting.push({ accountId: ACCOUNT.exec(request.url)[1], reference, response });
      setImmediate(begin);
    });
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
