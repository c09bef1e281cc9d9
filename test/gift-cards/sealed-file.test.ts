import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CardsRuntime, SealForPrinter } from '../../src/gift-cards/bulk/bulk.types.ts';
import { openCardFile } from '../../src/gift-cards/bulk/card-file.adapter.ts';
import { openFile } from '../../src/gift-cards/bulk/open-file.cli.ts';
import { readPrinterKey, readPrivateKey, readSealedFile } from '../../src/gift-cards/bulk/print-file.adapter.ts';
import { scannerFor } from '../support/prober/scanner.ts';
import { runCommand } from '../support/run-command.ts';
import { openProgramme, type Programme } from '../support/shop/gift-card-files.ts';

// A file of cards for a printer, which nothing but the printer's private key opens: not on the way, and not where it was made.

let programme: Programme;
let seal: SealForPrinter;
beforeAll(async () => {
  programme = await openProgramme();
  for (const [name, modulusLength] of [
    ['printer', 3072],
    ['other', 2048],
    ['small', 1024],
  ] as const) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
    await writeFile(pathOf(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
    await writeFile(pathOf(`${name}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  seal = await readPrinterKey(pathOf('printer.pub'));
});
afterAll(() => programme.stop());

const pathOf = (name: string) => join(programme.folder, name);
const contentOf = (name: string) => readFile(pathOf(name), 'utf8');

/** Runs `kontor gift-cards open-file`, as the printer does. */
async function open(name: string, { key = 'printer.pem', out = `${name}.opened` } = {}): Promise<string> {
  const runtime = { openCardFile, readSealedFile, readPrivateKey } as unknown as Omit<CardsRuntime, 'print'>;
  const words = ['open-file', pathOf(name), '--key', pathOf(key), '--out', pathOf(out)];
  return (await runCommand([openFile], runtime, words)).join('\n');
}

const cardsOf = async (name: string) =>
  (await contentOf(name))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { accountKey: string; cvc: string; paymentAccountId: string; balance: number });

test('the printer gets each card once, as in a file in the clear, and the file itself has no number in any spelling', async () => {
  expect(await programme.issue('cards', 700, { seal })).toEqual({ issued: 700, cards: 700 });
  expect(await open('cards')).toContain('700 cards are in');
  const cards = await cardsOf('cards.opened');
  expect(new Set(cards.map(({ accountKey }) => accountKey)).size).toBe(700);
  expect(cards[0]).toMatchObject({ balance: 500, cvc: expect.stringMatching(/^[0-9]{3}$/) });
  const numbers = cards.map(({ accountKey }, index) => {
    return { name: `card ${index}`, value: accountKey, kind: 'card number' } as const;
  });
  const scanner = scannerFor(numbers);
  expect(scanner.scan(Buffer.from(await contentOf('cards')))).toEqual([]);
  expect(scanner.scan(Buffer.from(await contentOf('cards.opened'))).length).toBeGreaterThan(0);
});

test('a table has its heading once', async () => {
  await programme.issue('cards.csv', 2, { seal, format: 'csv' });
  await open('cards.csv');
  expect((await contentOf('cards.csv.opened')).match(/accountKey/g)).toHaveLength(1);
});

test('a run that was cut off is taken up: what was not committed is cut off, and each card is there once', async () => {
  let transactions = 0;
  const transact: Programme['service']['transact'] = async (work) => {
    if (++transactions < 3) return programme.service.transact(work);
    return programme.service.transact(async (transaction) => {
      await work(transaction);
      throw new Error('killed');
    });
  };
  await expect(programme.issue('resumed', 1100, { seal, transact })).rejects.toThrow('killed');
  const before = (await contentOf('resumed')).split('\n').length;
  expect(await programme.issue('resumed', 1100, { seal })).toEqual({ issued: 600, cards: 1100 });
  expect(before).toBeGreaterThan(2);
  await open('resumed');
  const ids = (await cardsOf('resumed.opened')).map(({ paymentAccountId }) => `'${paymentAccountId}'`);
  const [row] = await programme.database.asAdmin(
    `select count(*)::int as cards from gift_card where account_id in (${ids.join()})`,
  );
  expect([ids.length, row]).toEqual([1100, { cards: 1100 }]);
});

test("a file of which no card exists here is another installation's: it stays as it is", async () => {
  await programme.issue('foreign', 3, { seal });
  const there = (await contentOf('foreign')).replaceAll(/"accounts":\[[^\]]*\]/g, (list) =>
    list.replaceAll(/-[0-9a-f]{12}"/g, '-000000000000"'),
  );
  await writeFile(pathOf('foreign'), there);
  await expect(programme.issue('foreign', 5, { seal })).rejects.toThrow('holds something else');
  expect(await contentOf('foreign')).toBe(there);
  await expect(programme.issue('cards', 800)).rejects.toThrow('holds something else');
});

test('does not open with another key, or altered, and leaves no file then', async () => {
  await programme.issue('altered', 3, { seal });
  await expect(open('altered', { key: 'other.pem' })).rejects.toThrow('does not open with this key');
  await writeFile(pathOf('altered'), (await contentOf('altered')).replace('"balance":500', '"balance":900'));
  await expect(open('altered')).rejects.toThrow('or it was altered');
  await expect(contentOf('altered.opened')).rejects.toThrow('ENOENT');
  await expect(open('cards', { out: 'cards.opened' })).rejects.toThrow('is there');
  await expect(open('printer.pub')).rejects.toThrow('is no file of cards');
});

test.each([
  ['small.pub', 'must have 2048 at least'],
  ['cards', 'must be a PEM file'],
  ['printer.pem', 'it stays at the printer'],
  ['missing', 'cannot be read (ENOENT)'],
])('a key that is none is refused: %s', async (name, message) => {
  await expect(readPrinterKey(pathOf(name))).rejects.toThrow(message);
});
