import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { cardShop } from '../support/shop/card-shop.ts';
import { kontor as command, settingsOf } from '../support/shop/tokens-command.ts';

const ADDRESS = '/api/payments/gift-card/liability';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
  const shop = cardShop(kontor);
  const hostile = await shop.product({ productId: 'hostile' as never, name: '=HYPERLINK("x"), "y"' });
  await shop.issue(500);
  await shop.issue(0);
  await shop.issue(250, hostile);
  // What has just been done cannot be told yet; for the database it is a day later now.
  await kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', clock_timestamp() + interval '1 day')`);
});
afterAll(() => kontor.stop());

test('over HTTP it has the sums, the instants, and a link to itself', async () => {
  const from = new Date(Date.now() - 60_000).toISOString();
  const { status, body } = await kontor.send('GET', `${ADDRESS}?from=${from}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    timeZone: 'Europe/Oslo',
    from,
    totals: [{ currency: 'NOK', amount: 750 }],
    outstanding: [
      { productId: '1000', cards: 1, amount: 500, expiring: [{ cards: 1, amount: 500 }] },
      { productId: 'hostile', cards: 1, amount: 250 },
    ],
    ages: expect.arrayContaining([
      expect.objectContaining({
        productId: '1000',
        cards: 1,
        amount: 500,
        issued: expect.stringMatching(/^\d{4}-\d\d$/),
      }),
      expect.objectContaining({ productId: 'hostile', amount: 250, expiring: expect.stringMatching(/^\d{4}-\d\d$/) }),
    ]),
    turnover: [
      { productId: '1000', cardsIssued: 2, issued: 500, spent: 0 },
      { productId: 'hostile', cardsIssued: 1, issued: 250 },
    ],
    _links: [{ rel: 'self' }, { rel: 'get-gift-card-liability' }],
    operations: [{ method: 'GET', rel: 'get-gift-card-liability' }],
  });
});

test('before the first card nothing is owed, and of tomorrow it cannot be told', async () => {
  const { body } = await kontor.send('GET', `${ADDRESS}?asOf=2026-01-01`);
  expect(body).toMatchObject({ totals: [], outstanding: [], turnover: [] });
  const future = await kontor.send('GET', `${ADDRESS}?asOf=2900-01-01`);
  expect([future.status, future.body.problems[0].name]).toEqual([400, 'asOf']);
});

test('another payee owes nothing', async () => {
  const { accessToken, hmac } = await kontor.addPayee();
  const { body } = await kontor.send('GET', ADDRESS, { accessToken, hmac });
  expect(body.totals).toEqual([]);
});

test('the command says the same, for people, as JSON and as CSV that runs nothing', async () => {
  const args = ['gift-cards', 'liability', '--payee', kontor.payeeId];
  const { stdout: words } = await command(args, settingsOf(kontor));
  expect(words).toContain('7.50 NOK');
  const { stdout: json } = await command([...args, '--json'], settingsOf(kontor));
  expect(JSON.parse(json).totals).toEqual([{ currency: 'NOK', amount: 750 }]);
  const { stdout: csv } = await command([...args, '--csv'], settingsOf(kontor));
  expect(csv).toMatch(/^currency,product,name,figure,month,cards,amount,issued\n/);
  expect(csv).toMatch(/^NOK,hostile,"'=HYPERLINK\(""x""\), ""y""",outstanding,\d{4}-\d\d,1,2\.50,$/m);
  expect(csv).toMatch(/^NOK,1000,[^,]+,issued,,2,5\.00,$/m);
  expect(csv).toMatch(/^NOK,hostile,,outstandingByIssue,\d{4}-\d\d,1,2\.50,\d{4}-\d\d$/m);
  expect(csv).toMatch(/^End: \d+ lines as of [^,]+,,,,,,,$/m);
});
