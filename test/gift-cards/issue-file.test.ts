import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import type { Transact } from '../../src/db/transaction.types.ts';
import { GIFT_CARD_BATCH } from '../../src/kit/limits.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { filedCards, openProgramme, type Programme } from '../support/shop/gift-card-files.ts';
import { addProduct, productTerms } from '../support/shop/gift-cards.ts';
import { builtCommand, kontor } from '../support/shop/tokens-command.ts';
import { until } from '../support/until.ts';

let programme: Programme;
beforeAll(async () => {
  programme = await openProgramme();
});
afterAll(() => programme.stop());

const pathOf = (name: string) => join(programme.folder, name);
const contentOf = (name: string) => readFile(pathOf(name), 'utf8');

/** Every card of the file exists, each once, and no other card was issued since. */
async function expectWhole(name: string, count: number, before = 0): Promise<void> {
  const cards = await filedCards(programme, name);
  expect(new Set(cards.map(({ accountKey }) => accountKey)).size).toBe(count);
  const ids = cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`).join();
  const [row] = await programme.database.asAdmin(`
    select count(*)::int as "inFile", (select count(*)::int from gift_card) as "all", sum(available)::int as sum
    from gift_card join account using (payee_id, account_id) where account_id in (${ids})`);
  expect(row).toEqual({ inFile: count, all: before + count, sum: count * 500 });
}

const cardsNow = async () =>
  Number((await programme.database.asAdmin('select count(*) as count from gift_card'))[0]?.['count']);

/** A `transact` that dies in its n-th transaction: before the commit, which is undone, or behind it. */
function dying(at: number, when: 'before' | 'behind'): Transact {
  let transactions = 0;
  return async (work) => {
    transactions++;
    if (transactions !== at) return programme.service.transact(work);
    await programme.service.transact(async (transaction) => {
      await work(transaction);
      if (when === 'before') throw new Error('killed');
    });
    throw new Error('killed');
  };
}

/** A `transact` whose second transaction is committed after the third one has begun to write. */
function overlapping(): Transact {
  let transactions = 0;
  let begun = false;
  return (work) => {
    const own = ++transactions;
    return programme.service.transact(async (transaction) => {
      const result = await work({
        run(statement, values) {
          begun ||= own === 3 && statement.name === 'ledger-insert-accounts';
          return transaction.run(statement, values);
        },
      });
      if (own === 2) await until(() => begun);
      return result;
    });
  };
}

describe('a file of issued cards', () => {
  test('has each card with all that a seller needs, for its owner alone', async () => {
    const before = await cardsNow();
    expect(await programme.issue('plain.ndjson', 3)).toEqual({ issued: 3, cards: 3 });
    expect((await stat(pathOf('plain.ndjson'))).mode & 0o777).toBe(0o600);
    await expectWhole('plain.ndjson', 3, before);
    const [card] = await filedCards(programme, 'plain.ndjson');
    expect(card).toEqual({
      accountKey: expect.stringMatching(/^95781[0-9]{11}$/),
      cvc: expect.stringMatching(/^[0-9]{3}$/),
      expiryDate: programme.product.cardExpiresOn,
      balance: 500,
      currency: 'NOK',
      paymentAccountId: expect.any(String),
      paymentId: expect.any(Number),
    });
    const [deposit] = await programme.database.asAdmin(`
      select p.operation, p.amount from payment_number n join payment p using (payee_id, payment_id)
      where n.number = ${card?.paymentId} and p.account_id = '${card?.paymentAccountId}'`);
    expect(deposit).toEqual({ operation: 'Deposit', amount: 500 });
  });

  test('as CSV has a heading and the same columns, and is taken up as well', async () => {
    await programme.issue('cards.csv', 2, { format: 'csv' });
    await appendFile(pathOf('cards.csv'), '9578100');
    expect(await programme.issue('cards.csv', 3, { format: 'csv' })).toEqual({ issued: 1, cards: 3 });
    const [heading, ...rows] = (await contentOf('cards.csv')).trimEnd().split('\n');
    expect(heading).toBe('accountKey,cvc,expiryDate,balance,currency,paymentAccountId,paymentId');
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatch(/^95781[0-9]{11},[0-9]{3},\d{4}-\d\d-\d\d,500,NOK,[0-9a-f-]{36},[0-9]+$/);
  });

  test('with cards of amount 0 moves no money', async () => {
    await programme.issue('empty.ndjson', 2, { amount: 0 });
    const [{ paymentAccountId } = { paymentAccountId: '' }] = await filedCards(programme, 'empty.ndjson');
    expect(await programme.database.asAdmin(`select from entry where account_id = '${paymentAccountId}'`)).toEqual([]);
  });

  test('never has a number twice, whatever chance draws', async () => {
    const before = await cardsNow();
    let draws = 0;
    // Each number comes twice in a row, and the first ones have cards already.
    const digits = () => String(Math.floor(draws++ / 2) % 40).padStart(10, '0');
    await programme.issue('drawn.ndjson', 10, { randomDigits: digits });
    draws = 0;
    await programme.issue('drawn.ndjson', 20, { randomDigits: digits });
    await expectWhole('drawn.ndjson', 20, before);
  });

  test('takes a batch that was written beside the one before, in its order, and never with the same numbers', async () => {
    const before = await cardsNow();
    let draws = 0;
    // The second batch draws the numbers of the first one. Those of other tests begin elsewhere.
    const digits = () => {
      const draw = draws++;
      return String(5_000_000_000 + (draw < 2 * GIFT_CARD_BATCH ? draw % GIFT_CARD_BATCH : draw));
    };
    await programme.issue('beside.ndjson', 2 * GIFT_CARD_BATCH, { randomDigits: digits, transact: overlapping() });
    await expectWhole('beside.ndjson', 2 * GIFT_CARD_BATCH, before);
    const numbers = (await filedCards(programme, 'beside.ndjson')).map(({ paymentId }) => paymentId);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});

describe('the same command again', () => {
  test('issues nothing where all cards are there, and the rest where there are fewer', async () => {
    const before = await cardsNow();
    await programme.issue('again.ndjson', 2);
    const content = await contentOf('again.ndjson');
    expect(await programme.issue('again.ndjson', 2)).toEqual({ issued: 0, cards: 2 });
    expect(await contentOf('again.ndjson')).toBe(content);
    expect(await programme.issue('again.ndjson', 5)).toEqual({ issued: 3, cards: 5 });
    await expectWhole('again.ndjson', 5, before);
    await expect(programme.issue('again.ndjson', 4)).rejects.toThrow('holds 5 cards already');
  });

  test.each([
    ['in the first batch before the commit', 2, 'before'],
    ['in the first batch behind the commit', 2, 'behind'],
    ['in the second batch before the commit', 3, 'before'],
    ['in the second batch behind the commit', 3, 'behind'],
  ] as const)('goes on after a death %s', async (what, at, when) => {
    const before = await cardsNow();
    const name = `${what.replaceAll(' ', '-')}.ndjson`;
    const count = GIFT_CARD_BATCH + 20;
    await expect(programme.issue(name, count, { transact: dying(at, when) })).rejects.toThrow('killed');
    const inFile = (await filedCards(programme, name)).length;
    expect(inFile - ((await cardsNow()) - before)).toBe(when === 'behind' ? 0 : at === 2 ? GIFT_CARD_BATCH : 20);
    await programme.issue(name, count);
    await expectWhole(name, count, before);
  });

  test('goes on behind half a line', async () => {
    const before = await cardsNow();
    await programme.issue('torn.ndjson', 2);
    await appendFile(pathOf('torn.ndjson'), '{"accountKey":"95781');
    await programme.issue('torn.ndjson', 3);
    await expectWhole('torn.ndjson', 3, before);
  });
});

describe('a file that is no such file is refused and stays as it is', () => {
  const line = (more: object) =>
    `${JSON.stringify({ accountKey: '9578100000000000', cvc: '123', expiryDate: '2030-01-31', balance: 500, currency: 'NOK', paymentAccountId: '01890000-0000-7000-8000-000000000000', paymentId: 1, ...more })}\n`;

  test.each([
    ['other text', 'Dear diary\n'],
    ['cards with another amount', line({ balance: 501 })],
    ['cards of another currency', line({ currency: 'SEK' })],
    ['cards of another installation', line({}) + line({ cvc: '124' }) + line({ cvc: '125' })],
  ])('%s', async (what, content) => {
    const name = `${what.replaceAll(' ', '-')}.ndjson`;
    await writeFile(pathOf(name), content, { mode: 0o600 });
    await expect(programme.issue(name, 5)).rejects.toThrow('holds something else');
    expect(await contentOf(name)).toBe(content);
  });

  test('cards of another product', async () => {
    await programme.issue('product.ndjson', 2);
    const product = await addProduct(programme.database, {
      ...productTerms(programme.payeeId),
      productId: '2000' as typeof programme.product.productId,
      isDefault: false,
    });
    const other = { ...programme, product };
    const { code, stderr } = await kontor(
      [
        'gift-cards',
        'issue',
        '--product',
        other.product.productId,
        '--count',
        '3',
        '--amount',
        '500',
        '--out',
        pathOf('product.ndjson'),
      ],
      programme.settings,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('holds something else')]);
  }, 120_000);

  test('one that others may read', async () => {
    await writeFile(pathOf('open.ndjson'), '');
    await chmod(pathOf('open.ndjson'), 0o640);
    await expect(programme.issue('open.ndjson', 1)).rejects.toThrow('chmod 0600');
  });
});

test('two runs into one file: the one that comes second to a batch gives up, and no card is lost', async () => {
  const before = await cardsNow();
  const count = 3 * GIFT_CARD_BATCH;
  const runs = await Promise.allSettled([
    programme.issue('shared.ndjson', count),
    programme.issue('shared.ndjson', count),
  ]);
  expect(runs.map(({ status }) => status).sort()).not.toEqual(['fulfilled', 'fulfilled']);
  await programme.issue('shared.ndjson', count);
  await expectWhole('shared.ndjson', count, before);
});

test('the command killed at any moment, and run again, issues each card once', async () => {
  const before = await cardsNow();
  const seed = Date.now() % 1000;
  const count = IS_LONG_RUN ? 4000 : 3 * GIFT_CARD_BATCH;
  const args = ['gift-cards', 'issue', '--count', String(count), '--amount', '500', '--out', pathOf('killed.ndjson')];
  for (let round = 0; round < (IS_LONG_RUN ? 3 : 2); round++) {
    const then = await cardsNow();
    const env = { PATH: process.env['PATH'], ...programme.settings };
    const child = spawn(process.execPath, [builtCommand(), ...args], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // It has begun: `npm run test:faults` waits for another moment each time.
    await until(async () => child.exitCode !== null || (await cardsNow()) > then, 30_000);
    if (IS_LONG_RUN) await Promise.race([ended, pause((seed * 7 + round * 137) % 400)]);
    child.kill('SIGKILL');
    await ended;
  }
  const { code, stdout } = await kontor([...args, '--json'], programme.settings);
  expect([code, JSON.parse(stdout).cards], `seed ${seed}`).toEqual([0, count]);
  await expectWhole('killed.ndjson', count, before);
}, 60_000);

test('numbers and codes are in no row, and in nothing that the command says', async () => {
  const { stdout, stderr } = await kontor(
    ['gift-cards', 'issue', '--count', '20', '--amount', '500', '--out', pathOf('leak.ndjson')],
    programme.settings,
  );
  expect([stdout, stderr]).toEqual([
    `20 cards of 5.00 NOK each are in ${pathOf('leak.ndjson')}; 20 of them are new.\n`,
    '',
  ]);
  const cards = await filedCards(programme, 'leak.ndjson');
  const tables = await programme.database.asAdmin(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  for (const { name } of tables) {
    const [row] = await programme.database.asAdmin(`select string_agg(t::text, ' ') as text from ${String(name)} t`);
    const text = String(row?.['text']);
    expect(
      cards.filter(({ accountKey }) => text.includes(accountKey)),
      String(name),
    ).toEqual([]);
  }
});

test('the books are right after all of it', async () => {
  const { findings } = await verifyLedger(programme.database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  expect(await refuteLedger(programme.database)).toEqual([]);
}, 120_000);
