import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giftCardNumber } from '../../src/gift-cards/card-number.rules.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardShop } from '../support/shop/card-shop.ts';
import { signedInAs } from '../support/shop/portal.ts';
import { kontor as command, settingsOf } from '../support/shop/tokens-command.ts';

let kontor: TestService;
let folder: string;
beforeAll(async () => {
  kontor = await testService();
  folder = await mkdtemp(join(tmpdir(), 'kontor-cards-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await kontor.stop();
});

/** Takes cards of another programme over, one of them with nothing on it. */
async function importCards(balances: readonly number[]): Promise<void> {
  const path = join(folder, 'cards.ndjson');
  const lines = balances.map((balance, index) => ({
    accountKey: giftCardNumber({ numberLength: 16, numberPrefix: '95781' }, String(7_000 + index).padStart(10, '0')),
    expiryDate: '2030-06-30',
    balance,
  }));
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await command(['gift-cards', 'import', path, '--payee', kontor.payeeId], settingsOf(kontor));
}

test('imported and replaced cards are not issued: neither in the liability nor sold on the first screen', async () => {
  const shop = cardShop(kontor);
  const lost = await shop.issue(500);
  await shop.issue(0);
  await importCards([700, 0, 30]);
  expect((await shop.step('replace', lost)).status).toBe(200);
  const sold = (await (await signedInAs(kontor, 'finance')).get(`/portal/api/payees/${kontor.payeeId}/statistics`)).body
    .currencies[0].sold;
  // What has just been done cannot be told yet; for the database it is a day later now.
  await kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', clock_timestamp() + interval '1 day')`);
  const from = new Date(Date.now() - 600_000).toISOString();
  const { body } = await kontor.send('GET', `/api/payments/gift-card/liability?from=${from}`);
  expect(body.turnover).toMatchObject([
    {
      cardsIssued: 2,
      cardsImported: 3,
      cardsReplaced: 1,
      issued: 500,
      imported: 730,
      opening: 0,
      loaded: 0,
      merged: 0,
    },
  ]);
  expect(body.totals).toEqual([{ currency: 'NOK', amount: 1_230 }]);
  expect(sold).toBe(500);
  const { stdout } = await command(
    ['gift-cards', 'liability', '--payee', kontor.payeeId, '--from', from, '--csv'],
    settingsOf(kontor),
  );
  const sums = stdout
    .split('\n')
    .flatMap((line) => /,(issued|imported|replaced),,(\d+),([\d.]+),/.exec(line)?.slice(1) ?? []);
  expect(sums).toEqual(['issued', '2', '5.00', 'imported', '3', '7.30', 'replaced', '1', '0.00']);
});

test('the command names a wrong time by its own flag', async () => {
  const asked = ['gift-cards', 'liability', '--payee', kontor.payeeId, '--as-of', 'yesterday'];
  const { code, stderr } = await command(asked, settingsOf(kontor));
  expect([code, stderr.trim()]).toEqual([
    1,
    expect.stringContaining('--as-of must be an instant of ISO 8601 with its zone, or a day, YYYY-MM-DD.'),
  ]);
});
