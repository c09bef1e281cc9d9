/** The requests that loads consist of, as the bytes that are sent: each signed, with a nonce and a reference of its own. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { tokenOf, tokenTypeOf } from './tokens.mjs';

const AMOUNT_MINOR = 10;
/** What the sandbox's product allows. */
const CARD_AMOUNT_MINOR = 50_000;
export const END_OF_HEADERS = '\r\n\r\n';

/** What a load may consist of: each makes one request after the other. */
const KINDS = {
  authorize: authorizations,
  'follow-up': followUps,
  'gift-card': newGiftCards,
  'card-payment': cardPayments,
  'payment-order': paymentOrders,
  token: tokenReads,
  balance: balances,
};

/**
 * What a load sends to a service.
 *
 * @typedef {{baseUrl: string, accessToken: string, hmac: object, kind: string}} Target with `accounts`, `payeeId` and `tokens`
 * where the kind needs them
 */

/** Makes requests of a kind as the bytes that are sent. */
export function requestMaker(target) {
  const { host } = new URL(target.baseUrl);
  const ask = asker(target);
  return () => {
    const { method, path, headers, body = '' } = ask();
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (body !== '') lines.push(`Content-Length: ${body.length}`);
    return `${lines.join('\r\n')}${END_OF_HEADERS}${body}`;
  };
}

/** Whether all of an answer is here: one that says its length, for there is only one at a time. */
export function isWhole(received) {
  const end = received.indexOf(END_OF_HEADERS);
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return length === undefined || received.length >= end + END_OF_HEADERS.length + Number(length);
}

/** Sends one request of a kind, and gives its answer. */
export function askOnce(target) {
  const { path, ...request } = asker(target)();
  return fetch(`${target.baseUrl}${path}`, request);
}

function asker({ accessToken, hmac, kind, ...about }) {
  const makeNext = KINDS[kind](about);
  return () => {
    const { method = 'POST', path, body } = makeNext();
    const headers = {
      Authorization: `Bearer ${accessToken}`,
      ...(path.startsWith('/api/payments') && { Hmac: signatureOf(hmac, path, body) }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return { method, path, headers, body };
  };
}

function signatureOf({ user, secret }, path, body) {
  const nonce = randomBytes(16).toString('hex');
  const digest = createHmac('sha512', secret).update(`POST\n${path}\n${user}\n${nonce}\n\n${body}\n`).digest('base64');
  return `HmacSHA512 ${user}:${nonce}:${digest}`;
}

/** Authorizations with references of their own, each on another account in turn. */
function authorizations({ accounts }) {
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

/** A capture, cancel or reversal of each payment in turn, of a part of it. */
function followUps({ verb, payments, amount }) {
  let made = 0;
  return () => {
    const { accountId, paymentId } = payments[made++ % payments.length];
    const body = { amount, paymentOrderRef: 'order', paymentTransactionRef: randomUUID() };
    const path = `/api/payments/payment-account/${accountId}/payment/${paymentId}/${verb}`;
    return { path, body: JSON.stringify(body) };
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
function paymentOrders({ payeeId, amount = 3000 }) {
  const item = { type: 'PRODUCT', class: 'bench', quantity: 1, quantityUnit: 'pcs', vatPercent: 2500 };
  const orderItems = [1, 2, 3].map((n) => ({
    ...item,
    ...{ reference: `P${n}`, name: `Product ${n}`, unitPrice: amount / 3, amount: amount / 3, vatAmount: amount / 15 },
  }));
  return () => {
    const payeeInfo = { payeeId, payeeReference: randomUUID() };
    const urls = { completeUrl: 'https://shop.example/done' };
    const money = { currency: 'NOK', amount, vatAmount: amount / 5 };
    const paymentorder = { operation: 'Purchase', ...money, description: 'Bench', orderItems, urls, payeeInfo };
    return { path: '/psp/paymentorders', body: JSON.stringify({ paymentorder }) };
  };
}

/** Reads of the tokens that `writeTokens` has written. */
function tokenReads({ payeeId, tokens }) {
  let made = Math.floor(Math.random() * tokens);
  return () => {
    const index = made++ % tokens;
    return { method: 'GET', path: `/online/payer/payees/${payeeId}/tokens/${tokenOf(index)}-${tokenTypeOf(index)}` };
  };
}

/** Asks for the balance of each account in turn. */
function balances({ accounts }) {
  let made = Math.floor(Math.random() * accounts.length);
  return () => {
    const { number } = accounts[made++ % accounts.length];
    const body = JSON.stringify({ accountIdentifier: { accountKey: number } });
    return { path: '/api/payments/payment-account/balance', body };
  };
}
