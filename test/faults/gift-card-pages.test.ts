import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { dumpDatabase } from '../support/crash/acquirer-leaks.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { newId } from '../support/database/ledger.ts';
import { wrongCode } from '../support/numbers.ts';
import { pageAt } from '../support/payer/pay-page.ts';
import { filesBelow, type Sought, scanFolder, scannerFor } from '../support/prober/scanner.ts';
import type { Answer, TestService } from '../support/service.ts';
import { openAnAccount } from '../support/shop/accounts-shop.ts';
import { cardLife } from '../support/shop/card-life.ts';
import { addProduct, inNameOf, productTerms } from '../support/shop/gift-cards.ts';
import { cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, ordersShop } from '../support/shop/orders-shop.ts';

// Guesses at the pages of orders, over sockets, at two instances. The same past HTTP is in gift-card-guesses.test.ts.

const ENTRIES = 10_000;
const AT_ONCE = 8;
/** Entries of each kind that are timed. They travel together, so that what else the machine does slows all of them. */
const TIMED = 500;
/** Milliseconds that the medians of the kinds may lie apart. */
const APART_MS = 5;
/** Pages that the entries of a run go to: an order takes five wrong ones. */
const PAGES = 400;

let both: TwoInstances;
beforeAll(async () => {
  const settings = {
    KONTOR_REQUESTS_PER_MINUTE: '0',
    KONTOR_PAGES_PER_MINUTE: '0',
    KONTOR_TRUSTED_PROXIES: '127.0.0.1',
  };
  both = await twoInstances(settings, { KONTOR_LOG_LEVEL: 'trace' });
}, 300_000);
afterAll(() => both.stop());

interface Entry {
  readonly number: string;
  readonly code: string;
}

/** All that was entered, for the look for leaks at the end. */
const entered = new Map<string, string>();

let turn = 0;
const inTurn = () => (turn++ % 2 === 0 ? both.kontor : both.other);
const address = (index: number) => `198.18.${(index >> 8) & 255}.${index & 255}`;
const sql = (text: string) => both.kontor.database.asAdmin(text);

async function newPages(count: number, kontor: TestService = both.kontor): Promise<string[]> {
  const shop = ordersShop(kontor);
  const made: string[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, () => shop.create({}, { version: '3.1' }));
    made.push(...(await Promise.all(some)).map((answer) => hrefOf(answer, 'redirect-checkout')));
  }
  return made;
}

/** Enters a gift card on a page, by an instance in turn. */
function enter(link: string, { number, code }: Entry, from: string): Promise<Answer> {
  entered.set(number, code);
  const headers = { accept: 'application/json', 'x-forwarded-for': from };
  return pageAt(inTurn(), link).post('/gift-card', { giftNumber: number, giftCode: code }, { headers });
}

