import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payPage, stateIn, TYPED } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, MASTERCARD, VISA, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const URLS = { completeUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/cancelled' };
/** A purchase whose amount has this outcome. */
const costing = (amount: number) => ({ prices: [{ type: 'CreditCard', amount }] });

describe('the page of a payment', () => {
  it('is paid by a form, and leads to the payee', async () => {
    const page = await payPage(kontor, { urls: URLS });
    expect(await page.open()).toMatchObject({ status: 200 });
    const answer = await page.pay();
    expect(answer).toMatchObject({ status: 303, text: '' });
    expect(await page.leadsTo(answer)).toBe(URLS.completeUrl);
    expect((await page.payment()).body.payment).toMatchObject({ state: 'Ready', amount: 1500 });
    const after = await page.open();
    expect(stateIn(after)).toBe('paid');
    expect(after.text).toContain(URLS.completeUrl);
    expect(after.text).not.toContain('<form');
  });

  it('keeps for its script what the browser asked for it with, as banks are told that', async () => {
    const page = await payPage(kontor);
    const { text } = await page.open({ headers: { accept: 'text/html,"x">;q=0.9' } });
    expect(text).toContain('data-accept="text/html,&quot;x&quot;&gt;;q=0.9"');
    await page.pay();
    expect((await page.open({ headers: { accept: 'text/html' } })).text).not.toContain('data-accept');
  });

  it('stays where it is when the payee names no address', async () => {
    const page = await payPage(kontor);
    const answer = await page.pay();
    expect(answer.headers.get('location')).toBe(page.path);
    expect(stateIn(await page.open())).toBe('paid');
  });

  it('says in the payer’s words why a card was declined, and keeps what may be kept', async () => {
    const page = await payPage(kontor, { ...costing(900361), language: 'en-US' });
    const answer = await page.pay();
    expect(answer.status).toBe(200);
    expect(stateIn(answer)).toBe('declined');
    expect(answer.text).toContain('There is not enough money on the card.');
    expect(answer.text).toContain('You have 2 tries left.');
    expect(answer.text).not.toContain('acquirer');
    expect(answer.text).toContain('value="12/39"');
    expect(answer.text).toContain('value="Olivia Nyhuus"');
    expect(answer.text).not.toMatch(/name="(number|cvc)"[^>]*value=/);
    expect(stateIn(await page.open())).toBe('declined');
    await page.pay();
    const last = await page.pay();
    expect(last).toMatchObject({ status: 303 });
    expect(stateIn(await page.open())).toBe('failed');
  });

  it('is declined for good at the payee', async () => {
    const page = await payPage(kontor, { ...costing(900351), urls: URLS });
    await page.pay();
    await page.pay();
    expect(await page.leadsTo(await page.pay())).toBe(URLS.completeUrl);
  });

  it('waits while the outcome is not known', async () => {
    const page = await payPage(kontor);
    const settle = (unsettled: number) =>
      kontor.database.asAdmin(
        `update card_payment set unsettled = ${unsettled} where payment_id = '${page.id.split('/').at(-1)}'`,
      );
    await settle(1);
    const waiting = await page.open();
    expect(stateIn(waiting)).toBe('pending');
    expect(waiting.text).toContain('<noscript><meta http-equiv="refresh"');
    expect(waiting.text).not.toContain('<form');
    expect((await page.open({ below: '/state' })).body).toEqual({ state: 'pending' });
    await settle(0);
    expect((await page.open({ below: '/state' })).body).toEqual({ state: 'ready' });
  });

  it('tells a payer whose bank did not answer that nothing was charged, once it was taken back', async () => {
    const page = await payPage(kontor, { ...costing(900304), language: 'en-US' });
    await page.pay();
    await until(async () => stateIn(await page.open()) === 'declined');
    expect((await page.open()).text).toContain('The bank could not be reached. You have not been charged.');
  });

  it('shows an abort', async () => {
    const page = await payPage(kontor);
    await cardPaymentsShop(kontor).abort(page.id);
    expect(stateIn(await page.open())).toBe('aborted');
    expect((await page.pay()).headers.get('location')).toBe(page.path);
  });

  it('verifies a card without an amount', async () => {
    const page = await payPage(kontor, { operation: 'Verify', prices: undefined, intent: undefined });
    const { text } = await page.open();
    expect(text).not.toContain('class="amount"');
    expect(await page.pay()).toMatchObject({ status: 303 });
    expect((await kontor.send('GET', `${page.id}/verifications`)).body.verifications.verificationList).toHaveLength(1);
  });
});

describe('3-D Secure', () => {
  const number = VISA_WITH_3D_SECURE;

  it('is passed on a page of its own, also later', async () => {
    const page = await payPage(kontor, { urls: URLS });
    const answer = await page.pay({ number });
    expect(answer.headers.get('location')).toBe(`${page.path}/challenge`);
    const waiting = await page.open();
    expect(stateIn(waiting)).toBe('authentication');
    expect(waiting.text).toContain(`${page.path}/authenticate`);
    expect(stateIn(await page.open({ below: '/challenge' }))).toBe('leading');
    const done = await page.confirm('Approved');
    expect(await page.leadsTo(done)).toBe(URLS.completeUrl);
    expect(stateIn(await page.open())).toBe('paid');
  });

  it('has its address with the transaction', async () => {
    const page = await payPage(kontor);
    const { body } = await cardPaymentsShop(kontor).authorize(page.id, { cardNumber: number });
    expect(body.authorization.transaction.operations).toEqual([
      {
        method: 'GET',
        rel: 'redirect-authentication',
        href: `${kontor.baseUrl}${page.path}/challenge`,
        contentType: 'text/html',
      },
    ]);
  });

  it.each([
    ['Declined', 'could not confirm'],
    ['Cancelled', 'You left the confirmation'],
  ] as const)('%s: the payer may try again', async (verdict, words) => {
    const page = await payPage(kontor, { urls: URLS, language: 'en-US' });
    await page.pay({ number });
    const answer = await page.confirm(verdict);
    expect(answer.headers.get('location')).toBe(page.path);
    const after = await page.open();
    expect(stateIn(after)).toBe('declined');
    expect(after.text).toContain(words);
    expect(await page.pay({ number: MASTERCARD })).toMatchObject({ status: 303 });
  });

  it('is left for another card', async () => {
    const page = await payPage(kontor);
    await page.pay({ number });
    await page.pay({ number: VISA });
    expect(stateIn(await page.open())).toBe('paid');
    expect((await page.confirm('Approved')).headers.get('location')).toBe(page.path);
  });

  it('costs a try where it is left, and the page says so; after the last one there is no other card', async () => {
    const page = await payPage(kontor, { language: 'en-US' });
    await page.pay({ number });
    expect((await page.open()).text).toContain('With another card, this try is over. You have 2 tries left.');
    await page.pay({ number });
    expect((await page.open()).text).toContain('With another card, this try is over. You have one try left.');
    await page.pay({ number });
    const last = await page.open();
    expect(stateIn(last)).toBe('authentication');
    expect(last.text).toContain('This is your last try, so no other card can be used.');
    expect(last.text).not.toContain('id="pay"');
    await page.pay({ number: VISA });
    expect(stateIn(await page.open())).toBe('failed');
  });

  it('can be finished with the last try', async () => {
    const page = await payPage(kontor);
    for (const _ of [1, 2, 3]) await page.pay({ number });
    await page.confirm('Approved');
    expect(stateIn(await page.open())).toBe('paid');
  });
});

it('asks again for what is wrong, in the language of the payment', async () => {
  const page = await payPage(kontor, { language: 'sv-SE' });
  const answer = await page.pay({ ...TYPED, number: '4925000000000005', cvc: '12' });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('Det här är inget giltigt kortnummer.');
  expect(answer.text).toContain('href="#cvc"');
  expect(answer.text).not.toContain('4925000000000005');
});
