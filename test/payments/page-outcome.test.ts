import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payPage, stateIn } from '../support/payer/pay-page.ts';
import { expire } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';

const URLS = { completeUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/cart' };
const SENT_ENCRYPTED = 'Your card details are sent encrypted';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const open = (members: object = {}, cards?: Record<string, unknown>) =>
  payPage(kontor, { language: 'en-US', urls: URLS, ...members }, cards);

type Follow = 'captures' | 'cancellations' | 'reversals';
interface Wanted {
  readonly title: string;
  readonly text: string;
  readonly amount?: string;
  readonly refunded?: string;
}

const factsIn = (text: string) =>
  [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value = '']) => [
    name,
    value
      .replace(/<[^>]+>/g, '')
      .replace(/\s/g, ' ')
      .trim(),
  ]);

describe('the page of a payment that is paid', () => {
  it.each([
    [{ orderReference: 'order-17', payeeReference: 'p-17' }, 'order-17'],
    [{ payeeReference: 'p-18' }, 'p-18'],
    [{}, undefined],
  ])('shows reference, date, means and amount: %o', async (payeeInfo, reference) => {
    const today = () => new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const days = [today()];
    const page = await open({ payeeInfo, currency: 'NOK' });
    expect((await page.open()).text).toContain(SENT_ENCRYPTED);
    await page.pay();
    const { text } = await page.open();
    const { number } = (await page.payment()).body.payment;
    // Midnight may pass meanwhile.
    days.push(today());
    expect(factsIn(text)).toEqual([
      ['Reference', reference ?? String(number)],
      ['Date', expect.toSatisfy((date: string) => days.includes(date))],
      ['Card', 'Visa •••• 0004'],
      ['Amount', 'NOK 15.00'],
    ]);
    expect(text).not.toContain(SENT_ENCRYPTED);
  });

  it('has no amount where a card was only looked at', async () => {
    const page = await open({ operation: 'Verify', prices: undefined, intent: undefined });
    await page.pay();
    const { text } = await page.open();
    expect(text).toContain('<dt>Card</dt>');
    expect(text).not.toContain('<dt>Amount</dt>');
  });
});

describe('what a payee does with a paid payment', () => {
  const COMPLETE = 'Payment complete';
  const WAYS: readonly [string, string, readonly (readonly [Follow, number])[], Wanted][] = [
    [
      'captured',
      'Authorization',
      [['captures', 1500]],
      { title: COMPLETE, text: 'You have paid NOK 15.00', amount: 'NOK 15.00' },
    ],
    [
      'given back in part',
      'AutoCapture',
      [['reversals', 400]],
      { title: COMPLETE, text: 'You have paid NOK 15.00', amount: 'NOK 15.00', refunded: 'NOK 4.00' },
    ],
    [
      'captured in part, and the rest cancelled',
      'Authorization',
      [
        ['captures', 1000],
        ['cancellations', 500],
      ],
      { title: COMPLETE, text: 'You have paid NOK 10.00', amount: 'NOK 10.00' },
    ],
    [
      'given back',
      'AutoCapture',
      [
        ['reversals', 400],
        ['reversals', 1100],
      ],
      { title: 'The payment was refunded', text: 'has refunded NOK 15.00', amount: 'NOK 15.00', refunded: 'NOK 15.00' },
    ],
    [
      'captured in part and given back, and the rest cancelled',
      'Authorization',
      [
        ['captures', 1000],
        ['cancellations', 500],
        ['reversals', 1000],
      ],
      { title: 'The payment was refunded', text: 'has refunded NOK 10.00', amount: 'NOK 10.00', refunded: 'NOK 10.00' },
    ],
    [
      'cancelled',
      'Authorization',
      [['cancellations', 1500]],
      { title: 'The payment was cancelled', text: 'has cancelled this payment. You have not been charged.' },
    ],
  ];

  it.each(WAYS)('is told to its payer: %s', async (_, intent, steps, { title, text, amount, refunded }) => {
    const page = await open({ intent, currency: 'NOK' });
    await page.pay();
    for (const [what, part] of steps) {
      const { status } = await cardPaymentsShop(kontor).follow(page.id, what, { amount: part });
      expect(status).toBe(200);
    }
    const shown = (await page.open()).text.replace(/\u00a0/g, ' ');
    expect(stateIn({ text: shown })).toBe('paid');
    expect(shown).toContain(`<h1>${title}</h1>`);
    expect(shown).toContain(text);
    expect(shown.includes(COMPLETE)).toBe(title === COMPLETE);
    const facts = new Map(factsIn(shown) as [string, string][]);
    expect([facts.get('Amount'), facts.get('Refunded')]).toEqual([amount, refunded]);
  });
});

