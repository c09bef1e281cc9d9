import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidV7 } from '../../src/kit/ids.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { placesOf } from '../../src/orders/guessing/counters.ts';
import { deleteOldCounters } from '../../src/orders/guessing/guesses.store.ts';
import type { GiftCardJudged, Guesser, GuessingContext } from '../../src/orders/guessing/guessing.types.ts';
import { judgeEntries } from '../../src/orders/guessing/judge-entry.ts';
import { entriesClosed, judgeGiftCard } from '../../src/orders/guessing/judge-gift-card.flow.ts';
import { guessingEvents, guessingMetrics } from '../../src/wiring/metrics/guessing-metrics.ts';
import { openService, type Service } from '../../src/wiring/service.ts';
import { wrongCode } from '../support/numbers.ts';
import type { KnownPaymentOrder } from '../support/payer/guessing.ts';
import { contextOf, type Entering, madeUpOrder, storePaidOrder } from '../support/payer/guessing.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardLife, cardLife } from '../support/shop/card-life.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

let kontor: TestService;
/** Another instance on the same database. */
let other: Service;
let life: CardLife;
const waits: number[] = [];

beforeAll(async () => {
  kontor = await testService();
  other = await openService({ config: kontor.config, as: 'command', keys: 'required', tell: () => undefined });
  life = cardLife(kontor);
});
afterAll(async () => {
  await other.close();
  await kontor.stop();
});

const sql = (text: string) => kontor.database.asAdmin(text);

const forgetPayee = () => sql(`delete from gift_card_guess where kind in ('payee', 'attack')`);

let turn = 0;
let lastAddress = 0;
/** An address that has entered nothing yet. */
const newAddress = () => `198.51.${Math.floor(++lastAddress / 250)}.${lastAddress % 250}`;

/** Enters a card, at both instances turn about, by an address of its own where none is named. */
function enter({
  order = madeUpOrder(kontor.payeeId),
  number,
  code,
  added = [],
  listener,
  ...guesser
}: Entering & Partial<Guesser> & Pick<GuessingContext, 'listener'>): Promise<GiftCardJudged> {
  const service = turn++ % 2 === 0 ? kontor.service : other;
  const pause = async (durationMs: number) => void waits.push(durationMs);
  const from = { address: newAddress(), isFree: false, ...guesser };
  return judgeGiftCard(
    { ...contextOf(service, pause), ...(listener && { listener }) },
    {
      order,
      added: added as AccountId[],
      entry: { number, code },
      guesser: from,
    },
  );
}

/** A code that is not this one. */

async function newCard(amount = 500) {
  const card = await cardSeller(kontor).issue(amount);
  return { ...card, number: card.accountKey, code: card.cvc };
}

