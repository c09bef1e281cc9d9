/**
 * The load generator for payments, in a process of its own: authorizes on one server for some seconds, gets new gift cards
 * or makes card payments, each request with a nonce and signature of its own where it needs one. Requests are signed before
 * the clock starts and travel over plain sockets, because whatever this process takes of the processor, the service does
 * not have.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { percentile } from './report.mjs';

const AMOUNT_MINOR = 10;
/** What the sandbox's product allows. */
const CARD_AMOUNT_MINOR = 50_000;
/** Requests for each second that are signed ahead. A faster client signs the rest on the way. */
const SIGNED_PER_SECOND = 10_000;
const END_OF_HEADERS = '\r\n\r\n';

process.once('message', async ({ connections, seconds, perSecond, keepsTimes = false, ...target }) => {
  const makeRequest = requestMaker(target);
  const signedPerSecond = perSecond ?? (connections === 1 ? 1000 : SIGNED_PER_SECOND);
  const ready = Array.from({ length: seconds * signedPerSecond }, makeRequest);
  const next = () => ready.pop() ?? makeRequest();
  const { hostname, port } = new URL(target.baseUrl);
  const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port, noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const [times, failed] = [[], []];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const dueAt = perSecond === undefined ? () => performance.now() : schedule({ startedAt, perSecond });
  await Promise.all(sockets.map((socket) => keepAsking(socket, { next, endsAt, times, failed, dueAt })));
  const reached = ((times.length - failed.length) * 1000) / (performance.now() - startedAt);
  const [requests, example] = [times.length, failed[0]];
  process.send({
    perSecond: reached,
    requests,
    medianMs: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    ...(keepsTimes && { timesMs: times }),
    failed: failed.length,
    example,
  });
  process.disconnect();
});

/**
 * When the next request is due, whichever connection is free. It counts from then, and not from when a slow answer has
 * left a connection free for it: payers do not wait for each other.
 */
function schedule({ startedAt, perSecond }) {
  let made = 0;
  return () => startedAt + (made++ * 1000) / perSecond;
}

/** What a load may consist of: each makes one request after the other. */
const KINDS = {
  authorize: authorizations,
  'gift-card': newGiftCards,
  'card-payment': cardPayments,
  'payment-order': paymentOrders,
};

/** Makes requests as the bytes that are sent. */
function requestMaker({ baseUrl, accessToken, hmac, kind, accounts, payeeId }) {
  const { host } = new URL(baseUrl);
  const askFor = KINDS[kind](accounts, payeeId);
  return () => {
    const { path, body } = askFor();
    const lines = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${accessToken}`,
      ...(path.startsWith('/api/payments') ? [signatureOf(hmac, path, body)] : []),
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return `${lines.join('\r\n')}${END_OF_HEADERS}${body}`;
  };
}

function signatureOf({ user, secret }, path, body) {
  const nonce = randomBytes(16).toString('hex');
  const digest = createHmac('sha512', secret).update(`POST\n${path}\n${user}\n${nonce}\n\n${body}\n`).digest('base64');
  return `Hmac: HmacSHA512 ${user}:${nonce}:${digest}`;
}

/** Authorizations with references of their own, each on another account in turn. */
function authorizations(accounts) {
  let made = Math.floor(Math.random() * accounts.length);
  return () => {
    const { accountId, number } = accounts[made++ % accounts.length];
    const body = {
      accountIdentifier: { accountKey: number, expiryDate: '12/39' },
      amount: AMOUNT_MINOR,
      currency: 'NOK',
      merchant: { merchantName: 'Bench' },
      paymentOrderRef: 'order',
      paymentTransactionRef: randomUUID(),
    };
    return { path: `/api/payments/payment-account/${accountId}/payment/authorize`, body: JSON.stringify(body) };
  };
}

function newGiftCards() {
  const body = JSON.stringify({ amount: CARD_AMOUNT_MINOR });
  return () => ({ path: '/api/payments/gift-card/get-new-gift-card', body });
}

/** Purchases that are made, and not paid. */
function cardPayments() {
  const body = JSON.stringify({
    payment: {
      operation: 'Purchase',
      intent: 'Authorization',
      currency: 'NOK',
      prices: [{ type: 'CreditCard', amount: AMOUNT_MINOR, vatAmount: 0 }],
      description: 'Bench',
      userAgent: 'Mozilla/5.0',
      language: 'nb-NO',
      urls: { completeUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/basket' },
      payeeInfo: { payeeName: 'Bench' },
    },
  });
  return () => ({ path: '/psp/creditcard/payments', body });
}

/** Payment orders of three items that are made, and not paid. */
function paymentOrders(_accounts, payeeId) {
  const item = { type: 'PRODUCT', class: 'bench', quantity: 1, quantityUnit: 'pcs', vatPercent: 2500 };
  const orderItems = [1, 2, 3].map((n) => ({
    ...item,
    ...{ reference: `P${n}`, name: `Product ${n}`, unitPrice: 1000, amount: 1000, vatAmount: 200 },
  }));
  return () => {
    const payeeInfo = { payeeId, payeeReference: randomUUID() };
    const urls = { completeUrl: 'https://shop.example/done' };
    const money = { currency: 'NOK', amount: 3000, vatAmount: 600 };
    const paymentorder = { operation: 'Purchase', ...money, description: 'Bench', orderItems, urls, payeeInfo };
    return { path: '/psp/paymentorders', body: JSON.stringify({ paymentorder }) };
  };
}

/** Sends one request after the other over a connection, each when it is due and the one before is answered. */
function keepAsking(socket, { next, endsAt, times, failed, dueAt }) {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt = 0;
    const ask = () => {
      sentAt = dueAt();
      if (sentAt < endsAt) return sendAt(sentAt);
      socket.destroy();
      resolve();
    };
    const sendAt = (time) => {
      const waitMs = time - performance.now();
      if (waitMs > 0) setTimeout(() => socket.write(next(), 'latin1'), waitMs);
      else socket.write(next(), 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
      if (!isWhole(received)) return;
      times.push(performance.now() - sentAt);
      if (!isApproval(received)) failed.push(received);
      received = '';
      ask();
    });
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('The server closed a connection.')));
    ask();
  });
}

/** Whether all of an answer is here: one that says its length, for there is only one at a time. */
function isWhole(received) {
  const end = received.indexOf(END_OF_HEADERS);
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return length === undefined || received.length >= end + END_OF_HEADERS.length + Number(length);
}

function isApproval(received) {
  return /^HTTP\/1\.1 20[01] /.test(received) && /"state":"(OK|Ready)"|"accountSummaryGiftCard":/.test(received);
}
