import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import {
  AMEX,
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  type Members,
  relsOf,
  VISA,
} from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const HOSTED = { urls: { hostUrls: ['https://shop.example'] } };
const VERIFY = { operation: 'Verify', prices: undefined };
const uuid = (id: string) => id.slice(id.lastIndexOf('/') + 1);

async function made(members: Members = {}): Promise<string> {
  return (await shop.create(members)).body.payment.id;
}

/** A payment of 1000 that is authorized. */
async function authorized(members: Members = {}): Promise<string> {
  const id = await shop.purchase(1000, members);
  await shop.authorize(id);
  return id;
}

/** What brings a payment about, and what can be done with it then. */
type Situation = readonly [name: string, bring: () => Promise<string>, rels: readonly string[]];

describe('what can be done with a payment that is', () => {
  const FOLLOWED: readonly Situation[] = [
    ['a purchase, unpaid', () => made(), ['update-payment-abort', 'redirect-authorization', 'direct-authorization']],
    [
      'a purchase that a page may frame, unpaid',
      () => made(HOSTED),
      ['update-payment-abort', 'redirect-authorization', 'view-authorization', 'direct-authorization'],
    ],
    [
      'a verification to be',
      () => made(VERIFY),
      ['update-payment-abort', 'redirect-verification', 'direct-verification'],
    ],
    [
      'a verification to be that a page may frame',
      () => made({ ...VERIFY, ...HOSTED }),
      ['update-payment-abort', 'redirect-verification', 'view-verification', 'direct-verification'],
    ],
    [
      'verified',
      async () => {
        const id = await made(VERIFY);
        await shop.verify(id);
        return id;
      },
      ['paid-payment'],
    ],
    ['authorized', () => authorized(), ['create-capture', 'create-cancellation', 'paid-payment']],
    [
      'partly captured',
      async () => {
        const id = await authorized();
        await shop.follow(id, 'captures', { amount: 400 });
        return id;
      },
      ['create-capture', 'create-cancellation', 'create-reversal', 'paid-payment'],
    ],
    [
      'fully captured',
      async () => {
        const id = await authorized();
        await shop.follow(id, 'captures', { amount: 1000 });
        return id;
      },
      ['create-reversal', 'paid-payment'],
    ],
    ['captured at once', () => authorized({ intent: 'AutoCapture' }), ['create-reversal', 'paid-payment']],
    [
      'cancelled',
      async () => {
        const id = await authorized();
        await shop.follow(id, 'cancellations');
        return id;
      },
      ['paid-payment'],
    ],
    [
      'partly captured, and the rest cancelled',
      async () => {
        const id = await authorized();
        await shop.follow(id, 'captures', { amount: 400 });
        await shop.follow(id, 'cancellations');
        return id;
      },
      ['create-reversal', 'paid-payment'],
    ],
    [
      'reversed in full',
      async () => {
        const id = await authorized({ intent: 'AutoCapture' });
        await shop.follow(id, 'reversals', { amount: 1000 });
        return id;
      },
      ['paid-payment'],
    ],
    [
      'aborted',
      async () => {
        const id = await made();
        await shop.abort(id);
        return id;
      },
      ['aborted-payment'],
    ],
    [
      'failed',
      async () => {
        const id = await shop.purchase(900351);
        for (let tries = 0; tries < 3; tries++) await shop.authorize(id);
        return id;
      },
      ['failed-payment'],
    ],
  ];

  it.each(FOLLOWED)('%s', async (_name, bring, rels) => {
    const answer = await shop.get(await bring());
    expect(relsOf(answer)).toEqual(rels);
    const page = /^(redirect|view)-/;
    for (const { rel, method, href, contentType } of answer.body.operations) {
      expect(href).toMatch(/^http/);
      if (page.test(rel)) {
        expect([method, contentType]).toEqual(['GET', rel.startsWith('view') ? 'application/javascript' : 'text/html']);
      }
      if (method === 'GET') expect(await kontor.send('GET', href)).toMatchObject({ status: 200 });
    }
  });
});

describe('a part of a payment', () => {
  it('lists what can be done with the payment now, wherever it is read, and when it is made', async () => {
    const id = await authorized({ urls: { hostUrls: ['https://shop.example'] } });
    const captured = await shop.follow(id, 'captures', { amount: 400 });
    expect(relsOf(captured)).toEqual(['create-capture', 'create-cancellation', 'create-reversal', 'paid-payment']);
    const { body } = await shop.get(id);
    expect(captured.body.operations).toEqual(body.operations);
    const parts = Object.values(body.payment as Record<string, unknown>).flatMap((part) =>
      typeof part === 'object' && part !== null && 'id' in part ? [String(part.id)] : [],
    );
    const items = [captured.body.capture.id, captured.body.capture.transaction.id];
    expect(parts.length).toBeGreaterThan(7);
    for (const part of [...parts, ...items]) {
      expect([part, (await shop.get(part)).body.operations]).toEqual([part, body.operations]);
    }
  });
});