describe('what a payer has cancelled', () => {
  it('themselves, through the payee, is told as that', async () => {
    const page = await open();
    await cardPaymentsShop(kontor).abort(page.id, 'CancelledByConsumer');
    const { text } = await page.open();
    expect(stateIn({ text })).toBe('aborted');
    expect(text).toContain('<h1>You cancelled the payment</h1>');
    expect(text).toContain(`id="back" class="primary" href="${URLS.cancelUrl}"`);
    expect(text).not.toContain(SENT_ENCRYPTED);
    const framed = await open({ urls: { ...URLS, hostUrls: ['https://shop.example'] } });
    await cardPaymentsShop(kontor).abort(framed.id, 'CancelledByConsumer');
    expect((await framed.open({ below: '/frame' })).text).toContain(
      '[&quot;canceled&quot;,{&quot;redirectUrl&quot;:&quot;https://shop.example/cart',
    );
  });

  it('by the payee is told as the payee’s', async () => {
    const page = await open();
    await cardPaymentsShop(kontor).abort(page.id, 'OutOfStock');
    expect((await page.open()).text).toContain('has cancelled this payment');
  });

  it('at the bank is no decline, neither after one try nor after the last', async () => {
    const page = await open();
    for (const _try of [1, 2, 3]) {
      expect((await page.open()).text).not.toContain('did not go through');
      await page.pay({ number: VISA_WITH_3D_SECURE });
      await page.confirm('Cancelled');
    }
    const { text } = await page.open();
    expect(stateIn({ text })).toBe('failed');
    expect(text).toContain('You left the confirmation with your bank, and there are no tries left.');
    expect(text).not.toContain('declined');
    expect(text).not.toContain(SENT_ENCRYPTED);
  });
});

describe('an expired payment', () => {
  it('says nothing of card details', async () => {
    const page = await open();
    await expire(kontor, page);
    const { text } = await page.open();
    expect(stateIn({ text })).toBe('expired');
    expect(text).not.toContain(SENT_ENCRYPTED);
  });

  it('stays expired where its payer comes back from the bank with the last try', async () => {
    const page = await open();
    for (const _try of [1, 2, 3]) await page.pay({ number: VISA_WITH_3D_SECURE });
    await expire(kontor, page);
    expect((await page.confirm('Approved')).status).toBe(303);
    expect((await page.payment()).body.payment).toMatchObject({ state: 'Aborted', amount: 0 });
    expect(stateIn(await page.open())).toBe('expired');
  });
});

describe('the marks beside the number', () => {
  const ALL = ['Visa', 'Mastercard', 'Amex', 'Dankort', 'Maestro', 'JCB', 'Diners', 'Discover', 'UnionPay'];
  const of = (type: string) => ({ type, amount: 1500 });

  it.each([
    [{}, {}, ALL],
    [{}, { rejectDebitCards: true }, ALL.filter((brand) => brand !== 'Dankort' && brand !== 'Maestro')],
    [{}, { rejectCreditCards: true }, ALL.filter((brand) => brand !== 'Amex' && brand !== 'Diners')],
    [{ prices: [of('Visa'), of('Mastercard')] }, {}, ['Visa', 'Mastercard']],
    [{ prices: [of('CreditCard'), of('Visa')] }, {}, ALL],
    [{ prices: [of('Visa'), of('Maestro')] }, { rejectDebitCards: true }, ['Visa']],
  ])('are those of cards that are taken: %o %o', async (members, cards, brands) => {
    const { text } = await (await open(members, cards)).open();
    const marks = /<span class="marks">(.*?)<\/span>/.exec(text)?.[1] ?? '';
    expect([...marks.matchAll(/data-brand="(\w+)"/g)].map(([, brand]) => brand)).toEqual(brands);
  });

  it('and a stored card that is not taken is not offered', async () => {
    const payerReference = 'maestro';
    const first = await open({ payerReference, generatePaymentToken: true });
    await first.pay({ number: '6764429999947470', consent: 'yes' });
    expect((await (await open({ payerReference })).open()).text).toContain('id="card-0"');
    expect((await (await open({ payerReference }, { rejectDebitCards: true })).open()).text).not.toContain(
      'id="card-0"',
    );
  });
});
