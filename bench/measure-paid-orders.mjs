/** Payment orders that gift cards pay, over the page as a browser speaks to it, and what follows of them. */
import { randomUUID } from 'node:crypto';
import { askOnce } from './requests.mjs';

/** Payers, and clients that capture, at the same time: each entry of a gift card takes 0.4 s by design, however fast the service is. */
const PAYERS = 32;
/** Orders that one gift card pays, and orders of two that are captured; before them as many that warm up. */
const PAID = 320;
const CAPTURED = 160;
/** Captures of each of these, of 1 each of both gift cards. */
const CAPTURES = 3;
/** What the sandbox's product puts on a card: see `newGiftCards`. */
const ON_A_CARD = 50_000;
const VERSION = { 'content-type': 'application/json;version=3.1' };

/**
 * @param {{baseUrl: string, accessToken: string, hmac: object}} service
 * @param {(run: () => Promise<{requests: number}>) => Promise<{serviceUs: number, databaseUs: number}>} measure adds the
 *   processor time that each request took
 */
export async function measurePaidOrders(service, measure) {
  const paying = await afterWarmingUp(async (run) => {
    const orders = await together(PAYERS, PAID, () => openOrder(service, { amount: ON_A_CARD, giftCards: 1 }));
    return run(() => timed(PAYERS, PAID, (index) => pay(orders[index])));
  }, measure);
  const capturing = await afterWarmingUp(async (run) => {
    const opened = await together(PAYERS, CAPTURED, () => openOrder(service, { amount: 2 * ON_A_CARD, giftCards: 2 }));
    const orders = await together(PAYERS, CAPTURED, (index) => payWithBoth(service, opened[index]));
    return run(() => timed(PAYERS, CAPTURED * CAPTURES, (index) => capture(service, orders[index % CAPTURED])));
  }, measure);
  return { paying, capturing };
}

/** Does all twice, and measures the second time: the first code of a process and the first plans of a connection are slow. */
async function afterWarmingUp(act, measure) {
  await act((run) => run());
  return act(measure);
}

/** Does so many things, and says how many a second. */
async function timed(workers, requests, act) {
  const startedAt = performance.now();
  await together(workers, requests, act);
  return { requests, perSecond: (requests * 1000) / (performance.now() - startedAt) };
}

/** Does so many things, some at the same time. */
async function together(workers, count, act) {
  const results = new Array(count);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await act(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, count) }, worker));
  return results;
}

/** An order whose payer has its page open, and the gift cards that pay it. */
async function openOrder(service, { amount, giftCards }) {
  const paymentorder = {
    ...{ operation: 'Purchase', currency: 'NOK', amount, vatAmount: 0, description: 'Bench' },
    urls: { completeUrl: 'https://shop.example/done' },
    payeeInfo: { payeeReference: randomUUID() },
  };
  const body = JSON.stringify({ paymentorder });
  const headers = { ...bearer(service), ...VERSION };
  const made = await read(`${service.baseUrl}/psp/paymentorders`, { method: 'POST', headers, body });
  const page = made.operations.find(({ rel }) => rel === 'redirect-checkout').href;
  const html = await (await fetch(page)).text();
  const [, attempt] = / name="attempt" value="([^"]+)"/.exec(html) ?? [];
  const cards = await Promise.all(
    Array.from({ length: giftCards }, async () => {
      const answer = await askOnce({ ...service, kind: 'gift-card' });
      if (!answer.ok) throw new Error(`A new gift card was answered with ${answer.status}: ${await answer.text()}`);
      return (await answer.json()).accountSummaryGiftCard;
    }),
  );
  return { id: made.paymentOrder.id, page, attempt, cards };
}

/** Pays an order, and says what its legs are. */
async function payWithBoth(service, order) {
  await pay(order);
  const { paymentOrder } = await read(`${service.baseUrl}${order.id}`, { headers: bearer(service) });
  return { id: order.id, legs: paymentOrder.legs.map(({ id }) => id) };
}

/** Enters the gift cards, and pays. */
async function pay({ page, attempt, cards }) {
  let seen;
  for (const { accountKey, cvc } of cards) {
    const added = await send(`${page}/gift-card`, { giftNumber: accountKey, giftCode: cvc });
    if (added.outcome !== 'ok') throw new Error(`A gift card was answered with ${added.outcome}.`);
    seen = added.menu.seen;
  }
  await send(page, { means: 'GiftCard', attempt, seen });
}

function send(url, fields) {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...{ 'sec-fetch-site': 'same-origin', origin: 'null' },
  };
  return read(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

async function capture(service, { id, legs }) {
  const parts = legs.map((leg) => ({ id: leg, amount: 1 }));
  const transaction = { amount: 2, vatAmount: 0, description: 'Bench', payeeReference: randomUUID(), legs: parts };
  const body = JSON.stringify({ transaction });
  const headers = { ...bearer(service), ...VERSION };
  await read(`${service.baseUrl}${id}/captures`, { method: 'POST', headers, body });
}

const bearer = ({ accessToken }) => ({ authorization: `Bearer ${accessToken}`, ...VERSION });

async function read(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