describe('cards that are not wanted', () => {
  const problemOf = async (cards: Members, cardNumber: string) => {
    const { body } = await shop.create({}, { cards });
    const { transaction } = (
      await shop.authorize(body.payment.id, { cardNumber, cardVerificationCode: cardNumber === AMEX ? '1234' : '123' })
    ).body.authorization;
    return transaction.problem?.type.split('/').at(-1) ?? transaction.state;
  };

  // Visa is a debit card, Mastercard a credit card, both of persons; Amex a company's credit card.
  it.each([
    ['rejectCreditCards', [VISA], [MASTERCARD, AMEX]],
    ['rejectDebitCards', [MASTERCARD, AMEX], [VISA]],
    ['rejectConsumerCards', [AMEX], [VISA, MASTERCARD]],
    ['rejectCorporateCards', [VISA, MASTERCARD], [AMEX]],
  ])('%s', async (flag, taken, refused) => {
    for (const number of taken) expect(await problemOf({ [flag]: true }, number)).toBe('Completed');
    for (const number of refused) expect(await problemOf({ [flag]: true }, number)).toBe('carddeclined');
    for (const number of refused) expect(await problemOf({ [flag]: false }, number)).toBe('Completed');
  });
});

describe('a request', () => {
  it('may have unknown members', async () => {
    const answer = await kontor.send('POST', '/psp/creditcard/payments', {
      body: {
        payment: {
          operation: 'Purchase',
          currency: 'SEK',
          prices: [{ type: 'CREDITCARD', amount: 10, colour: 'blue' }],
          urls: { spare: 'not an address' },
          payeeInfo: { spare: 1 },
          spare: { deep: [] },
        },
        creditCard: { spare: true },
        spare: 'x',
      },
    });
    expect(answer.status).toBe(200);
    const shown = (await kontor.send('GET', `${answer.body.payment.id}?$expand=prices,urls,payeeInfo`)).text;
    expect(shown).not.toMatch(/spare|colour/);
  });

  it.each([
    ['VISA', VISA],
    ['mastercard', MASTERCARD],
    ['creditcard', AMEX],
  ])('names a price without regard to case: %s', async (type, cardNumber) => {
    const id = await made({ prices: [{ type, amount: 40, vatAmount: 10 }] });
    const { body } = await shop.authorize(id, {
      cardNumber,
      cardVerificationCode: cardNumber === AMEX ? '1234' : '123',
    });
    expect(body.authorization.transaction).toMatchObject({ state: 'Completed', amount: 40, vatAmount: 10 });
  });

  it.each([
    ['callbackUrl', 'https://shop.example/told', 200],
    ['completeUrl', 'http://localhost:8080/done#top', 200],
    ['termsOfServiceUrl', 'https://shop.example/terms?of=service', 200],
    ['completeUrl', 'https://shop.example:70000/', 400],
    ['completeUrl', 'https:shop.example', 400],
    ['completeUrl', 'https:/shop.example', 400],
    ['completeUrl', 'https:///shop.example', 400],
    ['completeUrl', 'https:\\\\shop.example', 400],
    ['completeUrl', 'https://shop.example\\@other.example/', 400],
    ['completeUrl', ' https://shop.example/', 400],
    ['completeUrl', 'ht\ntps://shop.example/', 400],
    ['completeUrl', 'https://shop.example/a b', 400],
    ['cancelUrl', '//shop.example/cancelled', 400],
    ['paymentUrl', 'data:text/html,x', 400],
    ['termsOfServiceUrl', 'ftp://shop.example/terms', 400],
    ['cancelUrl', 'https://user@shop.example/', 400],
  ])('has a %s of %s: %i', async (name, address, status) => {
    const answer = await shop.create({ urls: { [name]: address } });
    expect(answer.status, answer.text).toBe(status);
    if (status === 400) expect(answer.body.problems).toMatchObject([{ name: `payment.urls.${name}` }]);
  });

  it('of a Verify may name an intent, which is ignored', async () => {
    const { body } = await shop.create({ ...VERIFY, intent: 'AutoCapture' });
    expect(body.payment.intent).toBeUndefined();
    await shop.verify(body.payment.id);
    expect(relsOf(await shop.get(body.payment.id))).toEqual(['paid-payment']);
  });
});

it('the job ends what was not paid in its time, tells of it, and keeps no card', async () => {
  const [unpaid, waiting, paid] = [await made(), await made(), await authorized()];
  await shop.authorize(waiting, { cardNumber: '4761739001010416' });
  const ids = [unpaid, waiting, paid].map((id) => `'${uuid(id)}'`).join();
  await kontor.database.asAdmin(`update card_payment set expires_at = created_at where payment_id in (${ids})`);
  const stored = (id: string) =>
    kontor.database.asAdmin(`select state, abort_reason as reason from card_payment where payment_id = '${uuid(id)}'`);
  await until(async () => (await stored(waiting))[0]?.['state'] === 'Aborted');
  await until(async () => (await stored(unpaid))[0]?.['state'] === 'Aborted');
  expect(await stored(waiting)).toEqual([{ state: 'Aborted', reason: 'Expired' }]);
  expect(await stored(paid)).toEqual([{ state: 'Ready', reason: null }]);
  const events = await kontor.database.asAdmin(
    `select type from event where resource_id = '${uuid(waiting)}' order by resource_sequence`,
  );
  expect(events.map(({ type }) => type)).toEqual([
    'card-payment.created',
    'card-payment.authorization-failed',
    'card-payment.expired',
  ]);
  await until(
    async () => (await kontor.database.asAdmin(`select from instrument where masked like '476173%'`)).length === 0,
  );
}, 30_000);
