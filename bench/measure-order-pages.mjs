/** The page of an order among many that are stored: what its payer waits for, and what it costs. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pageLink } from '../dist/modules/src/payments/page/page-link.js';
import { openService } from '../dist/modules/src/wiring/service.js';
import { processorMs, treeMs } from './kontor.mjs';
import { post } from './measure-orders.mjs';
import { median, percentile, printGoal, printValue } from './report.mjs';
import { openShop } from './shop.mjs';

/** Pages that payers open in a second. */
const PER_SECOND = 50;
/** Pages a second, and seconds, until the compiler has done its work. */
const COMPILING = { perSecond: 200, seconds: 25 };
/** Seconds until plans and caches know how many orders there are. */
const WARM_UP_SECONDS = 10;
/** Accounts that the orders have on them, in turn. */
const ACCOUNTS = 1000;
/** The orders that the large number is compared with. */
const FEW = 1000;
const CHUNK = 50_000;
/** Indexes and tables that are named, of those that rows are read of. */
const MOST_READ = 8;

/**
 * Payers open pages of orders drawn from all that are stored, on connections of their own, at a steady rate: each page counts
 * from when it was due. The service has made its plans while there was one order, as a service does that has grown old.
 *
 * @param {{folder: string, rounds: number, seconds: number, orders: number}} options `orders`: how many are stored
 */
export async function measureOrderPages({ folder, rounds, seconds, orders }) {
  const place = join(folder, 'order-pages');
  const shop = await openShop(place, { accounts: ACCOUNTS });
  const service = await openService({ config: shop.config, as: 'command', keys: 'required', tell: () => undefined });
  const client = new pg.Client({ connectionString: shop.server.adminUrl });
  await client.connect();
  try {
    const [postmaster] = readFileSync(join(place, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
    const { payeeId } = shop;
    const template = await newOrder(shop.grouped);
    const linkOf = (paymentId) => shop.grouped.baseUrl + pageLink(service.keyRing, { payeeId, paymentId });
    const processes = { service: shop.grouped.processId, database: postmaster };
    const measure = async (stored) => {
      const run = (duration) =>
        openAtARate({ stored, linkOf, seconds: duration, perSecond: PER_SECOND, processes, client });
      await run(WARM_UP_SECONDS);
      const results = [];
      for (let round = 0; round < rounds; round++) results.push(await run(seconds));
      const middle = (name) => median(results.map((result) => result[name]));
      return {
        ...{ p50Ms: middle('p50Ms'), p95Ms: middle('p95Ms'), p95sMs: results.map(({ p95Ms }) => p95Ms) },
        ...{ serviceUs: middle('serviceUs'), databaseUs: middle('databaseUs'), read: middle('read') },
        mostRead: results[0].mostRead,
        failed: results.reduce((sum, { failed }) => sum + failed, 0),
      };
    };
    await storeOrders(client, { payeeId, template, from: 1, to: FEW });
    const { seconds: compiling, perSecond } = COMPILING;
    await openAtARate({ stored: FEW, linkOf, seconds: compiling, perSecond, processes, client });
    const few = await measure(FEW);
    const startedAt = performance.now();
    const bytes = await storeOrders(client, { payeeId, template, from: FEW + 1, to: orders });
    const loadSeconds = (performance.now() - startedAt) / 1000;
    return { orders, loadSeconds, gibibytes: bytes / 2 ** 30, few, many: await measure(orders) };
  } finally {
    await client.end();
    await service.close();
    await shop.close();
  }
}

export function reportOrderPages({ orders, gibibytes, few, many }) {
  printGoal(`First byte of an order's page, ${PER_SECOND} a second, of ${orders}, 95 % within, ms`, many.p95Ms, {
    below: 10,
  });
  printValue('  the median, milliseconds', many.p50Ms);
  printValue(`  95 % of them within, of ${FEW} orders, milliseconds`, few.p95Ms);
  printValue('  processor time of the service for each page, microseconds', many.serviceUs);
  printValue(`    of ${FEW} orders`, few.serviceUs);
  printValue('  processor time of PostgreSQL for each page, microseconds', many.databaseUs);
  printValue(`    of ${FEW} orders`, few.databaseUs);
  printValue('  rows that PostgreSQL reads for each page', many.read);
  printValue(`    of ${FEW} orders`, few.read);
  printValue('  pages that did not come, of all these', many.failed);
  printValue('  GiB of the database', gibibytes);
}

/** Opens pages, each when it is due whatever became of those before it. */
async function openAtARate({ stored, linkOf, seconds, perSecond, processes, client }) {
  const times = () => ({ service: processorMs(processes.service), database: treeMs(processes.database) });
  const [before, readBefore] = [times(), await rowsRead(client)];
  const startedAt = performance.now();
  const pages = [];
  for (let page = 0; page < seconds * perSecond; page++) {
    const dueAt = startedAt + (page * 1000) / perSecond;
    await pause(Math.max(0, dueAt - performance.now()));
    pages.push(firstByte(linkOf(paymentIdOf(randomInt(1, stored + 1))), dueAt));
  }
  const took = await Promise.all(pages);
  const after = times();
  const each = (name) => ((after[name] - before[name]) * 1000) / took.length;
  const [p50Ms, p95Ms] = [percentile(took, 0.5), percentile(took, 0.95)];
  const failed = took.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  const readBy = readSince(readBefore, await rowsRead(client)).map(([name, count]) => [name, count / took.length]);
  const read = readBy.reduce((sum, [, count]) => sum + count, 0);
  return {
    p50Ms,
    p95Ms,
    failed,
    read,
    mostRead: readBy.slice(0, MOST_READ),
    serviceUs: each('service'),
    databaseUs: each('database'),
  };
}

/** Rows that statements have read so far by each index, or of each table as a whole, as PostgreSQL counts them: up to a second late. */
async function rowsRead(client) {
  const { rows } = await client.query(`
    select indexrelname as name, idx_tup_read as read from pg_stat_user_indexes
    union all
    select relname, seq_tup_read from pg_stat_user_tables`);
  return new Map(rows.map(({ name, read }) => [name, Number(read)]));
}

/** What was read between two looks, the most first. */
function readSince(before, after) {
  const read = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]);
  return read.filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
}

