import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, type OpenedAccount, type Paid, paid } from '../support/shop/accounts-shop.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';
import { type Browser, signedIn } from '../support/shop/portal.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

let kontor: TestService;
let shop: AccountsShop;
let cardPayments: CardPaymentsShop;
let cards: CardShop;
let browser: Browser;
let account: OpenedAccount;
let payment: Paid;
let cardPaymentId: string;
let here: string;

/** What a page must never run. */
const SCRIPT = '<script>alert(1)</script>';

beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  cardPayments = cardPaymentsShop(kontor);
  cards = cardShop(kontor);
  browser = await signedIn(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
  account = await shop.open(10_000);
  const made = await shop.pay('authorize', account, { amount: 900, description: SCRIPT });
  payment = paid(account, made);
  await shop.follow('capture', payment, { amount: 400 });
  await shop.follow('reversal', payment, { amount: 100 });
  await shop.pay('purchase', account, { amount: 50_000 });
  const id = await cardPayments.purchase(1500, {
    payeeInfo: { payeeReference: 'shop-ref-1', orderReference: '=1+1' },
  });
  await cardPayments.authorize(id);
  await cardPayments.follow(id, 'captures', { amount: 1500, vatAmount: 0, description: 'All' });
  cardPaymentId = id.slice(id.lastIndexOf('/') + 1);
});
afterAll(() => kontor.stop());

const get = async (path: string) => {
  const answer = await browser.get(`${here}${path}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
};

describe('payments', () => {
  test('of both families are in one list, newest first, with what is left of them', async () => {
    const { payments, next } = await get('/payments');
    expect(next).toBeNull();
    expect(payments.map(({ family }: { family: string }) => family)).toEqual(['card', 'account', 'account']);
    expect(payments[0]).toMatchObject({
      paymentId: cardPaymentId,
      kind: 'Purchase',
      state: 'Captured',
      currency: 'SEK',
      amount: 1500,
      captured: 1500,
      remaining: { capture: 0, cancel: 0, reversal: 1500 },
      reference: 'shop-ref-1',
      orderReference: '=1+1',
      masked: '492500******0004',
      accountId: null,
      address: `${kontor.baseUrl}/psp/creditcard/payments/${cardPaymentId}`,
    });
    expect(payments[1]).toMatchObject({ state: 'Failed', amount: 50_000, remaining: { capture: 0 } });
    expect(payments[1].problem).toMatch(/^[a-z]+$/);
    expect(payments[2]).toMatchObject({
      paymentId: payment.paymentId,
      number: null,
      state: 'PartlyCaptured',
      amount: 900,
      captured: 400,
      reversed: 100,
      remaining: { capture: 500, cancel: 500, reversal: 300 },
      accountId: account.paymentAccountId,
    });
  });

  test('are at the address that the list names, for a signed request', async () => {
    const { payments } = await get('/payments?state=Succeeded');
    expect(payments.map(({ family }: { family: string }) => family)).toEqual(['card', 'account']);
    for (const { address } of payments) expect((await kontor.send('GET', address)).status).toBe(200);
  });

  test('are counted, and found by their references', async () => {
    expect(await get('/payment-count?state=Failed')).toEqual({ count: 1, isMore: false });
    const found = await get(`/payments?search=${payment.paymentOrderRef}`);
    expect(found.payments).toHaveLength(1);
  });

  test('are downloaded as a table that no program for tables runs', async () => {
    const answer = await browser.get(`${here}/payments.csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const [heading = '', ...lines] = answer.text.trimEnd().split('\n');
    expect(heading.split(',').slice(0, 9)).toEqual([
      'createdAt',
      'paymentId',
      'family',
      'number',
      'kind',
      'state',
      'currency',
      'amountMinor',
      'amount',
    ]);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(',1500,15.00,1500,15.00,');
    expect(lines[0]).toContain(",'=1+1,");
  });

  test('tell their story: calls, people, transactions, movements', async () => {
    const { payment: shown, transactions, timeline } = await get(`/payments/${payment.paymentId}`);
    expect(shown.paymentId).toBe(payment.paymentId);
    expect(transactions.map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['Capture', 400],
      ['Reversal', 100],
    ]);
    const moved = timeline.filter(({ kind }: { kind: string }) => kind === 'movement');
    expect(moved.map(({ title, amount }: { title: string; amount: number }) => [title, amount])).toEqual([
      ['Authorize', 900],
      ['Capture', 400],
      ['Reversal', 100],
    ]);
    for (const { entries } of moved) {
      expect(entries.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(0);
    }
    const acts = timeline.filter(({ kind }: { kind: string }) => kind === 'act');
    expect(acts.map(({ title }: { title: string }) => title)).toEqual([
      'authorize-payment',
      'capture-payment',
      'reversal-payment',
    ]);
    const times = timeline.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort());
  });

  test('name the person who did something to them', async () => {
    const { accessToken, hmac } = (await browser.post(`${here}/session-credentials`)).body;
    const made = paid(account, await shop.pay('authorize', account, { amount: 5 }));
    const path = `/api/payments/payment-account/${account.paymentAccountId}/payment/${made.paymentId}/cancel`;
    const body = { paymentOrderRef: made.paymentOrderRef, paymentTransactionRef: 'cancelled-by-a-person' };
    expect((await kontor.send('POST', path, { accessToken, hmac, body })).status).toBe(200);
    const { timeline } = await get(`/payments/${made.paymentId}`);
    const { name } = (await browser.get('/portal/api/session')).body;
    expect(timeline).toContainEqual(expect.objectContaining({ title: 'cancel-payment', actorName: name }));
  });
});