describe('an entry', () => {
  test('is good for a card with money, and waits as long as any other', async () => {
    const card = await newCard();
    waits.length = 0;
    const judged = await enter(card);
    expect(judged).toMatchObject({ outcome: 'ok', account: { accountId: card.paymentAccountId, available: 500 } });
    expect(waits).toEqual([400]);
  });

  test('tells the same of all that cannot be used', async () => {
    const [card, blocked, voided] = await Promise.all([newCard(), newCard(), newCard()]);
    await life.done('block', blocked);
    await life.done('void', voided);
    const elsewhere = await kontor.addPayee();
    const typo = `${card.number.slice(0, -1)}${(Number(card.number.at(-1)) + 1) % 10}`;
    const answers = await Promise.all([
      enter({ number: '9578099999999993', code: '123' }),
      enter({ number: typo, code: card.code }),
      enter({ ...card, order: madeUpOrder(elsewhere.payeeId) }),
      enter({ ...card, code: wrongCode(card.code) }),
      enter({ ...card, code: '' }),
      enter(blocked),
      enter(voided),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"outcome":"notusable"}']));
  });

  test('tells who knows number and code what is in the way', async () => {
    const [card, empty] = await Promise.all([newCard(), newCard(100)]);
    await life.spend(empty, 100);
    const order = madeUpOrder(kontor.payeeId, { currency: 'SEK' as KnownPaymentOrder['currency'] });
    expect(await enter({ ...card, order })).toEqual({ outcome: 'currency' });
    expect(await enter(empty)).toEqual({ outcome: 'empty' });
    const added = [card.paymentAccountId];
    expect(await enter({ ...card, added })).toEqual({ outcome: 'alreadyadded' });
    expect(await enter({ ...card, code: wrongCode(card.code), added })).toEqual({ outcome: 'notusable' });
    await sql(`update account set expires_at = kontor_now() where account_id = '${card.paymentAccountId}'`);
    expect(await enter(card)).toEqual({ outcome: 'expired' });
  });
});

describe('limits', () => {
  test('an order takes five wrong entries, at both instances together and at once', async () => {
    const order = madeUpOrder(kontor.payeeId);
    const card = await newCard();
    const tries = Array.from({ length: 12 }, () => enter({ order, number: card.number, code: wrongCode(card.code) }));
    const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'notusable')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'closed')).toHaveLength(7);
    expect(await enter({ ...card, order })).toEqual({ outcome: 'closed' });
    expect(
      await entriesClosed(contextOf(other), {
        order,
        guesser: { address: '203.0.113.9', isFree: true },
      }),
    ).toEqual({ outcome: 'closed' });
  });

  test('an order takes twenty entries, right ones too, also where the rest is free', async () => {
    const order = madeUpOrder(kontor.payeeId);
    const card = await newCard();
    for (let entry = 0; entry < 20; entry++) {
      expect((await enter({ ...card, order, isFree: true })).outcome).toBe('ok');
    }
    expect((await enter({ ...card, order, isFree: true })).outcome).toBe('closed');
  });

  test('a network that entered ten wrong ones is closed, for all orders of the payee and no other network', async () => {
    const address = '2001:db8:1:200::';
    const card = await newCard();
    const tries = Array.from({ length: 15 }, (_, index) =>
      enter({ number: `957801${String(index).padStart(10, '0')}`, code: '123', address: `${address}${index}` }),
    );
    const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'notusable')).toHaveLength(10);
    const shut = await enter({ ...card, address: `${address}ff` });
    expect(shut).toEqual({ outcome: 'closed', retryAfterSeconds: expect.any(Number) });
    expect(await enter({ ...card, address: '2001:db8:1:2ff::1' }), 'of the same /56').toEqual(shut);
    expect((await enter({ ...card, address: '2001:db8:1:300::1' })).outcome).toBe('ok');
  });

  test('a /48 gets no more than four networks, and a valid card of its own gets it none more', async () => {
    const own = await newCard();
    /** How many of 80 guesses, each by a /56 of its own, are looked at. */
    const guess = async (site: string, buys: boolean) => {
      // What the payee's limit has counted so far is not asked about here.
      await forgetPayee();
      let judged = 0;
      for (let index = 0; index < 80; index++) {
        const address = `2001:db8:${site}:${(index * 256).toString(16)}::1`;
        if (buys) await enter({ ...own, address });
        const number = `957803${site}${String(index).padStart(8, '0')}`;
        if ((await enter({ number, code: '123', address })).outcome === 'notusable') judged++;
      }
      return judged;
    };
    expect([await guess('10', false), await guess('11', true)]).toEqual([40, 40]);
    expect((await enter({ ...own, address: '2001:db8:12::1' })).outcome, 'another /48').toBe('ok');
    await forgetPayee();
  });

  test('a payer who types a wrong digit twice gets in, and one card is counted once', async () => {
    const card = await newCard();
    const address = '2001:db8:13:1::1';
    const typos = [1, 2].map((more) => `${card.number.slice(0, -1)}${(Number(card.number.at(-1)) + more) % 10}`);
    for (const number of typos) await enter({ ...card, number, address });
    expect((await enter({ ...card, address })).outcome).toBe('ok');
    // Of a family that has forgotten which code is the right one: its card is closed before its network is.
    for (let entry = 0; entry < 12; entry++) await enter({ ...card, code: wrongCode(card.code), address });
    expect((await enter({ ...(await newCard()), address })).outcome).toBe('ok');
  });

  test('what is wrong on pages closes a card to pages alone, and its payer gets in all the same', async () => {
    const card = await newCard();
    for (let entry = 0; entry < 5; entry++) await enter({ ...card, code: wrongCode(card.code) });
    expect((await enter(card)).outcome).toBe('notusable');
    expect((await life.spend(card, 10)).body).toMatchObject({ state: 'OK' });
    expect((await life.cards.show(card)).body.giftCard.state).toBe('Active');
    const payerReference = 'anna';
    const terms = { ...madeUpOrder(kontor.payeeId).terms, payerReference };
    const ofPayer = () => madeUpOrder(kontor.payeeId, { terms });
    expect((await enter({ ...card, order: ofPayer() })).outcome).toBe('notusable');
    await storePaidOrder(kontor, { accountId: card.paymentAccountId, payerReference });
    expect((await enter({ ...card, order: ofPayer() })).outcome).toBe('ok');
    for (let entry = 0; entry < 5; entry++) await enter({ ...card, order: ofPayer(), code: wrongCode(card.code) });
    expect((await enter({ ...card, order: ofPayer() })).outcome).toBe('notusable');
  });

  test('a card that is closed a second time is told of once, in the order of its other events', async () => {
    const card = await newCard();
    const tellings = async () =>
      sql(
        `select resource_sequence as sequence from event where resource_id = '${card.paymentAccountId}' and type = 'gift-card.guessed-at'`,
      );
    for (let entry = 0; entry < 5; entry++) await enter({ ...card, code: wrongCode(card.code) });
    expect(await tellings()).toEqual([]);
    await sql(`update gift_card_guess set closed_until = kontor_now() where kind = 'card'`);
    for (let entry = 0; entry < 5; entry++) await enter({ ...card, code: wrongCode(card.code) });
    expect(await tellings()).toHaveLength(1);
    expect((await life.done('block', card)).status).toBe(200);
  });

  test('while the cards of a payee are guessed a network waits after three wrong entries, and the payee is told once', async () => {
    const { payeeId } = await kontor.addPayee();
    const [registry, lines] = [new Registry(), [] as unknown[]];
    const listener = guessingEvents(
      { warn: (members: object) => lines.push(members) } as never,
      guessingMetrics(registry),
    );
    const guess = (more: Partial<Guesser> = {}, order = madeUpOrder(payeeId)) =>
      enter({ number: `957802${String(++lastAddress).padStart(10, '0')}`, code: '123', order, listener, ...more });
    const outcomes: string[] = [];
    for (let round = 0; round < 11; round++) {
      const together = await Promise.all(Array.from({ length: 10 }, () => guess()));
      outcomes.push(...together.map(({ outcome }) => outcome));
    }
    // Each came from a network of its own.
    expect(new Set(outcomes)).toEqual(new Set(['notusable']));
    const address = '203.0.113.77';
    for (let entry = 0; entry < 3; entry++) expect((await guess({ address })).outcome).toBe('notusable');
    expect(await guess({ address })).toEqual({ outcome: 'closed', retryAfterSeconds: expect.any(Number) });
    expect((await guess()).outcome, 'from another network').toBe('notusable');
    const told = await sql(`select from event where payee_id = '${payeeId}' and type = 'gift-card.guessing'`);
    expect(told).toHaveLength(1);
    expect(lines).toEqual([{ payeeId }]);
    const metrics = await registry.metrics();
    expect(metrics).toContain('kontor_gift_card_guessing_total 1');
    expect(metrics).toMatch(/kontor_gift_card_entries_total\{outcome="notusable"\} 1\d\d\n/);
    expect(metrics).toMatch(/kontor_gift_card_entries_total\{outcome="closed"\} \d+\n/);
  });
});

