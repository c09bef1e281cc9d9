import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants, refuteBooks } from '../support/crash/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardCommand } from '../support/shop/card-command.ts';
import { type CardLife, cardLife } from '../support/shop/card-life.ts';

// More time for a card, and a way back from a sweep.

let kontor: TestService;
let life: CardLife;
let command: ReturnType<typeof cardCommand>;
beforeAll(async () => {
  kontor = await testService();
  life = cardLife(kontor);
  command = cardCommand(kontor);
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await kontor.stop();
});

const UNTIL = '2090-06-15';
const told = async (action: string, id: string) =>
  (await kontor.database.asAdmin(`select details from audit where action = '${action}' and object_id = '${id}'`)).map(
    ({ details }) => details,
  );
const eventsOf = async (id: string) =>
  (
    await kontor.database.asAdmin(
      `select type, payload from event where resource_id = '${id}' order by resource_sequence desc limit 1`,
    )
  )[0];

test('an expired card is good again once it is extended, with the code and the day that are printed on it', async () => {
  const card = await life.cards.issue(500);
  const id = card.paymentAccountId;
  await life.cards.expire(card);
  const { expiryDate } = (await life.cards.show(card)).body.giftCard;
  expect((await life.spend(card, 10)).body.state).toBe('FAILED');
  expect(await command.json(['extend', id, '--until', UNTIL])).toMatchObject({
    state: 'Active',
    expiryDate,
    goodUntil: UNTIL,
  });
  // To the end of that day where the payee is.
  expect(await life.row(`select expires_at from account where account_id = '${id}'`)).toEqual({
    expires_at: '2090-06-15T22:00:00.000Z',
  });
  expect((await life.spend(card, 10)).body.state).toBe('OK');
  expect((await life.cards.show(card)).body.giftCard).toMatchObject({ expiryDate, goodUntil: UNTIL, balance: 490 });
  const wrong = { amount: 10, accountIdentifier: { accountKey: card.accountKey, expiryDate: '06/90' } };
  expect((await life.shop.pay('authorize', card, wrong)).body.state).toBe('FAILED');
  expect(await told('extend-gift-card', id)).toEqual([{ day: UNTIL }]);
  expect(await eventsOf(id)).toEqual({ type: 'gift-card.extended', payload: { accountId: id, until: UNTIL } });
});

test('a reference names one extension; a day that is over, and one that is no later, are refused', async () => {
  const card = await life.cards.issue(500);
  const extend = (until: string, reference = newReference()) =>
    command.json(['extend', card.paymentAccountId, '--until', until, '--reference', reference]);
  await extend(UNTIL, 'more-time');
  await extend(UNTIL, 'more-time');
  expect(await told('extend-gift-card', card.paymentAccountId)).toHaveLength(1);
  await expect(extend('2091-01-01', 'more-time')).rejects.toMatchObject({ code: 'referencereused' });
  await expect(extend(UNTIL)).rejects.toThrow('The card is good until then, or longer.');
  await life.cards.expire(card);
  await expect(extend('2020-01-01')).rejects.toThrow(/good until then|is over/);
  await expect(extend('2090-02-30')).rejects.toThrow('A day is written as in');
});

test('a card in the place of an extended one has its last day printed', async () => {
  const card = await life.cards.issue(500);
  await command.json(['extend', card.paymentAccountId, '--until', UNTIL]);
  const { replacement } = (await life.done('replace', card)).body;
  expect(replacement.expiryDate).toBe(UNTIL);
  const made = { paymentAccountId: replacement.accountId, accountKey: replacement.accountKey, currency: 'NOK' };
  expect((await life.spend(made, 10)).body.state).toBe('OK');
});

test('a swept card gets back what was swept, and ends again by another sweep', async () => {
  const [breakage, card] = [await life.sideOf('Breakage'), await life.cards.issue(500)];
  const id = card.paymentAccountId;
  const restore = (until: string) => command.json(['restore', id, '--until', until]);
  await expect(restore(UNTIL)).rejects.toThrow('Only a card that was swept can be restored.');
  await life.cards.expire(card);
  await life.done('sweep', card);
  expect(await told('sweep-gift-card', id)).toEqual([{ amount: 500, currency: 'NOK' }]);
  await expect(restore('2020-01-01')).rejects.toThrow('That day is over.');
  expect(await restore(UNTIL)).toMatchObject({ state: 'Active', balance: 500, goodUntil: UNTIL });
  expect(await life.sideOf('Breakage')).toBe(breakage);
  expect(await told('restore-gift-card', id)).toEqual([{ amount: 500, currency: 'NOK', day: UNTIL }]);
  expect((await eventsOf(id))?.['payload']).toEqual({ accountId: id, amount: 500, currency: 'NOK', until: UNTIL });
  await expect(restore(UNTIL)).rejects.toThrow('Only a card that was swept can be restored.');
  expect((await life.spend(card, 200)).body.state).toBe('OK');
  await life.cards.expire(card);
  await life.done('sweep', card);
  expect([await life.sideOf('Breakage'), await life.stored(card)]).toEqual([
    breakage + 300,
    { available: 0, held: 0, closed: true },
  ]);
  expect(await restore('2091-06-15')).toMatchObject({ state: 'Active', balance: 300 });
});

test('of many who restore at once one does', async () => {
  const card = await life.cards.issue(70);
  await life.cards.expire(card);
  await life.done('sweep', card);
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => command.json(['restore', card.paymentAccountId, '--until', UNTIL])),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await life.stored(card)).toEqual({ available: 70, held: 0, closed: false });
});

test('ledger verify finds more given back than was swept, and a restored card without another last day', async () => {
  const card = await life.cards.issue(70);
  await life.cards.expire(card);
  await life.done('sweep', card);
  await command.json(['restore', card.paymentAccountId, '--until', UNTIL]);
  const damage = (day: string) =>
    kontor.database.asAdmin(`update gift_card set extended_to = ${day} where account_id = '${card.paymentAccountId}'`);
  await damage('null');
  expect(Object.values(await brokenInvariants(kontor))).toContain(`gift card ${card.paymentAccountId}`);
  await damage(`'${UNTIL}'`);
  expect(await brokenInvariants(kontor)).toEqual({});
});