describe('the ledger', () => {
  test('shows accounts, their running balance, and what was on them at an instant', async () => {
    const { accounts } = await get('/ledger/accounts?kind=StoredValue');
    expect(accounts.length).toBeGreaterThan(1);
    const name = `/ledger/accounts/${account.paymentAccountId}`;
    const { entries } = await get(`${name}/entries`);
    expect(entries.at(-1)).toMatchObject({ sequence: 1, kind: 'Opening', side: 'Available', amount: 10_000 });
    let present = 0;
    for (const { side, amount, balance } of [...entries].reverse()) {
      if (side !== 'Available') continue;
      present += amount;
      expect(balance).toBe(present);
    }
    const then = entries.find(({ kind }: { kind: string }) => kind === 'Authorize').happenedAt;
    const held = entries.filter(({ happenedAt }: { happenedAt: string }) => happenedAt <= then);
    const expected = (bucket: string) => held.find(({ side }: { side: string }) => side === bucket)?.balance ?? 0;
    expect(await get(`${name}?asOf=${then}`)).toMatchObject({
      asOf: then,
      available: expected('Available'),
      held: expected('Held'),
    });
    expect(await get(`${name}?asOf=2020-01-01T00:00:00Z`)).toMatchObject({ available: 0, held: 0 });
  });

  test('pages through entries, each once', async () => {
    const name = `/ledger/accounts/${account.paymentAccountId}/entries`;
    const { entries } = await get(name);
    const first = await get(`${name}?limit=2`);
    const second = await get(`${name}?limit=2&cursor=${first.next}`);
    expect([...first.entries, ...second.entries]).toEqual(entries.slice(0, 4));
    const csv = await browser.get(`${here}${name}.csv`);
    expect(csv.text.trimEnd().split('\n')).toHaveLength(entries.length + 1);
  });

  test('shows movements whose entries sum to zero, and of one kind', async () => {
    const { movements } = await get('/ledger/movements');
    for (const { entries } of movements) {
      expect(entries.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(0);
    }
    const { movements: captures } = await get('/ledger/movements?kind=Capture');
    expect(captures.map(({ kind }: { kind: string }) => kind)).toEqual(['Capture', 'Capture']);
    expect((await get(`/ledger/movements/${captures[0].movementId}`)).movement).toEqual(captures[0]);
    const csv = await browser.get(`${here}/ledger/movements.csv?kind=Capture`);
    expect(csv.text.trimEnd().split('\n')).toHaveLength(5);
  });

  test('says when the books were last checked', async () => {
    expect(await get('/ledger/books')).toMatchObject({ broken: 0 });
  });
});

describe('gift cards', () => {
  test('are listed, found by number, and tell their story', async () => {
    const card = await cards.issue(700);
    const { giftCards } = await get('/gift-cards');
    expect(giftCards[0]).toMatchObject({ accountId: card.paymentAccountId, state: 'Active', available: 700, held: 0 });
    await cards.step('block', card);
    const found = await browser.post(`${here}/gift-cards/find`, { accountKey: card.accountKey });
    expect(found.body.giftCards[0]).toMatchObject({ accountId: card.paymentAccountId, state: 'Blocked' });
    expect(found.text).not.toContain(card.accountKey);
    expect((await get('/gift-cards?state=Blocked')).giftCards).toEqual(found.body.giftCards);
    const { steps, entries } = await get(`/gift-cards/${card.paymentAccountId}`);
    expect(steps.map(({ step }: { step: string }) => step)).toEqual(['Issue', 'Block']);
    expect(entries).toHaveLength(1);
    const none = await browser.post(`${here}/gift-cards/find`, { accountKey: '9578100000000000' });
    expect(none.body).toEqual({ giftCards: [] });
  });
});

describe('home', () => {
  test('has the numbers of each day by currency, and why payments failed', async () => {
    const { currencies, isPartial, timeZone } = await get('/statistics');
    expect([isPartial, timeZone]).toEqual([false, 'Europe/Oslo']);
    const nok = currencies.find(({ currency }: { currency: string }) => currency === 'NOK');
    expect(nok).toMatchObject({
      ...{ volume: 0, spent: 300, paid: { payments: 2, orders: 0 }, declined: { payments: 1, orders: 0 } },
      declines: [{ attempts: 1, payments: 1, orders: 0 }],
    });
    expect(nok.days).toHaveLength(30);
    expect(nok.days.reduce((sum: number, { spent }: { spent: number }) => sum + spent, 0)).toBe(300);
    const sek = currencies.find(({ currency }: { currency: string }) => currency === 'SEK');
    expect(sek).toMatchObject({
      volume: 1500,
      captured: 1500,
      refunded: 0,
      paid: { payments: 1, orders: 0 },
      declines: [],
    });
    for (const query of ['days=0', 'days=367', 'days=1.5', 'days=', 'to=2026-02-30', 'to=today']) {
      expect([query, (await browser.get(`${here}/statistics?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test('knows what is done and what is to be done', async () => {
    expect(await get('/getting-started')).toEqual({
      hasAccessToken: true,
      hasCall: true,
      hasPayment: true,
      hasCapture: true,
      hasWebhook: false,
    });
    expect(await get('/webhook-rates')).toEqual({ webhooks: [] });
  });
});

describe('payers', () => {
  test('are found by how their reference begins', async () => {
    await kontor.importLines(
      ['anna', 'anne', 'bo'].map((payerReference, index) => cardLine(index, { payerReference })),
    );
    const { payers, next } = await get('/payers?search=ann&limit=1');
    expect(payers).toMatchObject([{ payerReference: 'anna', activeTokens: 1, archivedTokens: 0 }]);
    expect((await get(`/payers?search=ann&limit=1&cursor=${next}`)).payers).toMatchObject([{ payerReference: 'anne' }]);
  });
});

describe('saved views', () => {
  test('are those of one user, and end when they are deleted', async () => {
    const view = { name: SCRIPT, page: 'payments', query: 'state=Failed&from=2026-01-01T00%3A00%3A00Z' };
    const saved = await browser.post(`${here}/views`, view);
    expect(saved.body).toMatchObject(view);
    const answer = await browser.get(`${here}/views`);
    expect(answer.body.views).toEqual([saved.body]);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect((await (await signedIn(kontor, 'operator')).get(`${here}/views`)).body.views).toEqual([]);
    const wrong = await browser.post(`${here}/views`, { ...view, query: 'javascript:alert("1")' });
    expect(wrong.status).toBe(400);
    expect((await browser.post(`${here}/views/${saved.body.viewId}/delete`)).status).toBe(200);
    expect((await browser.post(`${here}/views/${saved.body.viewId}/delete`)).status).toBe(404);
  });
});

describe("another payee's objects", () => {
  test('are not there: not under their own payee, and not under ours', async () => {
    const other = await kontor.addPayee();
    const theirs = `/portal/api/payees/${other.payeeId}`;
    for (const path of [
      '/payments',
      '/ledger/movements',
      '/gift-cards',
      '/calls',
      '/payers',
      '/views',
      '/statistics',
    ]) {
      expect([path, (await browser.get(`${theirs}${path}`)).status]).toEqual([path, 404]);
    }
    const operator = await signedIn(kontor, 'operator');
    const { movementId } = (await get('/ledger/movements')).movements[0];
    for (const path of [
      `/payments/${payment.paymentId}`,
      `/payments/${cardPaymentId}`,
      `/ledger/accounts/${account.paymentAccountId}`,
      `/ledger/accounts/${account.paymentAccountId}/entries`,
      `/ledger/movements/${movementId}`,
      `/gift-cards/${account.paymentAccountId}`,
      '/payments/none',
    ]) {
      expect([path, (await operator.get(`${theirs}${path}`)).status]).toEqual([path, 404]);
    }
    expect((await operator.get(`${theirs}/payments`)).body.payments).toEqual([]);
    expect((await operator.get(`${theirs}/payments?search=${payment.paymentId}`)).body.payments).toEqual([]);
    expect((await operator.get(`${theirs}/ledger/movements`)).body.movements).toEqual([]);
  });
});
