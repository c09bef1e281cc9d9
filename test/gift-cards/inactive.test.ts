import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { searchGiftCards } from '../../src/portal/gift-cards/browse-gift-cards.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference, type OpenedAccount } from '../support/shop/accounts-shop.ts';
import { type CardLife, cardLife, expectRefused } from '../support/shop/card-life.ts';
import { offered } from '../support/shop/card-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { kontor as command, settingsOf } from '../support/shop/tokens-command.ts';

// Cards that are issued to be sold later.

let kontor: TestService;
let life: CardLife;
let folder: string;
beforeAll(async () => {
  kontor = await testService();
  life = cardLife(kontor);
  folder = await mkdtemp(join(tmpdir(), 'kontor-inactive-'));
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await rm(folder, { recursive: true });
  await kontor.stop();
});

const issue = (out: string, ...words: readonly string[]) =>
  command(['gift-cards', 'issue', '--payee', kontor.payeeId, '--out', out, ...words], settingsOf(kontor));

/** Cards as they lie on a shelf. */
async function shelf(count: number): Promise<readonly OpenedAccount[]> {
  const out = join(folder, `${newReference()}.ndjson`);
  await issue(out, '--count', String(count), '--amount', '0', '--inactive');
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
const stateOf = async (card: OpenedAccount) => (await life.cards.show(card)).body.giftCard.state;
const sell = (card: OpenedAccount, amount: number) =>
  cardSeller(kontor).deposit({ accountKey: card.accountKey }, { amount, transactionRef: newReference() });

test('a card is inactive until the sale puts money on it, by either deposit', async () => {
  const [one, other] = await shelf(2);
  if (one === undefined || other === undefined) throw new Error('two cards were issued');
  expect([await stateOf(one), await stateOf(other)]).toEqual(['Inactive', 'Inactive']);
  expect((await life.spend(one, 10)).body.state).toBe('FAILED');
  const checked = async () => (await life.shop.pay('authorize', one, { amount: 0 })).body;
  expect(await checked()).toMatchObject({
    state: 'FAILED',
    problem: { type: expect.stringMatching(/acquirerinsufficientfunds$/) },
  });
  expect(offered(await life.cards.show(one))).toEqual(['block', 'void']);
  expect((await sell(one, 500)).status).toBe(200);
  expect((await checked()).state).toBe('OK');
  expect((await life.shop.pay('deposit', other, { amount: 300 })).body.state).toBe('OK');
  expect([await stateOf(one), await stateOf(other)]).toEqual(['Active', 'Active']);
  expect((await life.spend(one, 500)).body.state).toBe('OK');
  expect(await stateOf(one)).toBe('Active');
  const events = await kontor.database.asAdmin(
    `select payload ->> 'isInactive' as inactive from event where resource_id = '${one.paymentAccountId}'`,
  );
  expect(events).toEqual([{ inactive: 'true' }]);
});

test('it takes no merge, is not replaced, and can be blocked and voided', async () => {
  const [card, blocked] = await shelf(2);
  if (card === undefined || blocked === undefined) throw new Error('two cards were issued');
  const full = await life.cards.issue(100);
  const merged = await life.cards.step('merge', full, { into: card.paymentAccountId });
  expectRefused(merged, 'Merge', 'The other card has not been sold yet.');
  expectRefused(await life.cards.step('replace', card), 'Replace', 'The card has not been sold yet.');
  await life.done('block', blocked);
  expect([await stateOf(blocked), (await sell(blocked, 10)).status]).toEqual(['Blocked', 404]);
  await life.done('unblock', blocked);
  expect([await stateOf(blocked), (await sell(blocked, 10)).status]).toEqual(['Inactive', 200]);
  expect((await life.done('void', card)).body.giftCard.state).toBe('Voided');
});

test('reports count it as issued when it is sold, in the portal it is found by its state', async () => {
  const [sold, ...others] = await shelf(3);
  if (sold === undefined) throw new Error('three cards were issued');
  const from = new Date(Date.now() + 12 * 3600_000).toISOString();
  await kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', clock_timestamp() + interval '1 day')`);
  expect((await sell(sold, 700)).status).toBe(200);
  await kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', clock_timestamp() + interval '2 days')`);
  const { body } = await kontor.send('GET', `/api/payments/gift-card/liability?from=${from}`);
  expect(body.turnover).toMatchObject([{ cardsIssued: 1, issued: 700, loaded: 0 }]);
  const { rows } = await searchGiftCards(kontor.service.database.read, kontor.payeeId as PayeeId, {
    state: 'Inactive',
  });
  expect(rows.map(({ accountId }) => accountId).sort()).toEqual(others.map((card) => card.paymentAccountId).sort());
});

test('it has nothing on it', async () => {
  const refused = await issue(join(folder, 'full.ndjson'), '--count', '1', '--amount', '100', '--inactive');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('must be 0 with --inactive')]);
});