/** Wrong entries by so many addresses, each on a page in turn: how often each was the answer. */
async function guess(addresses: number): Promise<Readonly<Record<string, number>>> {
  await sql('delete from gift_card_guess');
  const pages = await newPages(PAGES);
  const counts: Record<string, number> = {};
  let made = 0;
  const guesser = async () => {
    while (made < ENTRIES) {
      const index = made++;
      // Of no range of ours: the sandbox's file has numbers of those.
      const number = `604123${String(addresses * ENTRIES + index).padStart(10, '0')}`;
      const answer = await enter(pages[index % PAGES] ?? '', { number, code: '123' }, address(index % addresses));
      // On a machine with much else to do: none of these is told anything of a card.
      const told = answer.status >= 500 ? 'busy' : `${answer.status} ${answer.body.outcome}`;
      counts[told] = (counts[told] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guesser));
  return counts;
}

test(`of ${ENTRIES} entries on pages few are looked at, by one address and by 200`, async () => {
  const told = { one: await guess(1), many: await guess(200) };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  for (const { busy = 0, '200 notusable': judged = 0, '429 closed': closed = 0, ...others } of Object.values(told)) {
    expect([others, busy + judged + closed]).toEqual([{}, ENTRIES]);
  }
  expect(told.one['200 notusable']).toBeLessThanOrEqual(10);
  // After the hundredth at the payee, an address waits behind three of its own.
  const judged = told.many['200 notusable'] ?? 0;
  expect(judged).toBeGreaterThanOrEqual(100);
  expect(judged).toBeLessThanOrEqual(200 * 3);
});

/** What differs by the time of day, the request, and how often its connection was used. */
const OF_THE_REQUEST = ['date', 'x-request-id', 'session-id', 'connection', 'keep-alive'];

/** All else of an answer that its receiver sees. */
function seenOf({ status, headers, text }: Answer): string {
  const names = [...headers].filter(([name]) => !OF_THE_REQUEST.includes(name));
  return JSON.stringify([status, names, text]);
}

/** Each way in which a gift card cannot be used, as what to enter where. */
async function unusable(): Promise<Readonly<Record<string, () => { link: string; entry: Entry }>>> {
  const { kontor } = both;
  const [life, seller] = [cardLife(kontor), cardSeller(kontor)];
  const issue = () => seller.issue(500);
  const [card, blocked, voided, expired, paused, replaced] = await Promise.all([
    issue(),
    issue(),
    issue(),
    issue(),
    issue(),
    issue(),
  ] as const);
  await life.done('block', blocked);
  await life.done('void', voided);
  await life.done('replace', replaced);
  await life.cards.expire(expired);
  const withoutCode = await openAnAccount(kontor, { balance: 500, newId });
  const elsewhere = inNameOf(await kontor.addPayee(), kontor);
  await addProduct(kontor.database, productTerms(elsewhere.payeeId as PayeeId, { cvcRequired: true }));
  const [foreign] = await newPages(1, elsewhere);
  // A page of its own for each kind: it takes no more than five wrong ones.
  const pages = (await newPages(10)).values();
  for (let time = 0; time < 5; time++) {
    const [page] = await newPages(1);
    await enter(page ?? '', { number: paused.accountKey, code: wrongCode(paused.cvc) }, address(time));
  }
  await sql(`create table paused as select * from gift_card_guess where kind = 'card'`);
  const of = ({ accountKey, cvc }: Pick<IssuedCard, 'accountKey' | 'cvc'>) => ({ number: accountKey, code: cvc });
  const here = (entry: Entry) => {
    const link = pages.next().value ?? '';
    return () => ({ link, entry });
  };
  const { number, code } = of(card);
  return {
    'unknown number': here({ number: '9578099999999993', code: '123' }),
    'wrong check digit': here({ number: `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`, code }),
    "another payee's": () => ({ link: foreign ?? '', entry: { number, code } }),
    'wrong code': here({ number, code: wrongCode(code) }),
    blocked: here(of(blocked)),
    'blocked, wrong code': here({ ...of(blocked), code: wrongCode(blocked.cvc) }),
    void: here(of(voided)),
    replaced: here(of(replaced)),
    paused: here(of(paused)),
    'expired, wrong code': here({ ...of(expired), code: wrongCode(expired.cvc) }),
    'without a code': here({ number: withoutCode.accountKey, code: '123' }),
  };
}

test(`whatever cannot be used is answered with the same bytes after the same time: medians of ${TIMED} each`, async () => {
  await sql('delete from gift_card_guess');
  const kinds = Object.entries(await unusable());
  const times = new Map(kinds.map(([kind]) => [kind, [] as number[]]));
  const answers = new Map<string, string>();
  for (let round = 0; round < TIMED; round++) {
    await sql('delete from gift_card_guess; insert into gift_card_guess select * from paused');
    // Who is sent last waits longest: each kind is that as often as any other.
    kinds.push(...kinds.splice(0, 1));
    await Promise.all(
      kinds.map(async ([kind, of], place) => {
        const { link, entry } = of();
        const began = performance.now();
        const answer = await enter(link, entry, address(round * kinds.length + place));
        times.get(kind)?.push(performance.now() - began);
        answers.set(seenOf(answer), kind);
      }),
    );
  }
  expect([...answers.keys()]).toEqual([expect.stringContaining('notusable')]);
  const medians = Object.fromEntries(
    [...times].map(([kind, took]) => [kind, took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0]),
  );
  process.stdout.write(`medians in milliseconds: ${JSON.stringify(medians)}\n`);
  const all = Object.values(medians);
  expect(Math.min(...all)).toBeGreaterThanOrEqual(399);
  expect(Math.max(...all) - Math.min(...all)).toBeLessThan(APART_MS);
});

test('no number that was entered, and no code beside its name, is in log, database or files', async () => {
  const sought = [...entered].flatMap(([number, code], index): Sought[] => [
    { name: `number ${index}`, value: number, kind: 'card number' },
    { name: `code ${index} in a form`, value: `giftCode=${code}`, kind: 'secret' },
    { name: `code ${index} in JSON`, value: `"giftCode":"${code}"`, kind: 'secret' },
    { name: `code ${index} of an entry`, value: `"code":"${code}"`, kind: 'secret' },
  ]);
  const unique = [...new Map(sought.map((one) => [one.value, one])).values()];
  const scanner = scannerFor(unique);
  const [log, dump] = [both.output(), Buffer.from(await dumpDatabase(both))];
  const { dataDir } = both.kontor.config;
  expect(log.toString()).toContain('/gift-card');
  expect(filesBelow(dataDir).length).toBeGreaterThan(0);
  expect([...scanner.scan(log), ...scanner.scan(dump), ...scanFolder(dataDir, scanner)]).toEqual([]);
});
