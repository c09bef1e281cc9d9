/**
 * The group commit against two yardsticks, in one run and on one machine: itself with batches of one, and the same rows
 * as one prepared statement for each transaction on 16 connections. Without HTTP: the engine alone. Run it with
 * `node bench/ledger.mjs`; it prints rates and ratios, median of five interleaved rounds.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../dist/db/embedded.js';
import { migrate } from '../dist/db/migrate.js';
import { openDatabase } from '../dist/db/open-database.js';
import { uuidV7 } from '../dist/kit/ids.js';
import { makeLedger } from '../dist/ledger/make-ledger.js';
import { post } from '../dist/ledger/postings.rules.js';

const ACCOUNTS = 1000;
const CLIENTS = 64;
const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_MS = 2000;
const ALONE = 300;

const newId = () => uuidV7(Date.now());
const payeeId = newId();

/** The smallest rule that takes money: what accounts/ does, without its echo. */
const AUTHORIZE = {
  name: 'bench-authorize',
  keys: ({ accountId, paymentId }) => ({
    accountIds: [accountId],
    paymentIds: [],
    reference: { scope: 'payment', reference: paymentId, paymentId, transactionId: null },
  }),
  decide(state, { accountId, paymentId }) {
    const account = state.account(accountId);
    const payment = {
      payeeId,
      paymentId,
      accountId,
      operation: 'Authorize',
      state: 'OK',
      amount: 10,
      currency: 'NOK',
      captured: 0,
      cancelled: 0,
      reversed: 0,
      holdExpiresAt: '2099-01-01T00:00:00.000Z',
      paymentOrderRef: 'order',
      paymentTransactionRef: paymentId,
      problem: null,
      echo: {},
      createdAt: state.now,
      updatedAt: state.now,
      eventSequence: 0,
    };
    return {
      effect: {
        payment,
        movements: post({ kind: 'Authorize', account, payment, amount: 10 }),
        event: 'payment.authorized',
        action: 'authorize-payment',
      },
      answer: () => paymentId,
    };
  },
};

/** The same rows by the server alone: whoever is first locks the account's row through its commit. */
const ONE_STATEMENT = `
  with taken as (
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    values ($1::uuid, 'payment', $3::uuid::text, $3::uuid, $3::uuid)
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
    select $1::uuid, $3::uuid, $2::uuid, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, '2099-01-01', 'order', $3::uuid::text,
      '{}', kontor_now(), kontor_now(), 1
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
    insert into audit (payee_id, audit_id, actor, action, object_kind, object_id)
    select $1::uuid, $4::uuid, 'bench', 'authorize-payment', 'payment', $3::uuid::text from spent
  ), happened as (
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select $1::uuid, $4::uuid, 'payment.authorized', 'payment', $3::uuid::text, 1, kontor_now(), '{}' from spent
    returning event_id, happened_at
  )
  insert into event_pending (payee_id, event_id, happened_at)
  select $1::uuid, event_id, happened_at from happened`;

/** Keeps so many callers busy for a while. */
async function rate(callers, work) {
  const startedAt = performance.now();
  let done = 0;
  const call = async (caller) => {
    while (performance.now() - startedAt < ROUND_MS) {
      await work(caller, done);
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return (done * 1000) / (performance.now() - startedAt);
}

/** Milliseconds that one caller without company waits, the median of many. */
async function latency(work) {
  const times = [];
  for (let call = 0; call < ALONE; call++) {
    const startedAt = performance.now();
    await work(0);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function addAccounts(admin, count) {
  const { rows } = await admin.query(
    `insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id,
       number_masked, available)
     select $1, gen_random_uuid(), 'StoredValue', 'giftcard', 'ledger', 'NOK', sha256(gen_random_uuid()::text::bytea),
       'identity-1', '400000******0000', 900000000000
     from generate_series(1, $2) returning account_id`,
    [payeeId, count],
  );
  return rows.map((row) => row.account_id);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** One authorization of an account out of these, by the engine. */
function engine(ledger, accounts) {
  return () => {
    const accountId = accounts[Math.floor(Math.random() * accounts.length)];
    const actor = { name: 'bench', sessionId: undefined };
    return ledger.submit(AUTHORIZE, { payeeId, commandId: newId(), actor, accountId, paymentId: newId() });
  };
}

/** The same by one statement on the caller's own connection. */
function driver(clients, accounts) {
  return (caller) => {
    const accountId = accounts[Math.floor(Math.random() * accounts.length)];
    const values = [payeeId, accountId, newId(), newId()];
    return clients[caller].query({ name: 'one-statement', text: ONE_STATEMENT, values });
  };
}

async function measure({ grouped, ungrouped, clients, spread, hot }) {
  const measured = {};
  const note = (name, value) => {
    measured[name] = [...(measured[name] ?? []), value];
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, accounts] of Object.entries({ spread, hot })) {
      note(`${place} driver`, await rate(CONNECTIONS, driver(clients, accounts)));
      note(`${place} grouped`, await rate(CLIENTS, engine(grouped, accounts)));
      note(`${place} ungrouped`, await rate(CLIENTS, engine(ungrouped, accounts)));
    }
    note('alone driver', await latency(driver(clients, spread)));
    note('alone grouped', await latency(engine(grouped, spread)));
  }
  return Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, median(values)]));
}

const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
// As root the server runs as another user, who must get through.
chmodSync(dataDir, 0o711);
const server = await startEmbedded({ dataDir, as: 'serve', log: () => undefined });
await migrate(server);
const databases = [openDatabase({ url: server.appUrl }), openDatabase({ url: server.appUrl })];
const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: server.appUrl }));
try {
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0].query(`insert into payee (payee_id, name) values ($1, 'Bench')`, [payeeId]);
  const [spread, hot] = [await addAccounts(clients[0], ACCOUNTS), await addAccounts(clients[0], 1)];
  const observer = { committed() {}, leftOut() {}, split() {}, unknown() {} };
  const ledger = (database, batchMax) =>
    makeLedger((program) => database.batch(program, { batchMax, observer }), newId);
  const [grouped, ungrouped] = [ledger(databases[0], 256), ledger(databases[1], 1)];
  const measured = await measure({ grouped, ungrouped, clients, spread, hot });
  for (const [name, value] of Object.entries(measured)) {
    console.log(
      `${name.padEnd(18)} ${name.startsWith('alone') ? `${value.toFixed(1)} ms` : `${Math.round(value)} a second`}`,
    );
  }
  for (const place of ['spread', 'hot']) {
    const ratio = (other) => (measured[`${place} grouped`] / measured[`${place} ${other}`]).toFixed(2);
    console.log(`${place}: ${ratio('ungrouped')} times itself ungrouped, ${ratio('driver')} times the driver`);
  }
  console.log(`alone: ${(measured['alone grouped'] - measured['alone driver']).toFixed(1)} ms more than the driver`);
} finally {
  await Promise.all([...clients.map((client) => client.end()), ...databases.map((database) => database.close())]);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
