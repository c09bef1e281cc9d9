/** Payment orders against what is done without them, in the same run. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs, treeMs } from './kontor.mjs';
import { openPages, weigh } from './measure-page.mjs';
import { measurePaidOrders } from './measure-paid-orders.mjs';
import { ACCOUNTS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, makeOrders, openShop } from './shop.mjs';

/** Clients that make orders at the same time, and that pay. */
const CONNECTIONS = 32;
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
    for (const run of Object.values(ways)) await run(WARM_UP_SECONDS);
    const made = await Promise.all(Array.from({ length: READ }, () => newOrder(shop.grouped)));
    const cards = await Promise.all(made.map(() => cardPaymentLike(shop.grouped)));
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const orders = await measured(() => ways.orders(seconds), shop.grouped.processId, postmaster);
      const payments = await measured(() => ways.payments(seconds), shop.grouped.processId, postmaster);
      const ofOrders = await read(
        shop.grouped,
        made.map(({ id }) => id),
        seconds,
      );
      const ofCards = await read(shop.grouped, cards, seconds);
      const firstByteMs = await openPages(made[0].page);
      results.push({ orders, payments, ofOrders, ofCards, firstByteMs });
    }
    const middle = (of) => median(results.map(of));
    const paid = await measurePaidOrders(shop.grouped, (run) => measured(run, shop.grouped.processId, postmaster));
    return {
      paid,
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
  const cost = (of) => of.serviceUs + of.databaseUs;
  const authorizing = serviceUs[1] + databaseUs[1];
  const { paying, capturing } = measured.paid;
  printValue('Orders that one gift card pays on the page, at 32 payers, a second', paying.perSecond);
  printGoal('  times the authorizations, by processor time', authorizing / cost(paying), { atLeast: 0.25 });
  printValue('Captures of orders that two gift cards have paid, at 32 connections, a second', capturing.perSecond);
  printGoal('  times the authorizations, by processor time', authorizing / cost(capturing), { atLeast: 0.4 });
  printGoal('First byte of the page of an order, median, milliseconds', firstByteMs, { below: 10 });
  printValue('  all of the page, uncompressed, kB', weight.kilobytes);
  printValue('  the same with Brotli, kB', weight.compressedKilobytes);
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

async function post({ baseUrl, accessToken }, path, body, version) {
  const type = version === undefined ? 'application/json' : `application/json;version=${version}`;
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
