import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Issuers } from '../../src/issuers/issuers.types.ts';
import { composePayments } from '../../src/payments/compose.ts';
import type { Service } from '../../src/wiring/service.ts';
import { stateIn } from '../support/payer/pay-page.ts';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { serverOf } from '../support/prober/routes-server.ts';

let kontor: ProductionService;
/** The same installation with an acquirer, on a port of its own. */
let acquiring: { readonly baseUrl: string; stop(): Promise<void> };
beforeAll(async () => {
  kontor = await productionService();
  acquiring = await startAcquiring(kontor.service);
});
afterAll(async () => {
  await acquiring.stop();
  await kontor.stop();
});

async function startAcquiring(service: Service, hasRoute: Issuers['hasRoute'] = () => true): Promise<typeof acquiring> {
  const { config, database, cardPayments } = service;
  const issuers = { ...service.accounts.issuers, hasRoute };
  const payments = composePayments({ ...cardPayments, issuers, config, database });
  const { app } = await serverOf({
    config,
    service: { ...service, slices: { ...service.slices, payments } },
    baseUrl: kontor.baseUrl,
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl, stop: () => app.close() };
}

const PURCHASE = { operation: 'Purchase', currency: 'NOK', prices: [{ type: 'CreditCard', amount: 100 }] };

async function ask(path: string, { baseUrl = kontor.baseUrl, ...init }: RequestInit & { baseUrl?: string } = {}) {
  const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function create(payment: object, { baseUrl = kontor.baseUrl, headers = {} } = {}) {
  return ask('/psp/creditcard/payments', {
    baseUrl,
    method: 'POST',
    headers: { authorization: `Bearer ${kontor.accessToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ payment }),
  });
}

const linkIn = (text: string) => /"href":"[^"]*?(\/pay\/[^"]+)"/.exec(text)?.[1] ?? 'none';

it('in production a payer is left unauthenticated only where an agreement says so', async () => {
  const agreed = { allowNo3DSecure: false };
  const { config, database, cardPayments, accounts, slices } = kontor.service;
  const routesOf = () => [{ agreement: agreed }] as never;
  const issuers = { ...accounts.issuers, hasRoute: () => true, routesOf };
  const payments = composePayments({ ...cardPayments, issuers, config, database });
  const { app } = await serverOf({
    config,
    service: { ...kontor.service, slices: { ...slices, payments } },
    baseUrl: kontor.baseUrl,
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const create = (creditCard: object, members: object = {}) =>
    ask('/psp/creditcard/payments', {
      baseUrl,
      method: 'POST',
      headers: { authorization: `Bearer ${kontor.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ payment: { ...PURCHASE, ...members }, creditCard }),
    });
  const refused = await create({ no3DSecure: true });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('creditCard.no3DSecure');
  expect((await create({ no3DSecure: false })).status).toBe(200);
  agreed.allowNo3DSecure = true;
  expect((await create({ no3DSecure: true })).status).toBe(200);
  expect((await create({ no3DSecure: true }, { generatePaymentToken: true })).status).toBe(200);
  // None allows it where the payer agrees to be charged later.
  for (const type of ['Recurrence', 'Unscheduled', 'TransactionOnFile']) {
    const mandate = { [`generate${type}Token`]: true };
    const { status, text } = await create({ no3DSecure: true }, mandate);
    expect([type, status, text]).toEqual([type, 400, expect.stringContaining('the payer must authenticate')]);
    expect((await create({ no3DSecure: false }, mandate)).status).toBe(200);
  }
  await app.close();
});

it('in production a page has no ribbon, no test cards and no challenge of ours', async () => {
  const { baseUrl } = acquiring;
  const link = linkIn((await create(PURCHASE, { baseUrl })).text);
  const page = await ask(link, { baseUrl });
  expect(stateIn(page)).toBe('ready');
  expect(page.text).toContain('<span class="merchant">Shop</span>');
  expect(page.text).not.toMatch(/id="(sandbox|test-cards)"/);
  expect((await ask(`${link}/challenge`, { baseUrl })).headers.get('location')).toBe(link);
});

it('a page shows the brands that the agreements of its payee take, and no others', async () => {
  const { baseUrl, stop } = await startAcquiring(
    kontor.service,
    (_payeeId, { brand }) => brand === undefined || ['Visa', 'JCB'].includes(brand),
  );
  const { text } = await ask(linkIn((await create(PURCHASE, { baseUrl })).text), { baseUrl });
  const marks = /<span class="marks">(.*?)<\/span>/.exec(text)?.[1] ?? '';
  expect([...marks.matchAll(/data-brand="(\w+)"/g)].map(([, brand]) => brand)).toEqual(['Visa', 'JCB']);
  await stop();
});

it.each([
  ['Purchase', PURCHASE],
  ['Verify', { operation: 'Verify', currency: 'NOK' }],
])('without an acquirer a %s is refused before there is a page, and nothing is made', async (_, payment) => {
  const before = await count();
  const { status, text } = await create(payment);
  expect({ status, body: JSON.parse(text) }).toMatchObject({
    status: 422,
    body: {
      type: expect.stringMatching(/\/errordetail\/noacquirer$/),
      detail: 'No acquirer is agreed for NOK. The operator adds one.',
      problems: [{ name: 'payment.currency', description: 'No acquirer is agreed for NOK. The operator adds one.' }],
    },
  });
  expect(await count()).toEqual(before);
});

it('a payment that was made while there was an acquirer is answered again, and has no page for its card', async () => {
  const headers = { 'idempotency-key': 'made-before' };
  const made = await create(PURCHASE, { baseUrl: acquiring.baseUrl, headers });
  const again = await create(PURCHASE, { headers });
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await ask(linkIn(made.text))).status).toBe(404);
  // The reference stays free where the payment was refused.
  expect((await create(PURCHASE, { headers: { 'idempotency-key': 'refused-before' } })).status).toBe(422);
  const later = await create(PURCHASE, {
    baseUrl: acquiring.baseUrl,
    headers: { 'idempotency-key': 'refused-before' },
  });
  expect(later.status).toBe(200);
});

async function count() {
  const text = 'select (select count(*) from card_payment) as payments, (select count(*) from audit) as changes';
  const { rows } = await kontor.service.database.read({ name: 'count-payments', text }, []);
  return rows;
}
