/**
 * The load generator of orders that gift cards pay, in a process of its own that speaks over plain sockets, as
 * `load-requests.mjs` does. It makes what is needed ready, says so, and begins once it is told to: so what was made ready is in
 * no measurement.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { END_OF_HEADERS, isWhole, requestMaker } from './requests.mjs';

/** Connections that make orders ready. */
const MAKERS = 64;
/** Milliseconds before which no entry of a gift card is answered, by design. Payers begin spread over them. */
const ENTRY_MS = 400;
const VERSION = 'application/json;version=3.1';

process.once('message', async ({ kind, count, ...target }) => {
  const load = kind === 'pay' ? await payers(target, count) : await captures(target, count);
  process.send('ready');
  await once(process, 'message');
  const times = await load();
  // Its connections are still open, and would keep it.
  process.send({ requests: times.length, perSecond: middleRate(times) }, () => process.exit());
});

/** Payers with an order and a gift card each, who enter it and pay; each pays one order after the other. */
async function payers(target, { connections, each }) {
  const orders = await together(target, connections * each, (client) => makeOrder(client, target, { giftCards: 1 }));
  const clients = await Promise.all(Array.from({ length: connections }, () => open(target)));
  return () =>
    inTurn(clients, orders, async (client, order, place) => {
      if (place < connections) await new Promise((resolve) => setTimeout(resolve, (place * ENTRY_MS) / connections));
      await pay(client, target, order);
    });
}

/** Captures of orders that two gift cards have paid, some of each order, of 1 of each gift card. */
async function captures(target, { connections, orders, each }) {
  const paid = await together(target, orders, async (client) => {
    const order = await makeOrder(client, target, { giftCards: 2 });
    await pay(client, target, order);
    return { id: order.id, legs: await legsOf(client, target, order) };
  });
  const clients = await Promise.all(Array.from({ length: connections }, () => open(target)));
  const requests = Array.from({ length: each }, () => paid.map((order) => captureOf(target, order))).flat();
  return () => inTurn(clients, requests, (client, request) => client(request));
}

/** What an order with so many gift cards needs: three items, of which the gift cards pay all. */
async function makeOrder(client, target, { giftCards }) {
  const amount = giftCards === 1 ? 3000 : 99_000;
  const made = await client(requestMaker({ ...target, kind: 'payment-order', amount })());
  const [, page] = /"href":"[^"]*?(\/pay\/[^"]+)"/.exec(made) ?? [];
  const [, id] = /"id":"(\/psp\/paymentorders\/[0-9a-f-]+)"/.exec(made) ?? [];
  const html = await client(bytes(target, { path: page }));
  const [, attempt] = / name="attempt" value="([^"]+)"/.exec(html) ?? [];
  const cards = [];
  for (let made = 0; made < giftCards; made++) {
    const card = await client(requestMaker({ ...target, kind: 'gift-card' })());
    cards.push(JSON.parse(card).accountSummaryGiftCard);
  }
  return { id, page, attempt, cards };
}

/** Enters the gift cards, and pays. */
async function pay(client, target, { page, attempt, cards }) {
  let seen;
  for (const { accountKey, cvc } of cards) {
    const entry = { giftNumber: accountKey, giftCode: cvc };
    const added = JSON.parse(await client(form(target, `${page}/gift-card`, entry)));
    if (added.outcome !== 'ok') throw new Error(`A gift card was answered with ${added.outcome}.`);
    seen = added.menu.seen;
  }
  const { outcome } = JSON.parse(await client(form(target, page, { means: 'GiftCard', attempt, seen })));
  if (outcome !== 'Go') throw new Error(`A payment was answered with ${outcome}.`);
}

async function legsOf(client, target, { id }) {
  const headers = { authorization: `Bearer ${target.accessToken}`, accept: VERSION };
  const answer = await client(bytes(target, { path: id, headers }));
  return JSON.parse(answer).paymentOrder.legs.map((leg) => leg.id);
}

function captureOf(target, { id, legs }) {
  const parts = legs.map((leg) => ({ id: leg, amount: 1 }));
  const amounts = { amount: legs.length, vatAmount: 0, legs: parts };
  const transaction = { ...amounts, description: 'Bench', payeeReference: randomUUID() };
  const headers = { authorization: `Bearer ${target.accessToken}`, 'content-type': VERSION };
  return bytes(target, { path: `${id}/captures`, headers, body: JSON.stringify({ transaction }) });
}

/** A form as the page's script sends it. */
function form(target, path, fields) {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...{ 'sec-fetch-site': 'same-origin', origin: 'null' },
  };
  return bytes(target, { path, headers, body: new URLSearchParams(fields).toString() });
}

/** A request as the bytes that are sent: a POST where it has a body. */
function bytes({ baseUrl }, { path, headers = {}, body }) {
  const method = body === undefined ? 'GET' : 'POST';
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(baseUrl).host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${body.length}`);
  return `${lines.join('\r\n')}${END_OF_HEADERS}${body ?? ''}`;
}

/** Opens a connection: what it is given is sent, and the body of the answer comes back. One request at a time. */
async function open({ baseUrl }) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port, noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  let received = '';
  let answered;
  socket.on('data', (chunk) => {
    received += chunk;
    if (!isWhole(received)) return;
    const whole = received;
    received = '';
    if (!/^HTTP\/1\.1 20[01] /.test(whole)) throw new Error(`A request was answered with ${whole.slice(0, 1000)}`);
    answered(whole.slice(whole.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length));
  });
  const ask = (request) =>
    new Promise((resolve) => {
      answered = resolve;
      socket.write(request, 'latin1');
    });
  return Object.assign(ask, { close: () => socket.destroy() });
}

/** Makes so many things ready. */
async function together(target, count, make) {
  const made = [];
  const clients = await Promise.all(Array.from({ length: MAKERS }, () => open(target)));
  await inTurn(clients, new Array(count).fill(undefined), async (client) => void made.push(await make(client)));
  // One that says nothing more is told so after a while, as if it were an answer.
  for (const client of clients) client.close();
  return made;
}

/** Does something with each thing, one after the other on each connection. Says when each was done. */
async function inTurn(clients, things, act) {
  const times = [];
  let next = 0;
  const work = async (client) => {
    while (next < things.length) {
      const place = next++;
      await act(client, things[place], place);
      times.push(performance.now());
    }
  };
  await Promise.all(clients.map(work));
  return times;
}

/** How many were done a second, without the first and the last sixth: then all are at work. */
function middleRate(times) {
  const [first, last] = [Math.floor(times.length / 6), Math.floor((times.length * 5) / 6)];
  return ((last - first) * 1000) / (times[last] - times[first]);
}