test('entries of several payees wait for one another in one order, whichever comes first', async () => {
  const [one, two] = [(await kontor.addPayee()).payeeId, (await kontor.addPayee()).payeeId];
  const entry = { number: '9578029999999993', code: '123' };
  for (const payeeId of [one, two]) await enter({ ...entry, order: madeUpOrder(payeeId) });
  // The next wrong one of either is the hundredth.
  await sql(
    `update gift_card_guess set entries = 99, wrong = 99 where kind = 'payee' and payee_id in ('${one}', '${two}')`,
  );
  const { keyRing } = contextOf(kontor.service);
  const place = (payeeId: typeof one) => {
    const asked = { order: madeUpOrder(payeeId), guesser: { address: newAddress(), isFree: false } };
    // Of a card that was not entered before: the same one again counts nothing.
    const next = { ...entry, number: '9578049999999991' };
    return { ...asked, added: [], entry: next, places: placesOf(keyRing, asked, next.number) };
  };
  /** What these entries come to, and what they have locked once each was looked at. It is not kept. */
  const judged = async (payees: readonly (typeof one)[]) => {
    const locked: unknown[] = [];
    let outcomes: readonly unknown[] = [];
    const work = kontor.service.database.transact(async ({ run }) => {
      const noting: typeof run = (statement, values) => {
        if (statement.name === 'orders-lock-guesses') locked.push(values);
        return run(statement, values);
      };
      const context = { keyRing, newId: () => uuidV7(Date.now()) };
      outcomes = (await judgeEntries({ run: noting }, context, payees.map(place))).map(
        ({ judged: { outcome }, isNews }) => `${outcome}${isNews ? ', attacked' : ''}`,
      );
      throw new Error('It is not kept.');
    });
    await expect(work).rejects.toThrow('It is not kept.');
    return { outcomes, attacks: locked.slice(1) };
  };
  const first = await judged([one, two, two]);
  const second = await judged([two, two, one]);
  expect(first.outcomes).toEqual(['notusable, attacked', 'notusable, attacked', 'notusable']);
  expect(second.outcomes).toEqual(['notusable, attacked', 'notusable', 'notusable, attacked']);
  expect(first.attacks).toHaveLength(2);
  expect(second.attacks).toEqual(first.attacks);
});

test('counters are forgotten once they say nothing, and hold neither numbers nor addresses', async () => {
  const card = await newCard();
  await enter({ ...card, code: wrongCode(card.code), address: '192.0.2.77' });
  const rows = await sql(`select string_agg(g::text, ' ') as text from gift_card_guess g`);
  expect(rows[0]?.['text']).not.toContain(card.number);
  expect(rows[0]?.['text']).not.toContain('192.0.2.77');
  // In one transaction: else the job of the service may be the first to delete them.
  const deleted = await kontor.service.database.transact(async (transaction) => {
    const text = `update gift_card_guess set forget_at = kontor_now() - interval '1 second'`;
    await transaction.run({ name: 'test-age-guesses', text }, []);
    return deleteOldCounters(transaction, 1000);
  });
  expect(deleted).toBeGreaterThan(0);
  expect(await sql('select from gift_card_guess')).toEqual([]);
});
