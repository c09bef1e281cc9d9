/** Payment orders against what is done without them, in the same run. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs, treeMs } from './kontor.mjs';
import { openPages, weigh } from './measure-page.mjs';
import { loadOrders, PAID_ORDERS } from './measure-paid-orders.mjs';
import { ACCOUNTS, CONNECTIONS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, makeOrders, openShop } from './shop.mjs';

/** Times that a load of paid orders is run before it counts: as many captures as authorizations warm up with, some 4 500. */
const LOAD_WARM_UPS = 3;
/** Orders and card payments that are read, in turn. */
const READ = 64;

/**
 * Making an order is a command of the group commit, as an authorization is, with the card payment that it has. Reading one is
 * compared with reading a card payment. Its page has a menu.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 */
export async function measureOrders({ folder, rounds, seconds }) {
  const place = join(folder, 'orders');
  const shop = await openShop(place, { accounts: ACCOUNTS });
  try {
    const [postmaster] = readFileSync(join(place, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
    const load = (duration) => ({ connections: CONNECTIONS, seconds: duration });
    const ways = {
      orders: (duration) => makeOrders(shop.grouped, load(duration)),
      payments: (duration) => authorize(shop.grouped, shop.accounts, load(duration)),
    };
    const counted = (run) => measured(run, shop.grouped.processId, postmaster);
    const loads = { paying: PAID_ORDERS.pay, capturing: PAID_ORDERS.capture(CONNECTIONS) };
    for (const run of Object.values(ways)) await run(WARM_UP_SECONDS);
    // The first code of a process and the first plans of a connection are slow, and a load is only some seconds long.
    for (let warmUp = 0; warmUp < LOAD_WARM_UPS; warmUp++) {
      for (const load of Object.values(loads)) await loadOrders(shop.grouped, load, (run) => run());
    }
    const made = await Promise.all(Array.from({ length: READ }, () => newOrder(shop.grouped)));
    const cards = await Promise.all(made.map(() => cardPaymentLike(shop.grouped)));
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const orders = await counted(() => ways.orders(seconds));
      const payments = await counted(() => ways.payments(seconds));
      const paying = await loadOrders(shop.grouped, loads.paying, counted);
      const capturing = await loadOrders(shop.grouped, loads.capturing, counted);
      const ofOrders = await read(
        shop.grouped,
        made.map(({ id }) => id),
        seconds,
      );
      const ofCards = await read(shop.grouped, cards, seconds);
      const firstByteMs = await openPages(made[0].page);
      results.push({ orders, payments, paying, capturing, ofOrders, ofCards, firstByteMs });
    }
    const middle = (of) => median(results.map(of));
    const besidePayments = (of) => ({
      perSecond: middle((one) => of(one).perSecond),
      ratio: middle((one) => of(one).perSecond / one.payments.perSecond),
      serviceUs: middle((one) => of(one).serviceUs),
      databaseUs: middle((one) => of(one).databaseUs),
      processorRatio: middle((one) => costOf(one.payments) / costOf(of(one))),
    });
    return {
      paying: besidePayments(({ paying }) => paying),
      capturing: besidePayments(({ capturing }) => capturing),
      perSecond: middle(({ orders }) => orders.perSecond),
      p99Ms: middle(({ orders }) => orders.p99Ms),
      paymentsPerSecond: middle(({ payments }) => payments.perSecond),
      ratio: middle(({ orders, payments }) => orders.perSecond / payments.perSecond),
      serviceUs: [middle(({ orders }) => orders.serviceUs), middle(({ payments }) => payments.serviceUs)],
      databaseUs: [middle(({ orders }) => orders.databaseUs), middle(({ payments }) => payments.databaseUs)],
      reads: middle(({ ofOrders }) => ofOrders.perSecond),
      readRatio: middle(({ ofOrders, ofCards }) => ofOrders.perSecond / ofCards.perSecond),
      firstByteMs: middle(({ firstByteMs }) => firstByteMs),
      weight: await weigh(made[0].page),
    };
  } finally {
    await shop.close();
  }
}

export function reportOrders(measured) {
  const { perSecond, p99Ms, paymentsPerSecond, ratio, serviceUs, databaseUs, firstByteMs, weight } = measured;
  printValue(`New payment orders of three items, ${CONNECTIONS} connections, a second`, perSecond);
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  authorizations, as many connections, a second', paymentsPerSecond);
  printGoal('  times the authorizations', ratio, { atLeast: 0.5 });
  printValue('  processor time of the service for each order, microseconds', serviceUs[0]);
  printValue('    for each authorization', serviceUs[1]);
  printValue('  processor time of PostgreSQL for each order, microseconds', databaseUs[0]);
  printValue('    for each authorization', databaseUs[1]);
  printValue('GET of payment orders, a second', measured.reads);
  printGoal('  times GET of card payments', measured.readRatio, { atLeast: 0.8 });
  reportBeside('Orders that one gift card pays on the page', measured.paying, 0.25);
  reportBeside('Captures of orders that two gift cards have paid', measured.capturing, 0.4);
  printGoal('First byte of the page of an order, median, milliseconds', firstByteMs, { below: 10 });
  printValue('  all of the page, uncompressed, kB', weight.kilobytes);
  printValue('  the same with Brotli, kB', weight.compressedKilobytes);
}

const costOf = ({ serviceUs, databaseUs }) => serviceUs + databaseUs;

function reportBeside(what, { perSecond, ratio, serviceUs, databaseUs, processorRatio }, atLeast) {
  printValue(`${what}, a second`, perSecond);
  printGoal('  times the authorizations', ratio, { atLeast });
  printValue('  the same by processor time', processorRatio);
  printValue('  processor time of the service for each, microseconds', serviceUs);
  printValue('  processor time of PostgreSQL for each, microseconds', databaseUs);
}

/** Runs a load, and adds the processor time that each of its requests took of the service and of PostgreSQL. */
async function measured(run, service, postmaster) {
  const times = () => ({ service: processorMs(service), database: treeMs(postmaster) });
  const before = times();
  const result = await run();
  const after = times();
  const each = (name) => ((after[name] - before[name]) * 1000) / result.requests;
  return { ...result, serviceUs: each('service'), databaseUs: each('database') };
}

/** Reads these addresses for some seconds. */
async function read({ baseUrl, accessToken }, paths, seconds) {
  const child = fork(join(import.meta.dirname, 'load.mjs'));
  child.send({ baseUrl, accessToken, paths, connections: CONNECTIONS, seconds });
  const exited = once(child, 'exit');
  const [result] = await once(child, 'message');
  await exited;
  if (result.failed > 0) throw new Error(`${result.failed} reads failed.`);
  return result;
}

async function newOrder(service) {
  const order = {
    operation: 'Purchase',
    ...{ currency: 'NOK', amount: 24_900, vatAmount: 4_980, description: 'A box of tea', language: 'nb-NO' },
    urls: { completeUrl: 'https://shop.example/done' },
    payeeInfo: { payeeReference: crypto.randomUUID() },
  };
  const { paymentOrder, operations } = await post(service, '/psp/paymentorders', { paymentorder: order }, '3.1');
  const { id } = paymentOrder;
  return { id, page: operations.find(({ rel }) => rel === 'redirect-checkout').href };
}

/** A card payment of the same amount, for its address. */
async function cardPaymentLike(service) {
  const payment = {
    ...{ operation: 'Purchase', intent: 'Authorization', currency: 'NOK', language: 'nb-NO', userAgent: 'Mozilla/5.0' },
    prices: [{ type: 'CreditCard', amount: 24_900, vatAmount: 4_980 }],
    description: 'A box of tea',
    urls: { completeUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/basket' },
    payeeInfo: { payeeName: 'The tea shop' },
  };
  return (await post(service, '/psp/creditcard/payments', { payment })).payment.id;
}

/** Posts JSON in the name of a payee, which must succeed, and gives the answer. */
export async function post({ baseUrl, accessToken }, path, body, version) {
  const type = version === undefined ? 'application/json' : `application/json;version=${version}`;
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
