import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import type { OpenedAccount } from '../support/shop/accounts-shop.ts';
import { cardCommand } from '../support/shop/card-command.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';

// Many cards at once: of a file, a product, days of issue, or days of expiry.

let kontor: TestService;
let cards: CardShop;
let folder: string;
let command: ReturnType<typeof cardCommand>;
beforeAll(async () => {
  kontor = await testService();
  cards = cardShop(kontor);
  command = cardCommand(kontor);
  folder = await mkdtemp(join(tmpdir(), 'kontor-many-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await kontor.stop();
});

let products = 0;
/** Some cards of a product of their own. */
async function some(...amounts: number[]) {
  products += 1;
  const productId = `many-${products}`;
  const product = await cards.product({ productId: productId as never });
  const made: OpenedAccount[] = [];
  for (const amount of amounts) made.push(await cards.issue(amount, product));
  return { productId, made };
}
const states = async (made: readonly OpenedAccount[]) =>
  Promise.all(made.map(async (card) => (await cards.show(card)).body.giftCard.state));
async function fileOf(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

test('all of a product are blocked, and unblocked, after a look at how many these are', async () => {
  const { productId, made } = await some(100, 20, 0);
  const { made: others } = await some(5);
  expect(await command.json(['block', '--product', productId, '--preview'])).toEqual({
    cards: 3,
    amounts: { NOK: 120 },
  });
  expect(await states(made)).toEqual(['Active', 'Active', 'Active']);
  expect(await command.run(['block', '--product', productId, '--preview'])).toBe(
    'It would be 3 cards with 1.20 NOK. Nothing was done.',
  );
  const done = await command.run(['block', '--product', productId, '--reason', 'A batch was stolen']);
  expect(done).toBe('Blocked 3 cards with 1.20 NOK.');
  expect(await states([...made, ...others])).toEqual(['Blocked', 'Blocked', 'Blocked', 'Active']);
  expect(await command.run(['block', '--product', productId])).toBe('No card is meant that can take it.');
  const rows = await kontor.database.asAdmin(`
    select s.reason, concat_ws(':', a.actor_kind, a.actor_id) as actor from gift_card_step s join audit a on a.object_id = s.account_id::text
    where s.account_id = '${made[0]?.paymentAccountId}' and a.action = 'block-gift-card'`);
  expect(rows).toEqual([{ reason: 'A batch was stolen', actor: 'operator:cli' }]);
  expect(await command.json(['unblock', '--product', productId])).toEqual({ cards: 3, amounts: { NOK: 120 } });
  expect(await states(made)).toEqual(['Active', 'Active', 'Active']);
});

test.each([
  [
    'ids, as issued',
    'issued.ndjson',
    (card: OpenedAccount) => JSON.stringify({ paymentAccountId: card.paymentAccountId }),
  ],
  ['numbers, as imported', 'imported.ndjson', (card: OpenedAccount) => JSON.stringify({ accountKey: card.accountKey })],
  ['a table', 'issued.csv', (card: OpenedAccount) => `${card.accountKey},1`],
])('those of a file are blocked: %s', async (_, name, write) => {
  const { made } = await some(100, 20, 3);
  const heading = name.endsWith('.csv') ? ['accountKey,balance'] : [];
  const path = await fileOf(name, [...heading, ...made.slice(0, 2).map(write)]);
  expect(await command.json(['block', '--file', path])).toEqual({ cards: 2, amounts: { NOK: 120 } });
  expect(await states(made)).toEqual(['Blocked', 'Blocked', 'Active']);
});

test('those of a file that is sealed to a printer are blocked, though it is closed to us and its lines are long', async () => {
  const { made } = await some(100, 20, 3);
  const accounts = made.slice(0, 2).map(({ paymentAccountId }) => paymentAccountId);
  const path = await fileOf('cards.sealed', [JSON.stringify({ version: 1, accounts, data: 'A'.repeat(200_000) })]);
  expect(await command.json(['block', '--file', path])).toEqual({ cards: 2, amounts: { NOK: 120 } });
  expect(await states(made)).toEqual(['Blocked', 'Blocked', 'Active']);
});

test('a file with a line that names no card does nothing, and its number is in no message', async () => {
  const { made } = await some(100);
  const known = JSON.stringify({ accountKey: made[0]?.accountKey });
  const unknown = await fileOf('unknown.ndjson', [known, JSON.stringify({ accountKey: '9578100000000000' })]);
  const said = await command.run(['block', '--file', unknown]).catch(({ message }: Error) => message);
  expect(said).toBe('Line 2 names no card of this payee. Nothing was done.');
  const broken = await fileOf('broken.ndjson', [known, 'not JSON']);
  await expect(command.run(['block', '--file', broken])).rejects.toThrow('Line 2 has neither');
  await expect(command.run(['block', '--file', join(folder, 'none.ndjson')])).rejects.toThrow('cannot be read');
  await expect(command.run(['block', '--product', 'none'])).rejects.toThrow('There is no such product');
  const both = ['block', made[0]?.paymentAccountId ?? '', '--product', 'many-1'];
  await expect(command.run(both)).rejects.toThrow('not both');
  // Never all cards by mistake.
  await expect(command.run(['block'])).rejects.toThrow('Name the card by its account or --number');
  expect(await states(made)).toEqual(['Active']);
});

test('days of issue choose, both of them included', async () => {
  const { productId, made } = await some(1, 2, 4);
  for (const [at, day] of ['2026-03-08', '2026-03-09', '2026-03-10'].entries()) {
    // In Oslo, where the payee is, this is a quarter to one in the night of the day.
    await kontor.database.asAdmin(`
      update gift_card set issued_at = timestamptz '${day} 00:45 Europe/Oslo' where account_id = '${made[at]?.paymentAccountId}'`);
  }
  const block = (...days: string[]) => command.json(['block', '--product', productId, '--preview', ...days]);
  expect((await block('--issued-from', '2026-03-09')).amounts).toEqual({ NOK: 6 });
  expect((await block('--issued-to', '2026-03-09')).amounts).toEqual({ NOK: 3 });
  expect((await block('--issued-from', '2026-03-09', '--issued-to', '2026-03-09')).amounts).toEqual({ NOK: 2 });
  await expect(block('--issued-from', '9 March')).rejects.toThrow('A day is written as in');
  const turned = ['--issued-from', '2026-03-10', '--issued-to', '2026-03-09'];
  await expect(block(...turned)).rejects.toThrow('--issued-from must not be after --issued-to');
});

test('all of a product get more time, and one that is good for longer keeps it', async () => {
  const { productId, made } = await some(10, 20);
  const [first, second] = made as [OpenedAccount, OpenedAccount];
  await cards.expire(first);
  await command.json(['extend', second.paymentAccountId, '--until', '2095-01-31']);
  const past = ['extend', '--product', productId, '--until', '2020-01-31'];
  await expect(command.run(past)).rejects.toThrow('--until names a day that is over');
  const extend = ['extend', '--product', productId, '--until', '2094-01-31'];
  expect(await command.json([...extend, '--preview'])).toEqual({ cards: 1, amounts: { NOK: 10 } });
  expect(await command.json(extend)).toEqual({ cards: 1, amounts: { NOK: 10 } });
  const shown = await Promise.all(made.map(cards.show));
  expect(shown.map(({ body }) => [body.giftCard.state, body.giftCard.goodUntil])).toEqual([
    ['Active', '2094-01-31'],
    ['Active', '2095-01-31'],
  ]);
});

test('a sweep takes those of a product whose last day was before one', async () => {
  const { productId, made } = await some(10, 20, 40);
  const { made: others } = await some(7);
  const [old, recent] = made as [OpenedAccount, OpenedAccount];
  await cards.expire(old, recent, ...others);
  await kontor.database.asAdmin(`
    update account set expires_on = '2025-11-30', expires_at = '2025-11-30T23:00:00Z' where account_id = '${old.paymentAccountId}'`);
  const sweep = ['sweep', '--product', productId];
  expect(await command.json([...sweep, '--preview'])).toEqual({ cards: 2, amounts: { NOK: 30 } });
  expect(await command.json([...sweep, '--expired-before', '2025-12-01', '--reason', 'Year 2025'])).toEqual({
    cards: 1,
    amounts: { NOK: 10 },
  });
  expect(await states([...made, ...others])).toEqual(['Swept', 'Expired', 'Active', 'Expired']);
  const [step] = await kontor.database.asAdmin(
    `select reason from gift_card_step where account_id = '${old.paymentAccountId}'`,
  );
  expect(step).toEqual({ reason: 'Year 2025' });
});
