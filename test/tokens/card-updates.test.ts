import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kit/secret.ts';
import { lockImports } from '../../src/tokens/import/import.store.ts';
import type { CardToUpdate } from '../../src/tokens/import/import.types.ts';
import { freshCard } from '../support/numbers.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { ARCHIVED, type Line } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, type Shop } from '../support/shop/tokens-shop.ts';
import { until } from '../support/until.ts';

// What an acquirer says of a card in its answer to a payment: it was replaced, renewed or closed. Over the sockets to the test acquirer.

const [REPLACED, RENEWED, CLOSED, UNREADABLE] = [900350, 900352, 900353, 900355];

let shop: Shop;
let other: Shop;
beforeAll(async () => {
  shop = await openShop();
  other = await anotherShop(shop);
});
afterAll(() => shop.stop());

const payments = () => cardPaymentsShop(shop);
const line = (pan: string, members: Line = {}): Line => ({
  payerReference: 'anna',
  tokenType: 'Recurrence',
  instrument: 'CreditCard',
  expiryDate: '01/2030',
  pan,
  ...members,
});
let references = 0;
/** A payment by the merchant with a token, of an amount that has the acquirer say something. */
const recur = (recurrenceToken: string, amount: number) => {
  references += 1;
  const payeeInfo = { payeeReference: `update-${references}` };
  return payments().create({ operation: 'Recur', prices: undefined, amount, vatAmount: 0, recurrenceToken, payeeInfo });
};
/** The card behind a token, as it is stored. */
const cardOf = async (token: string) =>
  (
    await shop.database.asAdmin(`
      select i.masked, t.expiry_date as expiry, t.state, t.archived_by as by
      from payer_token t left join instrument i using (payee_id, instrument_id) where t.token = '${token}'`)
  )[0] as { masked: string; expiry: string; state: string; by: string | null };
const eventsOf = async (token: string) =>
  (
    await shop.database.asAdmin(`select type from event where resource_id like '${token}-%' order by resource_sequence`)
  ).map(({ type }) => type);
/** What an answer says is written behind it. */
async function isWritten(token: string): Promise<void> {
  await until(async () => (await eventsOf(token)).length > 0, 10_000);
}

describe('an answer that says that the card was replaced', () => {
  test('gives all tokens of the payee with that card the new one, and what else they are stays', async () => {
    const pan = freshCard('debit');
    const [paid = '', ofBerit = '', archived = ''] = await shop.store(
      line(pan),
      line(pan, { payerReference: 'berit', tokenType: 'Payment' }),
      line(pan, { payerReference: 'carl', ...ARCHIVED }),
    );
    const [foreign = ''] = await other.store(line(pan));
    const before = (await shop.get(shop.tokenPath(paid))).body.token;
    expect((await recur(paid, REPLACED)).body.payment).toMatchObject({ operation: 'Recur', state: 'Ready' });
    await isWritten(paid);
    const after = (await shop.get(shop.tokenPath(paid))).body.token;
    const { instrumentParameters: had, ...stays } = before;
    const { instrumentParameters: has, ...stayed } = after;
    expect(stayed).toEqual(stays);
    expect(has.cardBrand).toBe(had.cardBrand);
    expect(has.lastFourPan).not.toBe(had.lastFourPan);
    const [card, ...others] = await Promise.all([paid, ofBerit, archived].map(cardOf));
    expect(card).toMatchObject({ expiry: '01/2033', state: 'Active' });
    expect(card?.masked.slice(0, 6)).toBe(pan.slice(0, 6));
    expect(others).toEqual([
      { ...card, state: 'Active' },
      { ...card, state: 'Archived', by: 'TOKEN_ISSUER' },
    ]);
    expect(await eventsOf(ofBerit)).toEqual(['token.updated']);
    const updates = (await shop.auditOf(paid)).filter(({ action }) => action === 'update-token');
    expect(updates).toEqual([expect.objectContaining({ actor: 'service' })]);
    // Of another payee's token another acquirer tells, or this one under its own agreement.
    expect(await cardOf(foreign)).toMatchObject({ masked: expect.stringContaining(pan.slice(-4)), expiry: '01/2030' });
    expect(await eventsOf(foreign)).toEqual([]);
  });

  test('changes nothing when it is said again of the old number', async () => {
    const pan = freshCard('debit');
    const [token = ''] = await shop.store(line(pan));
    await Promise.all([recur(token, REPLACED), recur(token, REPLACED)]);
    await isWritten(token);
    const card = await cardOf(token);
    const id = await payments().purchase(REPLACED);
    expect((await payments().authorize(id, { cardNumber: pan })).status).toBe(200);
    // Written in their order: when this one is, those before are.
    const [last = ''] = await shop.store(line(freshCard('debit')));
    await recur(last, RENEWED);
    await isWritten(last);
    expect(await cardOf(token)).toEqual(card);
    expect(await eventsOf(token)).toEqual(['token.updated']);
  });

  test('leaves no number in the clear in the database', async () => {
    const pan = freshCard('debit');
    const [token = ''] = await shop.store(line(pan));
    await recur(token, REPLACED);
    await isWritten(token);
    const { masked } = await cardOf(token);
    const whole = `${masked.slice(0, 6)}[0-9]{6}${masked.slice(-4)}`;
    const tables = await shop.database.asAdmin(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const [found] = await shop.database.asAdmin(
        `select count(*)::int as rows from "${name}" t where t::text ~ '(^|[^0-9a-f])${whole}([^0-9a-f]|$)'`,
      );
      expect([name, found?.['rows']]).toEqual([name, 0]);
    }
  });

  test('is not waited for: the payment is answered while the update waits for an import', async () => {
    const pan = freshCard('debit');
    const [token = ''] = await shop.store(line(pan));
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const importing = shop.service.database.transact(async (transaction) => {
      await lockImports(transaction, shop.payeeId);
      await held;
    });
    expect((await recur(token, REPLACED)).status).toBe(200);
    expect(await eventsOf(token)).toEqual([]);
    end();
    await importing;
    await isWritten(token);
  });
});

