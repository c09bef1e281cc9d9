import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from './support/service.ts';
import { NO_CODE_FROM_TEXTS, type ServiceProcess, startService } from './support/service-process.ts';
import { accountsShop, paid } from './support/shop/accounts-shop.ts';
import { cardPaymentsShop } from './support/shop/card-payments-shop.ts';
import { hrefOf, ordersShop } from './support/shop/orders-shop.ts';
import { signedIn } from './support/shop/portal.ts';

let local: TestService;
/** The same, but its requests go to a process that may make no code from texts. */
let kontor: TestService;
let service: ServiceProcess;
beforeAll(async () => {
  local = await testService();
  service = await startService({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: local.database.appUrl,
    KONTOR_DATABASE_OWNER_URL: local.database.ownerUrl,
    KONTOR_DATA_DIR: local.config.dataDir,
    KONTOR_PORT: '0',
    KONTOR_METRICS_PORT: '0',
    KONTOR_LOG_LEVEL: 'warn',
  });
  const { baseUrl } = service;
  const send: TestService['send'] = (method, path, options) =>
    local.send(method, path.startsWith('http') ? path : `${baseUrl}${path}`, options);
  kontor = { ...local, baseUrl, send };
});
afterAll(async () => {
  await service?.stop();
  await local?.stop();
});

test('Node.js makes no function of a text where the service runs', () => {
  const plant = spawnSync(process.execPath, [NO_CODE_FROM_TEXTS, '-e', "new Function('return 1')"], {
    encoding: 'utf8',
  });
  expect(plant.stderr).toContain('EvalError');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  expect(scripts.start).toContain(NO_CODE_FROM_TEXTS);
});

describe('a service that may make no code from texts', () => {
  test('takes, captures and reverses account payments', async () => {
    const shop = accountsShop(kontor);
    const account = await shop.open(1000);
    const held = paid(account, await shop.pay('authorize', account, { amount: 100 }));
    expect((await shop.follow('capture', held, { amount: 100 })).status).toBe(200);
    expect((await shop.follow('reversal', held, { amount: 40 })).status).toBe(200);
    expect(await shop.balance(account)).toBe(940);
  });

  test('takes card payments and payment orders, and shows the page', async () => {
    const cards = cardPaymentsShop(kontor);
    expect((await cards.authorize(await cards.purchase(100))).status).toBe(200);
    const made = await ordersShop(kontor).create();
    expect(made.status, made.text).toBe(200);
    expect((await fetch(hrefOf(made, 'redirect-'))).status).toBe(200);
  });

  test('signs people in and lists what there is', async () => {
    const browser = await signedIn(kontor);
    const { payeeId } = kontor;
    for (const list of ['payments', 'activity', 'users']) {
      const { status, text } = await browser.get(`/portal/api/payees/${payeeId}/${list}`);
      expect(status, `${list}: ${text}`).toBe(200);
    }
  });

  test('refuses wrong bodies, and addresses and methods that there are not', async () => {
    const path = '/psp/paymentorders';
    const wrong = await kontor.send('POST', path, { body: { paymentorder: { amount: 'many', payeeInfo: 1 } } });
    expect(wrong.body.problems.length).toBeGreaterThan(2);
    expect((await kontor.send('DELETE', path)).status).toBe(405);
    expect((await kontor.send('GET', '/psp/nowhere')).status).toBe(404);
    for (const open of ['/', '/docs', '/openapi.json', '/errordetail/inputerror', '/portal', '/health/ready']) {
      expect((await fetch(`${kontor.baseUrl}${open}`)).status, open).toBe(200);
    }
  });

  test('has logged no error', () => {
    expect(service.output().toString()).not.toMatch(/EvalError|"level":(50|"error")/);
  });
});
