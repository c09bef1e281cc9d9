import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guesser } from '../../src/orders/guessing/guessing.types.ts';
import { judgeGiftCard } from '../../src/orders/guessing/judge-gift-card.flow.ts';
import { openService, type Service } from '../../src/wiring/service.ts';
import { wrongCode } from '../support/numbers.ts';
import { contextOf, type Entering, madeUpOrder } from '../support/payer/guessing.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardLife } from '../support/shop/card-life.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

// The limits and the one answer, each by a few entries, are in test/orders/guessing.test.ts.

const ENTRIES = 10_000;
const AT_ONCE = 8;
/** Entries of each kind that are timed, of which two travel at once: mixed with the others, so that what else the machine does slows all of them. More would wait for each other. */
const TIMED = 500;
const OF_A_KIND = 2;
/** Milliseconds that the medians of the kinds may lie apart. */
const APART_MS = 5;

let kontor: TestService;
/** Another instance on the same database. */
let other: Service;
beforeAll(async () => {
  kontor = await testService();
  other = await openService({ config: kontor.config, as: 'command', keys: 'required', tell: () => undefined });
});
afterAll(async () => {
  await other.close();
  await kontor.stop();
});

let turn = 0;
const address = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const newCounters = () => kontor.database.asAdmin('delete from gift_card_guess');

/** Enters a card at both instances turn about; without a pause of its own nothing waits. */
async function enter(
  { order = madeUpOrder(kontor.payeeId), number, code }: Entering,
  from: Pick<Guesser, 'address'>,
  pause: (durationMs: number) => Promise<void> = () => Promise.resolve(),
) {
  const service = turn++ % 2 === 0 ? kontor.service : other;
  const guesser = { ...from, isFree: false };
  const { outcome } = await judgeGiftCard(contextOf(service, pause), {
    order,
    added: [],
    entry: { number, code },
    guesser,
  });
  return outcome;
}

/** Wrong entries by so many addresses: how many of them were looked at. */
async function guess(addresses: number): Promise<number> {
  await newCounters();
  let made = 0;
  let judged = 0;
  const guesser = async () => {
    while (made < ENTRIES) {
      const index = made++;
      const number = `957801${String(index).padStart(10, '0')}`;
      const outcome = await enter({ number, code: '123' }, { address: address(index % addresses) });
      if (outcome !== 'closed') judged++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guesser));
  return judged;
}

test(`of ${ENTRIES} entries few are looked at, by one address and by 200, at two instances`, async () => {
  const judged = { one: await guess(1), many: await guess(200) };
  process.stdout.write(`of ${ENTRIES} entries looked at: ${JSON.stringify(judged)}\n`);
  expect(judged.one).toBe(10);
  // After the hundredth at the payee, an address waits behind three of its own.
  expect(judged.many).toBeGreaterThanOrEqual(100);
  expect(judged.many).toBeLessThanOrEqual(200 * 3);
}, 600_000);

test(`whatever cannot be used is told after the same time: medians of ${TIMED} each`, async () => {
  const life = cardLife(kontor);
  const seller = cardSeller(kontor);
  const cards = await Promise.all(Array.from({ length: OF_A_KIND }, () => seller.issue(500)));
  const [blocked, voided, expired] = await Promise.all([seller.issue(500), seller.issue(500), seller.issue(500)]);
  await life.done('block', blocked);
  await life.done('void', voided);
  await life.cards.expire(expired);
  const elsewhere = await kontor.addPayee();
  const of = (card: Pick<(typeof cards)[0], 'accountKey' | 'cvc'>) => ({ number: card.accountKey, code: card.cvc });
  const kinds: Readonly<Record<string, (index: number) => Entering>> = {
    'unknown number': () => ({ number: '9578099999999993', code: '123' }),
    'wrong check digit': (index) => {
      const { number, code } = of(cards[index] as (typeof cards)[0]);
      return { number: `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`, code };
    },
    "another payee's": (index) => ({
      ...of(cards[index] as (typeof cards)[0]),
      order: madeUpOrder(elsewhere.payeeId as never),
    }),
    'wrong code': (index) => {
      const { number, code } = of(cards[index] as (typeof cards)[0]);
      return { number, code: wrongCode(code) };
    },
    blocked: () => of(blocked),
    void: () => of(voided),
    'expired, wrong code': () => ({ ...of(expired), code: wrongCode(of(expired).code) }),
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  const pause = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
  const inTurn = Object.entries(kinds);
  for (let from = 0; from < TIMED; from += OF_A_KIND) {
    await newCounters();
    // Who is sent last waits longest: each kind is that as often as any other.
    inTurn.push(...inTurn.splice(0, 1));
    const entries = Array.from({ length: OF_A_KIND }, (_, index) =>
      inTurn.map(async ([kind, entry]) => {
        const began = performance.now();
        const outcome = await enter(entry(index), { address: address(turn) }, pause);
        times.get(kind)?.push(performance.now() - began);
        expect(outcome, kind).toBe('notusable');
      }),
    );
    await Promise.all(entries.flat());
  }
  const medians = Object.fromEntries(
    [...times].map(([kind, took]) => [kind, took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0]),
  );
  process.stdout.write(`medians in milliseconds: ${JSON.stringify(medians)}\n`);
  expect(Math.min(...Object.values(medians))).toBeGreaterThanOrEqual(399);
  expect(Math.max(...Object.values(medians)) - Math.min(...Object.values(medians))).toBeLessThan(APART_MS);
}, 600_000);
