import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { giftCardNumber } from '../../src/gift-cards/card-number.rules.ts';
import type { ProductId } from '../../src/gift-cards/gift-cards.types.ts';
import { GIFT_CARD_BATCH } from '../../src/kit/limits.ts';
import type { Currency } from '../../src/kit/money.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { openProgramme, type Programme } from '../support/shop/gift-card-files.ts';
import { addProduct, productTerms } from '../support/shop/gift-cards.ts';
import { builtCommand, kontor } from '../support/shop/tokens-command.ts';
import { until } from '../support/until.ts';

let programme: Programme;
beforeAll(async () => {
  programme = await openProgramme();
  const { database, payeeId } = programme;
  const terms = { numberPrefix: '95782', isDefault: false };
  await addProduct(database, {
    ...productTerms(payeeId, terms),
    productId: 'SEK' as ProductId,
    currency: 'SEK' as Currency,
  });
  await addProduct(database, { ...productTerms(payeeId, terms), productId: 'coded' as ProductId, cvcRequired: true });
  await addProduct(database, { ...productTerms(payeeId, terms), productId: 'retired' as ProductId });
  await database.asAdmin("update gift_card_product set retired_at = kontor_now() where product_id = 'retired'");
});
afterAll(() => programme.stop());

const numberOf = (index: number, numberPrefix = '95781') =>
  giftCardNumber({ numberLength: 16, numberPrefix }, String(index).padStart(10, '0'));
