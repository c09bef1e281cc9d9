import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateIn } from '../support/pay-page.ts';
import { type ProductionService, productionService } from '../support/routes-production.ts';

let kontor: ProductionService;
beforeAll(async () => {
  kontor = await productionService();
});
afterAll(() => kontor.stop());

it('in production a page has no ribbon, no test cards and no challenge of ours', async () => {
  const { baseUrl, accessToken } = kontor;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const made = await ask('/psp/creditcard/payments', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      payment: { operation: 'Purchase', currency: 'NOK', prices: [{ type: 'CreditCard', amount: 100 }] },
    }),
  });
  const link = /"href":"[^"]*?(\/pay\/[^"]+)"/.exec(made.text)?.[1] ?? 'none';
  const page = await ask(link);
  expect(stateIn(page)).toBe('ready');
  expect(page.text).toContain('<span class="merchant">Shop</span>');
  expect(page.text).not.toMatch(/id="(sandbox|test-cards)"/);
  expect((await ask(`${link}/challenge`)).headers.get('location')).toBe(link);
});
