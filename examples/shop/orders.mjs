import { randomUUID } from 'node:crypto';
import { createClient } from 'kontor/client';
import { KontorWrongSignature, verifyWebhook } from 'kontor/client/webhooks';

/** Who is logged in. Kontor remembers cards by this name. */
const CUSTOMER = 'customer-dagny';
const PRICE = 24_900;
const VAT = 4_980;
const WARES = { currency: 'SEK', description: 'A box of tea', userAgent: 'The tea shop', payerReference: CUSTOMER };

/**
 * The shop's orders: what was ordered, and the payment that pays for it. Whether it is paid is asked of Kontor, never
 * believed of a browser.
 *
 * @param {{baseUrl: string, accessToken: string, callbackSecret: string}} sandbox
 * @param {() => string} origin the shop's own
 */
export function ordersOf({ baseUrl, accessToken, callbackSecret }, origin) {
  const kontor = createClient({ baseUrl, credentials: { accessToken } });
  const orders = new Map();

  /** An order with its payment as Kontor sees it now. */
  async function look(id) {
    const order = orders.get(id);
    if (order === undefined) throw Object.assign(new Error('There is no such order.'), { status: 404 });
    order.answer = await kontor.get(order.payment, { expand: ['paid', 'transactions'] });
    return order;
  }

  /** Makes the payment of an order. What the order's number makes sure of: sent twice, it is one payment. */
  async function open(order, payment) {
    const body = { payment: { ...WARES, language: order.language, payeeInfo: infoOf(order), ...payment } };
    order.answer = await kontor.call('POST /psp/creditcard/payments', { body, idempotencyKey: order.id });
    order.payment = order.answer.payment.id;
    orders.set(order.id, order);
    return order;
  }

  return {
    all: () => [...orders.values()].reverse(),
    look,

    /** Takes an order. Answers where its customer goes on. */
    async place({ how = 'redirect', language = 'en-US', monthly, keep }) {
      const id = randomUUID();
      const order = await open(
        { id, language, told: [] },
        {
          operation: 'Purchase',
          intent: 'Authorization',
          prices: [{ type: 'CreditCard', amount: PRICE, vatAmount: VAT }],
          generateRecurrenceToken: monthly === 'on',
          generatePaymentToken: keep === 'on',
          urls: urlsOf(id, { origin: origin(), how }),
        },
      );
      return how === 'view' ? `/orders/${id}/pay` : linkTo(order.answer, 'redirect-authorization');
    },

    /** Takes the money: a shop does so when it sends the goods. */
    async capture(id) {
      const { answer } = await look(id);
      await kontor.follow(answer, 'create-capture', {
        transaction: { amount: PRICE, vatAmount: VAT, description: 'Sent', payeeReference: `${id}-sent` },
      });
    },

    /** Next month's box: paid with the token that the first one made, without its payer. */
    async again(id) {
      const { answer, language } = await look(id);
      const { token } = answer.payment.paid.tokens.find(({ type }) => type === 'recurrence');
      const order = await open(
        { id: randomUUID(), language, told: [] },
        { operation: 'Recur', intent: 'AutoCapture', amount: PRICE, vatAmount: VAT, recurrenceToken: token },
      );
      return `/orders/${order.id}`;
    },

    hear: (headers, body) => hear(orders, { headers, body, secret: callbackSecret }),
  };
}

/** Where a payer comes back to, and where Kontor calls back. Only a view may be framed, by the shop alone. */
function urlsOf(id, { origin, how }) {
  const here = `${origin}/orders/${id}`;
  return {
    ...(how === 'view' && { hostUrls: [origin] }),
    completeUrl: here,
    cancelUrl: here,
    paymentUrl: `${here}/pay`,
    callbackUrl: `${origin}/callbacks`,
  };
}

function infoOf({ id }) {
  return { payeeReference: id, payeeName: 'The tea shop' };
}

/** Notes a callback. Answers whether it came from Kontor. */
async function hear(orders, message) {
  try {
    const { payment, transaction } = await verifyWebhook(message);
    const order = [...orders.values()].find((one) => one.payment === payment.id);
    // The same one may come twice. A real shop looks at the payment now, and does what is to be done.
    if (order !== undefined && !order.told.includes(transaction.number)) order.told.push(transaction.number);
    return true;
  } catch (error) {
    if (error instanceof KontorWrongSignature) return false;
    throw error;
  }
}

/** Where the payer's browser goes, for an operation that is a page or a script; undefined where there is none now. */
export function linkTo({ operations }, rel) {
  return operations.find((operation) => operation.rel === rel)?.href;
}