test('an answer with a new expiry gives it to tokens that end before, and to no others', async () => {
  const pan = freshCard('debit');
  const [token = '', later = ''] = await shop.store(
    line(pan),
    line(pan, { payerReference: 'berit', tokenType: 'Payment', expiryDate: '02/2033' }),
  );
  await recur(token, RENEWED);
  await isWritten(token);
  expect(await cardOf(token)).toMatchObject({ expiry: '01/2033', masked: expect.stringContaining(pan.slice(-4)) });
  expect(await cardOf(later)).toMatchObject({ expiry: '02/2033' });
  expect(await eventsOf(later)).toEqual([]);
});

test('an answer that says that the card was closed archives its tokens, once, whatever becomes of the payment', async () => {
  const pan = freshCard('debit');
  const [token = '', same = '', archived = ''] = await shop.store(
    line(pan),
    line(pan, { tokenType: 'Payment' }),
    line(pan, { payerReference: 'carl', ...ARCHIVED, archivedBy: 'PAYEE' }),
  );
  const [foreign = ''] = await other.store(line(pan));
  expect((await recur(token, CLOSED)).body.payment.state).toBe('Failed');
  await isWritten(token);
  expect(await cardOf(token)).toMatchObject({ state: 'Archived', by: 'TOKEN_ISSUER' });
  expect(await cardOf(same)).toMatchObject({ state: 'Archived', by: 'TOKEN_ISSUER' });
  expect(await cardOf(archived)).toMatchObject({ state: 'Archived', by: 'PAYEE' });
  expect(await cardOf(foreign)).toMatchObject({ state: 'Active' });
  const id = await payments().purchase(CLOSED);
  await payments().authorize(id, { cardNumber: pan });
  expect(await eventsOf(token)).toEqual(['token.archived']);
});

test('an answer with a number whose check digit is wrong changes nothing', async () => {
  const [token = '', last = ''] = await shop.store(line(freshCard('debit')), line(freshCard('debit')));
  const before = await cardOf(token);
  expect((await recur(token, UNREADABLE)).body.payment.state).toBe('Ready');
  // Written in their order: when this one is, that before is done.
  await recur(last, RENEWED);
  await isWritten(last);
  expect(await cardOf(token)).toEqual(before);
  expect(await eventsOf(token)).toEqual([]);
});

describe('a new number', () => {
  const give = (number: string, update: CardToUpdate['update']) =>
    shop.service.database.transact((transaction) =>
      shop.service.slices.tokens.updateCard(transaction, { payeeId: shop.payeeId, number: new Secret(number), update }),
    );
  const number = (pan: string) => ({ kind: 'Replaced', number: new Secret(pan), expiryDate: undefined }) as const;

  test('of another brand is taken: schemes move whole portfolios', async () => {
    const [pan, next] = [freshCard('debit'), freshCard('credit')];
    const [token = ''] = await shop.store(line(pan));
    expect(await give(pan, number(next))).toBe('Updated');
    expect((await shop.get(shop.tokenPath(token))).body.token.instrumentParameters.cardBrand).toBe('Mastercard');
  });

  test('that is no test card is refused in the sandbox', async () => {
    const pan = freshCard('debit');
    const [token = ''] = await shop.store(line(pan));
    expect(await give(pan, number(`4${'1'.repeat(15)}`))).toBe('Refused');
    expect((await cardOf(token)).masked).toContain(pan.slice(-4));
  });

  test('does nothing to a deleted token, to one of no card, and where the number is the same', async () => {
    const pan = freshCard('debit');
    const [token = ''] = await shop.store(line(pan));
    expect(await give(pan, number(pan))).toBe('Unchanged');
    await shop.remove('recurrenceTokens', token);
    expect(await give(pan, number(freshCard('debit')))).toBe('Unchanged');
    expect(await eventsOf(token)).toEqual(['token.deleted']);
  });
});
