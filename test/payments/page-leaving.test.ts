import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptIn, type PayPage, payPage, stateIn, TYPED } from '../support/payer/pay-page.ts';
import { expire } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, MASTERCARD, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

/** An issuer says yes to it, but only after seconds. */
const APPROVED_SLOWLY = [{ type: 'CreditCard', amount: 900305 }];
const URLS = {
  hostUrls: ['https://shop.example'],
  completeUrl: 'https://shop.example/done',
  cancelUrl: 'https://shop.example/cart',
};
const AS_SCRIPT = { headers: { accept: 'application/json' } };

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const leave = async (page: PayPage, attempt?: string) =>
  page.post('/cancel', { attempt: attempt ?? attemptIn(await page.open()) });
const authorizations = async (id: string) =>
  ((await kontor.send('GET', `${id}/authorizations`)).body.authorizations?.authorizationList ?? []).map(
    ({ transaction }: { transaction: { state: string; problem?: { type: string } } }) =>
      transaction.problem?.type.split('/').at(-1) ?? transaction.state,
  );

/** A page whose card is being tried, and the end of that. */
async function trying(members: object = {}): Promise<{ page: PayPage; tried: Promise<unknown> }> {
  const page = await payPage(kontor, { prices: APPROVED_SLOWLY, urls: URLS, ...members });
  const tried = page.pay();
  await until(async () => (await page.open({ below: '/state' })).body.state === 'pending');
  return { page, tried };
}

describe('cancel', () => {
  it('leads back to the payee where nothing is under way, and the same link can be paid later', async () => {
    const page = await payPage(kontor, { urls: URLS });
    expect(await page.leadsTo(await leave(page))).toBe(URLS.cancelUrl);
    expect(await page.leadsTo(await leave(page))).toBe(URLS.cancelUrl);
    expect(await authorizations(page.id)).toEqual([]);
    expect(await page.leadsTo(await page.pay())).toBe(URLS.completeUrl);
  });

  it('shows what becomes of a try that runs, in place of the way back', async () => {
    const { page, tried } = await trying();
    expect(await page.leadsTo(await leave(page))).toBe(page.path);
    expect((await page.post('/cancel', {}, AS_SCRIPT)).body).toEqual({ outcome: 'Go', url: page.path });
    expect(stateIn(await page.open())).toBe('pending');
    await tried;
    expect(stateIn(await page.open())).toBe('paid');
    expect(await page.leadsTo(await leave(page))).toBe(page.path);
    expect(await authorizations(page.id)).toEqual(['Completed']);
  });

  it('outruns a form that is still on its way: it is no try any more, and a new one is', async () => {
    const page = await payPage(kontor, { urls: URLS });
    const attempt = attemptIn(await page.open());
    expect(await page.leadsTo(await leave(page, attempt))).toBe(URLS.cancelUrl);
    const late = await page.post('', { ...TYPED, attempt });
    expect(await page.leadsTo(late)).toBe(page.path);
    expect(await authorizations(page.id)).toEqual([]);
    expect(await page.leadsTo(await page.pay())).toBe(URLS.completeUrl);
  });

  it('at the same moment as the form is one of both, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const page = await payPage(kontor, { urls: URLS });
      const attempt = attemptIn(await page.open());
      const [, left] = await Promise.all([page.post('', { ...TYPED, attempt }), leave(page, attempt)]);
      const isCharged = (await authorizations(page.id)).length > 0;
      expect(await page.leadsTo(left)).toBe(isCharged ? page.path : URLS.cancelUrl);
    }
  });

  it('gives up an authentication that waits, so that nothing can be charged behind the payer’s back', async () => {
    const page = await payPage(kontor, { urls: URLS });
    await page.pay({ number: VISA_WITH_3D_SECURE });
    expect(stateIn(await page.open())).toBe('authentication');
    expect(await page.leadsTo(await leave(page))).toBe(URLS.cancelUrl);
    // A window that was left open on the challenge.
    expect(await page.leadsTo(await page.confirm('Approved'))).toBe(page.path);
    expect(await authorizations(page.id)).toEqual(['3dsecureusercancelled']);
    const sealed = await kontor.database.asAdmin(
      `select from card_transaction where payment_id = '${page.id.split('/').at(-1)}' and instrument_id is not null`,
    );
    expect(sealed).toEqual([]);
    expect(await page.leadsTo(await page.pay({ number: MASTERCARD }))).toBe(URLS.completeUrl);
  });

  it('that comes after the approval of the authentication finds it paid', async () => {
    const page = await payPage(kontor, { urls: URLS, prices: APPROVED_SLOWLY });
    await page.pay({ number: VISA_WITH_3D_SECURE });
    const approving = page.confirm('Approved');
    await until(async () => (await page.open({ below: '/state' })).body.state === 'pending');
    expect(await page.leadsTo(await leave(page))).toBe(page.path);
    expect(await page.leadsTo(await page.confirm('Cancelled'))).toBe(page.path);
    await approving;
    expect(stateIn(await page.open())).toBe('paid');
  });

  it('answers a script where to go, and what the form is called from now on', async () => {
    const page = await payPage(kontor, { urls: URLS });
    const below = { below: '/frame' };
    const attempt = attemptIn(await page.open(below));
    const { body } = await page.post('/frame/cancel', { attempt }, AS_SCRIPT);
    expect(body).toEqual({ outcome: 'Left', url: URLS.cancelUrl, attempt: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect((await page.open(below)).text).toContain(`action="${page.path}/frame/cancel" target="_top"`);
  });

  it('has no place to lead to where the payee names none', async () => {
    const page = await payPage(kontor);
    expect((await page.open()).text).not.toContain('id="leave"');
    expect(await page.leadsTo(await page.post('/cancel', {}))).toBe(page.path);
  });

  it('shows how it ended where it has ended', async () => {
    const page = await payPage(kontor, { urls: URLS });
    await cardPaymentsShop(kontor).abort(page.id);
    expect(await page.leadsTo(await leave(page))).toBe(page.path);
  });
});

describe('while a try runs', () => {
  it('neither an abort nor the end of its time stops it, nor does another form', async () => {
    const { page, tried } = await trying();
    expect(await cardPaymentsShop(kontor).abort(page.id)).toMatchObject({ status: 403 });
    await expire(kontor, page);
    expect(stateIn(await page.open())).toBe('pending');
    // It waits with the first one, and finds the payment paid.
    expect(await page.leadsTo(await page.post('', { ...TYPED, number: MASTERCARD }))).toBe(page.path);
    await tried;
    expect(stateIn(await page.open())).toBe('paid');
    expect(await authorizations(page.id)).toEqual(['Completed']);
  });

  it('the page shows nothing that could be pressed but to look again, in every language', async () => {
    const { page, tried } = await trying();
    for (const locale of ['nb-NO', 'fi-FI']) {
      const { text } = await page.open({ query: `?language=${locale}` });
      expect(text).not.toMatch(/<form|<button/);
    }
    await tried;
  });
});
