/** Payment orders that gift cards pay, over the page as a browser speaks to it, and what follows of them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Payers at the same time. An entry of a gift card is answered after 0.4 s by design, however fast the service is, so that as
 * many have to wait as are served in that time for the machine to be full: 1 000 orders a second want 400 who wait.
 */
const PAYERS = 512;
/** Orders that each of them pays, one after the other. */
const EACH_PAYS = 3;
/** Orders that two gift cards have paid, and captures of each, of 1 of each gift card. */
const CAPTURED = 512;
const CAPTURES = 3;

/** What fills the machine with orders that gift cards pay, and with captures of them: to be run, in turn with others. */
export const PAID_ORDERS = {
  pay: { kind: 'pay', count: { connections: PAYERS, each: EACH_PAYS } },
  capture: (connections) => ({ kind: 'capture', count: { connections, orders: CAPTURED, each: CAPTURES } }),
};

/**
 * Makes a load of orders ready, and then measures it.
 *
 * @param {{baseUrl: string, accessToken: string, hmac: object, payeeId: string}} service
 * @param {object} load one of `PAID_ORDERS`
 * @param {(run: () => Promise<{requests: number, perSecond: number}>) => Promise<object>} measure adds the processor time
 *   that each took
 */
export async function loadOrders({ baseUrl, accessToken, hmac, payeeId }, load, measure) {
  const child = fork(join(import.meta.dirname, 'load-orders.mjs'));
  const failed = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error('The load of orders failed.');
  });
  child.send({ baseUrl, accessToken, hmac, payeeId, ...load });
  await Promise.race([once(child, 'message'), failed]);
  const result = await measure(async () => {
    child.send('go');
    const [result] = await Promise.race([once(child, 'message'), failed]);
    return result;
  });
  await failed;
  return result;
}
