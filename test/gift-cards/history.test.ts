import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giftCardNumber } from '../../src/gift-cards/card-number.rules.ts';
import type { HistoryEntry } from '../../src/gift-cards/cards/history/history.types.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference, type OpenedAccount } from '../support/shop/accounts-shop.ts';
import { cardCommand } from '../support/shop/card-command.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';
import { kontor as builtCommand, settingsOf } from '../support/shop/tokens-command.ts';

// What happened to a card beside money, who did it, and by which file: in the portal, the API and the commands.

let kontor: TestService;
let cards: CardShop;
let folder: string;
let command: ReturnType<typeof cardCommand>;
let person: Browser;
beforeAll(async () => {
  kontor = await testService();
  cards = cardShop(kontor);
  command = cardCommand(kontor);
  person = await signedInAs(kontor, 'finance');
  folder = await mkdtemp(join(tmpdir(), 'kontor-history-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await kontor.stop();
});

type Line = Partial<HistoryEntry>;
const inPortal = async (accountId: string): Promise<HistoryEntry[]> =>
  (await person.get(`/portal/api/payees/${kontor.payeeId}/gift-cards/${accountId}`)).body.steps;
const stepsOf = async (accountId: string) => (await inPortal(accountId)).map(({ step }) => step);

/** Imports cards of these balances by the built command, as a person does. */
async function importFile(name: string, balances: readonly number[]) {
  const product = (await kontor.database.asAdmin('select number_prefix, number_length from gift_card_product'))[0];
  const { number_prefix: numberPrefix, number_length: numberLength } = product as never;
  const digits = (index: number) => `${Date.now()}${index}`.slice(-(numberLength - String(numberPrefix).length - 1));
  const numbers = balances.map((_, index) => giftCardNumber({ numberLength, numberPrefix }, digits(index)));
  const lines = numbers.map((accountKey, index) =>
    JSON.stringify({ accountKey, expiryDate: '2031-06-30', balance: balances[index] }),
  );
  const path = join(folder, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  const done = await builtCommand(['gift-cards', 'import', path, '--payee', kontor.payeeId], settingsOf(kontor));
  expect(done).toMatchObject({ code: 0 });
  const ids = await Promise.all(
    numbers.map(async (number) => (await command.json(['show', '--number'], number)).accountId),
  );
  return {
    path,
    ids: ids as string[],
    digest: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  };
}

test('of an imported card: when, by whom, of which file, with how much; with nothing on it, too', async () => {
  const { ids, digest } = await importFile('cards of before.ndjson', [12_500, 0]);
  for (const [index, id] of ids.entries()) {
    const amount = index === 0 ? 12_500 : 0;
    const { body } = await cards.show({ paymentAccountId: id });
    const history = await inPortal(id);
    const imported: Line = { step: 'Import', file: 'cards of before.ndjson', digest, amount, currency: 'NOK' };
    expect(history).toEqual([expect.objectContaining(imported)]);
    expect(history[0]?.actor).toMatch(/^operator:cli/);
    expect(Math.abs(Date.parse(history[0]?.at ?? '') - Date.parse(body.giftCard.issued))).toBeLessThan(60_000);
    expect(body.giftCard.imported).toEqual({ balance: amount, file: 'cards of before.ndjson', sha256: digest });
    expect((await command.json(['show', id])).history).toEqual(history);
  }
  const text = await command.run(['show', ids[0] ?? '']);
  expect(text).toMatch(
    new RegExp(
      `imported from elsewhere; by operator:cli\\S*; 125.00 NOK; file cards of before.ndjson, SHA-256 ${digest}$`,
    ),
  );
});

test('of a card that was issued, nothing says that it was imported', async () => {
  const card = await cards.issue(500);
  expect((await cards.show(card)).body.giftCard).not.toHaveProperty('imported');
  expect(await inPortal(card.paymentAccountId)).toEqual([
    expect.objectContaining({ step: 'Issue', amount: 500, currency: 'NOK', file: null, digest: null }),
  ]);
});

test('each step has who asked for it, why, and the file that named the card', async () => {
  const card = await cards.issue(500);
  const id = card.paymentAccountId;
  const path = join(folder, 'stolen.ndjson');
  await writeFile(path, `${JSON.stringify({ paymentAccountId: id })}\n`);
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  await command.json(['block', '--file', path, '--reason', 'Box 7']);
  await cards.step('unblock', card, { transactionRef: 'found-again' });
  await command.json(['block', id]);
  await command.json(['unblock', '--file', path]);
  await command.json(['extend', '--file', path, '--until', '2035-06-30']);
  const [issued, blocked, unblocked, byHand, byFile, extended] = (await inPortal(id)) as [
    Line,
    Line,
    Line,
    Line,
    Line,
    Line,
  ];
  expect(issued.step).toBe('Issue');
  expect(blocked).toMatchObject({
    step: 'Block',
    actor: 'operator:cli',
    reason: 'Box 7',
    file: 'stolen.ndjson',
    digest,
  });
  expect(unblocked).toMatchObject({ step: 'Unblock', reference: 'found-again', file: null });
  expect(unblocked.actor).toMatch(/^access-token:/);
  expect(unblocked.actorName).toEqual(expect.any(String));
  expect(byHand).toMatchObject({ step: 'Block', actor: 'operator:cli', file: null });
  expect(byFile).toMatchObject({ step: 'Unblock', actor: 'operator:cli', file: 'stolen.ndjson' });
  expect(extended).toMatchObject({ step: 'Extend', until: '2035-06-30', file: 'stolen.ndjson', digest });
});

test('leads from a card to the one before it, and from each to the one after it', async () => {
  const { ids } = await importFile('lost.ndjson', [700]);
  const [lost = ''] = ids;
  const { replacement } = await command.json(['replace', lost, '--reason', 'Lost']);
  const emptied = await cards.issue(300);
  await command.json(['merge', emptied.paymentAccountId, '--into', replacement.accountId]);
  const lostCard = (await cards.show({ paymentAccountId: lost })).body.giftCard;
  const fresh = (await cards.show({ paymentAccountId: replacement.accountId })).body.giftCard;
  expect([lostCard.replacedBy, fresh.replaces]).toEqual([replacement.accountId, lost]);
  const [imported, replaced] = await inPortal(lost);
  expect(imported?.step).toBe('Import');
  expect(replaced).toMatchObject({
    ...{ step: 'Replace', reason: 'Lost', amount: 700, currency: 'NOK' },
    ...{ otherAccountId: replacement.accountId, otherMasked: fresh.accountKey },
  });
  const [beginning, received] = await inPortal(replacement.accountId);
  expect(beginning).toMatchObject({
    ...{
      step: 'Replacement',
      actor: 'operator:cli',
      otherAccountId: lost,
      otherMasked: lostCard.accountKey,
      amount: 700,
    },
  });
  expect(received).toMatchObject({ step: 'Receive', otherAccountId: emptied.paymentAccountId, amount: 300 });
  const last = (await inPortal(emptied.paymentAccountId)).at(-1);
  expect(last).toMatchObject({ step: 'Merge', otherAccountId: replacement.accountId, amount: 300 });
});

test('of a card that was issued to be sold later has its sale, with who sold it', async () => {
  const out = join(folder, 'shelf.ndjson');
  const words = ['--count', '1', '--amount', '0', '--inactive', '--payee', kontor.payeeId, '--out', out];
  await builtCommand(['gift-cards', 'issue', ...words], settingsOf(kontor));
  const card: OpenedAccount = JSON.parse(await readFile(out, 'utf8'));
  expect(await stepsOf(card.paymentAccountId)).toEqual(['Issue']);
  await cardSeller(kontor).deposit({ accountKey: card.accountKey }, { amount: 500, transactionRef: newReference() });
  await cardSeller(kontor).deposit({ accountKey: card.accountKey }, { amount: 50, transactionRef: newReference() });
  const [issued, sold, ...others] = await inPortal(card.paymentAccountId);
  expect(issued).toMatchObject({ step: 'Issue', amount: 0 });
  expect(issued?.actor).toMatch(/^operator:cli/);
  expect(sold).toMatchObject({ step: 'Sell', amount: 500, currency: 'NOK' });
  expect(sold?.actor).toMatch(/^access-token:/);
  expect(others).toEqual([]);
});
