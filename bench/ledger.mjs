/**
 * The group commit against two yardsticks, in one run and on one machine: itself with batches of one, and the same rows
 * as one prepared statement for each transaction on 16 connections. Without HTTP: the engine alone. Run it with
 * `node bench/ledger.mjs`; it prints rates, ratios and the processor time of this process, which makes the commands,
 * decides and writes them: median of five interleaved rounds.
 *
 *     node bench/ledger.mjs --rounds 3 --seconds 1
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../dist/modules/sandbox/postgres/embedded.js';
import { changePayment } from '../dist/modules/src/accounts/payment-change.rules.js';
import { ACCOUNT_PAYMENTS } from '../dist/modules/src/accounts/payment-shelves.js';
import { migrate } from '../dist/modules/src/db/schema/migrate.js';
import { openDatabase } from '../dist/modules/src/db/server/open-database.js';
import { uuidV7 } from '../dist/modules/src/kit/ids.js';
import { makeLedger } from '../dist/modules/src/ledger/compose.js';
import { post } from '../dist/modules/src/ledger/postings.rules.js';
import { latency, openDriver, rate } from './one-statement.mjs';
import { median } from './report.mjs';

const ACCOUNTS = 1000;
const CLIENTS = 64;
/** As many as the driver has: of more on one account, some wait longer than a command may. */
const UNGROUPED_CLIENTS = 16;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
});
const [rounds, seconds] = [options.rounds, options.seconds].map(Number);

const newId = () => uuidV7(Date.now());
const payeeId = newId();

/** The smallest rule that takes money: what accounts/ does, without its echo. */
const AUTHORIZE = {
  name: 'bench-authorize',
  keys: ({ accountId, paymentId }) => ({
    accountIds: [accountId],
    references: [{ scope: 'payment', reference: paymentId, paymentId, transactionId: null }],
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
      reservedHold: 0,
      reservedReversal: 0,
      holdExpiresAt: '2099-01-01T00:00:00.000Z',
      paymentOrderRef: 'order',
      paymentTransactionRef: paymentId,
      problem: null,
      echo: {},
      createdAt: state.now,
      updatedAt: state.now,
      eventSequence: 0,
    };
    const event = 'payment.authorized';
    const { effect, object } = changePayment(state.now, { before: undefined, payment, event, account });
    const movements = post({ kind: 'Authorize', account, payment, amount: 10 });
    return { effect: { ...effect, object, movements, action: 'authorize-payment' }, answer: () => paymentId };
  },
};

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

/** One authorization of an account out of these, by the engine. */
function engine(ledger, accounts) {
  return () => {
    const accountId = accounts[Math.floor(Math.random() * accounts.length)];
    const actor = { kind: 'service', sessionId: undefined };
    return ledger.submit(AUTHORIZE, { payeeId, commandId: newId(), actor, accountId, paymentId: newId() });
  };
}

async function measure({ grouped, ungrouped, driver, spread, hot }) {
  const measured = {};
  const note = (name, value) => {
    measured[name] = [...(measured[name] ?? []), value];
  };
  for (let round = 0; round < rounds; round++) {
    for (const [place, accounts] of Object.entries({ spread, hot })) {
      note(`${place} driver`, await driver.rate(accounts, seconds));
      const used = process.cpuUsage();
      const perSecond = await rate(CLIENTS, seconds, engine(grouped, accounts));
      const { user, system } = process.cpuUsage(used);
      note(`${place} grouped`, perSecond);
      note(`${place} processor`, (user + system) / (perSecond * seconds));
      note(`${place} ungrouped`, await rate(UNGROUPED_CLIENTS, seconds, engine(ungrouped, accounts)));
    }
    note('alone driver', await driver.latency(spread));
    note('alone grouped', await latency(engine(grouped, spread)));
  }
  return Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, median(values)]));
}

function withUnit(name, value) {
  if (name.startsWith('alone')) return `${value.toFixed(1)} ms`;
  return name.endsWith('processor') ? `${value.toFixed(0)} µs for each` : `${Math.round(value)} a second`;
}

const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
// As root the server runs as another user, who must get through.
chmodSync(dataDir, 0o711);
const server = await startEmbedded({ dataDir, as: 'serve', log: () => undefined });
await migrate(server);
const databases = [openDatabase({ url: server.appUrl }), openDatabase({ url: server.appUrl })];
const admin = new pg.Client({ connectionString: server.appUrl });
let driver;
try {
  await admin.connect();
  driver = await openDriver({ url: server.appUrl, payeeId });
  await admin.query(`insert into payee (payee_id, name) values ($1, 'Bench')`, [payeeId]);
  const [spread, hot] = [await addAccounts(admin, ACCOUNTS), await addAccounts(admin, 1)];
  const observer = { committed() {}, leftOut() {}, split() {}, unknown() {} };
  const ledger = (database, batchMax) =>
    makeLedger((program) => database.batch(program, { batchMax, observer }), { ...ACCOUNT_PAYMENTS, newId });
  const [grouped, ungrouped] = [ledger(databases[0], 256), ledger(databases[1], 1)];
  const measured = await measure({ grouped, ungrouped, driver, spread, hot });
  for (const [name, value] of Object.entries(measured)) console.log(name.padEnd(18), withUnit(name, value));
  for (const place of ['spread', 'hot']) {
    const ratio = (other) => (measured[`${place} grouped`] / measured[`${place} ${other}`]).toFixed(2);
    console.log(`${place}: ${ratio('ungrouped')} times itself ungrouped, ${ratio('driver')} times the driver`);
  }
  console.log(`alone: ${(measured['alone grouped'] - measured['alone driver']).toFixed(1)} ms more than the driver`);
} finally {
  await Promise.all([admin.end(), driver?.close(), ...databases.map((database) => database.close())]);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