const line = (index: number, more: object = {}) => ({
  accountKey: numberOf(index),
  expiryDate: '2030-06-30',
  balance: 100 + index,
  ...more,
});
const ndjson = (lines: readonly object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('');

async function run(name: string, content: string, args: readonly string[] = []) {
  const path = join(programme.folder, name);
  await writeFile(path, content);
  const ended = await kontor(['gift-cards', 'import', path, '--json', ...args], programme.settings);
  const rejected = (await readFile(`${path}.rejected`, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return {
    ...ended,
    summary: ended.stdout === '' ? undefined : JSON.parse(ended.stdout),
    rejected: rejected.map((text) => JSON.parse(text)),
  };
}

const cardOf = async (index: number) =>
  (
    await programme.database.asAdmin(`
      select a.available, a.expires_on::text, a.blocked_at is not null as blocked, a.blocked_until, a.cvc_key_id,
        a.cvc_required, g.product_id, g.email_sealed is not null as email, g.msisdn_sealed is not null as msisdn
      from account a join gift_card g using (payee_id, account_id)
      where a.number_masked = '${numberOf(index).slice(0, 6)}******${numberOf(index).slice(-4)}'
      order by a.created_at desc limit 1`)
  )[0];

test('cards come with what they hold, their end, their block and whose they are; the sums are the ledger’s', async () => {
  const lines = [
    line(1),
    line(2, { blocked: true, email: 'anna@example.com', msisdn: '+4790000000' }),
    line(3, { expiryDate: '2024-02-29', balance: 0 }),
    line(4, { accountKey: numberOf(4, '95782'), productId: 'SEK', currency: 'SEK' }),
  ];
  const { code, summary } = await run('first.ndjson', ndjson(lines));
  expect(code).toBe(0);
  expect(summary).toEqual({
    lines: 4,
    imported: 4,
    unchanged: 0,
    rejected: 0,
    reconciliation: [
      { currency: 'NOK', cards: 3, amount: 203, ledgerCards: 3, ledgerAmount: 203 },
      { currency: 'SEK', cards: 1, amount: 104, ledgerCards: 1, ledgerAmount: 104 },
    ],
  });
  const plain = { available: 101, expires_on: '2030-06-30', blocked: false, product_id: '1000', email: false };
  expect(await cardOf(1)).toMatchObject({ ...plain, cvc_key_id: null, cvc_required: false });
  expect(await cardOf(2)).toMatchObject({ blocked: true, blocked_until: null, email: true, msisdn: true });
  expect(await cardOf(3)).toMatchObject({ available: 0, expires_on: '2024-02-29' });
  // Their holders have them: no program is told to send a new card.
  const told = await programme.database.asAdmin(`
    select type, payload ->> 'amount' as amount, payload ->> 'currency' as currency from event order by resource_id`);
  expect(told.map(({ type }) => type)).toEqual(Array(4).fill('gift-card.imported'));
  expect(told).toContainEqual({ type: 'gift-card.imported', amount: '104', currency: 'SEK' });
});

test('the same file again changes nothing, also where a card was spent meanwhile; other content is refused', async () => {
  const lines = [line(10), line(11)];
  await run('again.ndjson', ndjson(lines));
  await programme.database.asAdmin(`
    update account set blocked_at = kontor_now() where number_masked = '${numberOf(10).slice(0, 6)}******${numberOf(10).slice(-4)}'`);
  const again = await run('again.ndjson', ndjson(lines));
  expect(again.summary).toMatchObject({ imported: 0, unchanged: 2, rejected: 0 });
  expect(again.summary.reconciliation).toEqual([
    { currency: 'NOK', cards: 2, amount: 221, ledgerCards: 2, ledgerAmount: 221 },
  ]);
  const other = await run('other.ndjson', ndjson([line(10, { balance: 9 }), line(11, { expiryDate: '2031-06-30' })]));
  expect(other.summary).toMatchObject({ unchanged: 0, rejected: 2, reconciliation: [] });
});

test('a file that was issued here is known when it is imported', async () => {
  await programme.issue('issued.csv', 3, { format: 'csv' });
  const { summary } = await run('copy.csv', await readFile(join(programme.folder, 'issued.csv'), 'utf8'));
  expect(summary).toMatchObject({ lines: 3, unchanged: 3, reconciliation: [{ cards: 3, amount: 1500 }] });
});

describe('a bad line', () => {
  const BAD: readonly [what: string, text: string, member: string][] = [
    ['is no JSON', '{', 'line'],
    ['is no object', '[]', 'line'],
    ['is too long', `"${'x'.repeat(20_000)}"`, 'line'],
    ['has no number', JSON.stringify({ ...line(20), accountKey: undefined }), 'accountKey'],
    ['has a number of another prefix', JSON.stringify(line(20, { accountKey: numberOf(20, '95782') })), 'accountKey'],
    ['has a wrong check digit', JSON.stringify(line(20, { accountKey: '9578100000000011' })), 'accountKey'],
    ['has a day within a month', JSON.stringify(line(20, { expiryDate: '2030-06-29' })), 'expiryDate'],
    ['has a month and no day', JSON.stringify(line(20, { expiryDate: '06/30' })), 'expiryDate'],
    ['has a fraction', JSON.stringify(line(20, { balance: 1.5 })), 'balance'],
    ['has less than nothing', JSON.stringify(line(20, { balance: -1 })), 'balance'],
    ['has more than a card may hold', JSON.stringify(line(20, { balance: 2_000_001 })), 'balance'],
    ['has another currency', JSON.stringify(line(20, { currency: 'SEK' })), 'currency'],
    ['has an unknown product', JSON.stringify(line(20, { productId: 'none' })), 'productId'],
    ['has a retired product', JSON.stringify(line(20, { productId: 'retired' })), 'productId'],
    ['has a product that asks for codes', JSON.stringify(line(20, { productId: 'coded' })), 'productId'],
    ['has no e-mail address', JSON.stringify(line(20, { email: 'anna' })), 'email'],
    ['has no number of a telephone', JSON.stringify(line(20, { msisdn: '12' })), 'msisdn'],
    ['has a word for blocked', JSON.stringify(line(20, { blocked: 'yes' })), 'blocked'],
  ];

  test('is refused with its number and its member, and the others go on', async () => {
    // The first line is empty; then bad and good lines take turns.
    const content = BAD.map(([, text], index) => `${text}\n${ndjson([line(1000 + index)])}`).join('');
    const { code, stderr, summary, rejected } = await run('bad.ndjson', `\n${content}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /18 of 36 lines were refused\. .*bad\.ndjson\.rejected has .* run the same command again.*\n$/,
    );
    const allowed = await run('bad.ndjson', `\n${content}`, ['--allow-refused']);
    expect([allowed.code, allowed.stderr, allowed.summary.rejected]).toEqual([0, '', 18]);
    expect(summary).toMatchObject({ lines: 2 * BAD.length, imported: BAD.length, rejected: BAD.length });
    const named = rejected.map(({ line: number, member }) => [BAD[number / 2 - 1]?.[0], member]);
    expect(named).toEqual(BAD.map(([what, , member]) => [what, member]));
    for (const { reason } of rejected) expect(reason).toEqual(expect.any(String));
  });

  test('that repeats a number of the file is refused, also in a later batch and at a second run', async () => {
    const lines = [...Array.from({ length: 600 }, (_, index) => line(3000 + index)), line(3000)];
    for (const outcome of ['imported', 'unchanged']) {
      const { summary, rejected } = await run('twice.ndjson', ndjson(lines));
      expect(summary).toMatchObject({ [outcome]: 600, rejected: 1 });
      expect(rejected).toMatchObject([{ line: 601, member: 'accountKey' }]);
    }
  });

  test('shows no value, in a file for its owner alone', async () => {
    const secret = numberOf(40, '95782');
    const { stdout, stderr } = await run(
      'secret.ndjson',
      ndjson([line(40, { accountKey: secret, email: 'bad mail' })]),
    );
    const path = join(programme.folder, 'secret.ndjson.rejected');
    const text = (await readFile(path, 'utf8')) + stdout + stderr;
    expect(text).not.toContain(secret);
    expect(text).not.toContain('bad mail');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('CSV', () => {
  test.each([[','], [';']])(
    'parted by %s names its columns first, and what is empty is not there',
    async (separator) => {
      const from = separator === ',' ? 50 : 60;
      const rows = [
        ['balance', 'accountKey', 'note', 'expiryDate', 'blocked', 'email'],
        ['5', numberOf(from), '"a ""b"""', '2030-06-30', '', ''],
        ['6', `"${numberOf(from + 1)}"`, 'x', '2030-06-30', 'true', 'anna@example.com'],
        ['7', numberOf(from + 2), 'x', '2030-06-30'],
        ['1e3', numberOf(from + 3), 'x', '2030-06-30', '', ''],
      ];
      const content = rows.map((row) => `${row.join(separator)}\r\n`).join('');
      const { summary, rejected } = await run(`parted-${from}.csv`, content);
      expect(summary).toMatchObject({ lines: 4, imported: 2, rejected: 2 });
      expect(rejected).toMatchObject([
        { line: 4, member: 'line' },
        { line: 5, member: 'balance' },
      ]);
      expect(await cardOf(from + 1)).toMatchObject({ available: 6, blocked: true });
    },
  );

  test('with a quote that is never closed says where, and the rows before it may come again', async () => {
    const rows = ['accountKey,expiryDate,balance', `${numberOf(80)},2030-06-30,5`, `"${numberOf(81)},2030-06-30,5`];
    const broken = await run('open.csv', rows.join('\n'));
    expect([broken.code, broken.summary]).toEqual([1, undefined]);
    expect(broken.stderr).toContain('Row 3 has a quote that is not closed. Correct it and run this again.');
    const { summary } = await run('open.csv', rows.join('\n').replace('"', ''));
    expect(summary).toMatchObject({ lines: 2, rejected: 0 });
  });

  test('whose numbers a spreadsheet has changed is refused line by line, with a hint', async () => {
    const rows = [
      'accountKey;expiryDate;balance',
      '9,5781E+15;2030-06-30;5',
      `${numberOf(82).slice(0, 15)}0;2030-06-30;5`,
      '81;2030-06-30;5',
      `${numberOf(83)};2030-06-30;1E+06`,
      `${numberOf(84)};2030-06-30;5`,
    ];
    const { code, summary, rejected } = await run('changed.csv', `\ufeff${rows.join('\r\n')}\r\n`);
    expect([code, summary.imported, summary.rejected]).toEqual([1, 1, 4]);
    expect(rejected).toEqual(
      ['accountKey', 'accountKey', 'accountKey', 'balance'].map((member, index) => ({
        line: index + 2,
        member,
        reason: expect.stringContaining('format the column as text'),
      })),
    );
  });

  test('in UTF-16 is refused by that name', async () => {
    const path = join(programme.folder, 'wide.csv');
    await writeFile(
      path,
      Buffer.from(`\ufeffaccountKey,expiryDate,balance\n${numberOf(85)},2030-06-30,5\n`, 'utf16le'),
    );
    const { code, stderr } = await kontor(['gift-cards', 'import', path], programme.settings);
    expect(code).toBe(1);
    expect(stderr).toContain('wide.csv is UTF-16, and must be UTF-8');
  });

  test('without the columns that are needed imports nothing', async () => {
    const { code, stderr } = await run('headless.csv', `${numberOf(70)},2030-06-30,5\n`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('must name the columns')]);
  });
});

test('killed while it works and run again, each card is there once, with what the file says', async () => {
  const count = IS_LONG_RUN ? 3000 : 3 * GIFT_CARD_BATCH;
  const path = join(programme.folder, 'killed.ndjson');
  await writeFile(path, ndjson(Array.from({ length: count }, (_, index) => line(10_000 + index, { balance: 3 }))));
  const stored = async () =>
    Number(
      (await programme.database.asAdmin('select count(*) as cards from account where available = 3'))[0]?.['cards'],
    );
  for (let round = 0; round < 2; round++) {
    const before = await stored();
    const env = { PATH: process.env['PATH'], ...programme.settings };
    const child = spawn(process.execPath, [builtCommand(), 'gift-cards', 'import', path], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await until(async () => child.exitCode !== null || (await stored()) > before, 30_000);
    child.kill('SIGKILL');
    await ended;
  }
  const { stdout } = await kontor(['gift-cards', 'import', path, '--json'], programme.settings);
  const { imported, unchanged, reconciliation } = JSON.parse(stdout);
  expect(imported + unchanged).toBe(count);
  expect(reconciliation).toEqual([
    { currency: 'NOK', cards: count, amount: 3 * count, ledgerCards: count, ledgerAmount: 3 * count },
  ]);
}, 60_000);

test('the books are right after all of it', async () => {
  const { findings } = await verifyLedger(programme.database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  expect(await refuteLedger(programme.database)).toEqual([]);
});