/** A browser that has no connection yet. Where the service is too busy it is told so at once, which is no page. */
function firstByte(url, dueAt) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      const firstByteMs = performance.now() - dueAt;
      const isPage = response.statusCode === 200;
      response.resume().once('end', () => resolve(isPage ? firstByteMs : Number.POSITIVE_INFINITY));
    }).once('error', () => resolve(Number.POSITIVE_INFINITY));
  });
}

/** An order of three items, of which the others are copies. */
async function newOrder(service) {
  const item = { type: 'PRODUCT', class: 'bench', quantity: 1, quantityUnit: 'pcs', vatPercent: 2500 };
  const orderItems = [1, 2, 3].map((n) => ({
    ...item,
    ...{ reference: `P${n}`, name: `Product ${n}`, unitPrice: 1000, amount: 1000, vatAmount: 200 },
  }));
  const money = { currency: 'NOK', amount: 3000, vatAmount: 600, orderItems };
  const urls = { completeUrl: 'https://shop.example/done' };
  const paymentorder = {
    operation: 'Purchase',
    ...money,
    description: 'Bench',
    urls,
    payeeInfo: { payeeReference: 'bench' },
  };
  const { paymentOrder } = await post(service, '/psp/paymentorders', { paymentorder }, '3.1');
  return paymentOrder.id.split('/').at(-1);
}

/** Ids of the copies: UUIDs of version 7, of a time and digits that follow from the number, so that any of them can be named again. */
const ID = (digit) =>
  `(lpad(to_hex(1700000000000 + n * 40), 12, '0') || '-7${digit}00-8000-' || lpad(to_hex(n), 12, '0'))`;
const idOf = (digit, n) => {
  const time = (1_700_000_000_000 + n * 40).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digit}00-8000-${n.toString(16).padStart(12, '0')}`;
};
const paymentIdOf = (n) => idOf('c', n);

/** What differs from the order that is copied, by table. Columns that are not named are as they are there. */
const COPIES = {
  payment_order: {
    order_id: `${ID('a')}::uuid`,
    card_payment_id: `${ID('c')}::uuid`,
    number: '50000000000 + 2 * n',
    content_digest: `decode(md5(n::text) || md5((n + 1)::text), 'hex')`,
    created_at: "t.created_at - (n % 600000) * interval '3 seconds'",
    expires_at: "t.expires_at - (n % 600000) * interval '3 seconds'",
  },
  card_payment: {
    order_id: `${ID('a')}::uuid`,
    payment_id: `${ID('c')}::uuid`,
    number: '50000000001 + 2 * n',
    created_at: "t.created_at - (n % 600000) * interval '3 seconds'",
    expires_at: "t.expires_at - (n % 600000) * interval '3 seconds'",
  },
  order_history: { order_id: `${ID('a')}::uuid` },
  reference: { reference: `'order:' || md5(n::text)`, command_id: `${ID('e')}::uuid`, payment_id: `${ID('a')}::uuid` },
};

/** How the row that is copied is found: each by an index, so that the copies before are not read. */
const KEYS = {
  payment_order: 't.order_id = $1::uuid',
  card_payment: `t.payment_id = (
    select card_payment_id from payment_order where payee_id = $4::uuid and order_id = $1::uuid)`,
  order_history: 't.order_id = $1::uuid',
  reference: `t.scope = 'payment-order' and t.reference = 'order:bench' and t.payment_id = $1::uuid`,
};

/** One gift card or prepaid account is on each order, not held. */
const ADD_LEGS = `
  insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, instrument_type, name, amount,
    cvc_sequence, added_at, updated_at)
  select o.payee_id, ${ID('b')}::uuid, ${ID('a')}::uuid, 1, 'Account', 'Added', a.account_id, 'prepaid', a.number_masked, 0,
    a.cvc_sequence, kontor_now(), kontor_now()
  from generate_series($2::bigint, $3::bigint) n
  join payment_order o on o.payee_id = $4::uuid and o.order_id = $1::uuid
  join (
    select *, row_number() over (order by account_id) - 1 as place
    from account where payee_id = $4::uuid and kind = 'StoredValue' limit ${ACCOUNTS}
  ) a on a.place = n % ${ACCOUNTS}`;

/**
 * Adds copies of an order, with its card payment, history and reference, and a gift card on each.
 *
 * @returns bytes of the database afterwards
 */
async function storeOrders(client, { payeeId, template, from, to }) {
  await client.query('set session_replication_role = replica');
  await client.query('set synchronous_commit = off');
  for (let first = from; first <= to; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, to);
    for (const [table, members] of Object.entries(COPIES)) {
      const copy = await copyOf(client, table, members);
      await client.query(copy, [template, first, last, payeeId]);
    }
    await client.query(ADD_LEGS, [template, first, last, payeeId]);
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  // What was read until now is counted now.
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  return Number(rows[0].bytes);
}

async function copyOf(client, table, members) {
  const { rows } = await client.query(
    'select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position',
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => members[name] ?? `t.${name}`);
  const from = `${table} t cross join generate_series($2::bigint, $3::bigint) n where t.payee_id = $4::uuid and ${KEYS[table]}`;
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${from}`;
}
