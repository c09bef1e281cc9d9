import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../src/kit/caller.ts';
import { createAccessToken, rotateAccessToken } from '../src/merchants/access-tokens/access-tokens.ts';
import { createHmacKey, rotateHmacKey } from '../src/merchants/hmac-keys/hmac-keys.ts';
import { refuteBooks } from './support/crash/books.ts';
import { testCardNumber } from './support/numbers.ts';
import { type Answer, type TestService, testService } from './support/service.ts';
import { accountsShop, paid } from './support/shop/accounts-shop.ts';
import { cardPaymentsShop } from './support/shop/card-payments-shop.ts';
import { cardShop } from './support/shop/card-shop.ts';

// One story: things are made, the clock of the database is set back by an hour, and they are changed.
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await kontor.stop();
});

const setBack = (hours: number) =>
  kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
    return date_trunc('milliseconds', clock_timestamp()) - interval '${hours} hours'`);

/** What is done with something later on, by what it is called. */
type Later = Readonly<Record<string, () => Promise<Answer>>>;

async function accountPayments(): Promise<Later> {
  const shop = accountsShop(kontor);
  const made = await Promise.all(
    ['capture', 'cancel', 'reversal', 'expiry'].map(async () =>
      paid(shop.nok, await shop.pay('authorize', shop.nok, { amount: 500 })),
    ),
  );
  const [toCapture, toCancel, toReverse] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
  await shop.follow('capture', toReverse, { amount: 500 });
  return {
    'capture of an account payment': () => shop.follow('capture', toCapture, { amount: 200 }),
    'cancel of an account payment': () => shop.follow('cancel', toCancel, { amount: 500 }),
    'reversal of an account payment': () => shop.follow('reversal', toReverse, { amount: 100 }),
    'purchase on the same account': () => shop.pay('purchase', shop.nok, { amount: 100 }),
  };
}

async function cardPayments(): Promise<Later> {
  const shop = cardPaymentsShop(kontor);
  const authorized = async () => {
    const id = await shop.purchase(1000);
    await shop.authorize(id);
    return id;
  };
  const [toCapture, toCancel, toReverse] = [await authorized(), await authorized(), await authorized()];
  await shop.follow(toReverse, 'captures', { amount: 1000, vatAmount: 0, description: 'All' });
  const unpaid = [await shop.purchase(1000), await shop.purchase(1000)] as const;
  const part = { amount: 100, vatAmount: 0, description: 'A part' };
  return {
    'capture of a card payment': () => shop.follow(toCapture, 'captures', part),
    'cancellation of a card payment': () => shop.follow(toCancel, 'cancellations', { description: 'All' }),
    'reversal of a card payment': () => shop.follow(toReverse, 'reversals', part),
    'authorization of a card payment': () => shop.authorize(unpaid[0]),
    'abort of a card payment': () => shop.abort(unpaid[1]),
  };
}

async function giftCards(): Promise<Later> {
  const cards = cardShop(kontor);
  const [blocked, voided, merged, into] = await Promise.all([500, 500, 500, 500].map((amount) => cards.issue(amount)));
  if (!blocked || !voided || !merged || !into) throw new Error('four cards were issued');
  return {
    'block of a gift card': () => cards.step('block', blocked),
    'unblock of a gift card': () => cards.step('unblock', blocked),
    'void of a gift card': () => cards.step('void', voided),
    'replacement of a gift card': () => cards.step('replace', merged),
  };
}

async function tokens(): Promise<Later> {
  const lines = [1, 2].map((index) => ({
    payerReference: 'anna',
    tokenType: 'Payment',
    instrument: 'CreditCard',
    pan: testCardNumber(index),
    expiryDate: '12/2039',
  }));
  await kontor.importLines([...lines.map((line) => ({ ...line })), { ...lines[0], payerReference: 'bo' }]);
  const list = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`);
  const href = (index: number, rel: string): string =>
    list.body.tokens.tokenlist[index].operations.find((operation: { rel: string }) => operation.rel === rel).href;
  const patch = (address: string, body: object) => kontor.send('PATCH', address, { body });
  return {
    'new name of a token': () => patch(href(0, 'update-displayname'), { displayName: 'The blue card' }),
    'another name of a token': () => patch(href(0, 'update-displayname'), { displayName: 'The red card' }),
    'archive of a token': () => patch(href(1, 'archive-token'), { reason: 'lost', updatedBy: 'PAYEE' }),
    'deletion of tokens': () =>
      patch('/psp/paymentorders/payerownedtokens/anna', { state: 'Deleted', comment: 'closed her account' }),
  };
}

async function webhooks(): Promise<Later> {
  const made = await kontor.send('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/hooks' } });
  const { id } = made.body.webhook;
  return {
    'change of a webhook': () => kontor.send('PATCH', id, { body: { description: 'Orders' } }),
    'rotation of its secret': () => kontor.send('POST', `${id}/secrets`, { body: {} }),
  };
}

test('every change answers as if the clock had gone on', async () => {
  const later = {
    ...(await accountPayments()),
    ...(await cardPayments()),
    ...(await giftCards()),
    ...(await tokens()),
    ...(await webhooks()),
  };
  await setBack(1);
  const refused: string[] = [];
  for (const [name, change] of Object.entries(later)) {
    const { status, text } = await change();
    if (status !== 200 && status !== 201) refused.push(`${name}: ${status} ${text}`);
  }
  expect(refused).toEqual([]);
});

test('credentials that were made before can be rotated, with an overlap that would be over before they were made', async () => {
  const { payeeId, service } = kontor;
  const { transact } = service.database;
  await setBack(0);
  const who = { payeeId, actor: COMMAND_LINE };
  const token = await transact((work) =>
    createAccessToken(work, service.merchants, { ...who, name: 'Old', scopes: ['events'] }),
  );
  const key = await transact((work) => createHmacKey(work, service.merchants, who));
  await setBack(2);
  const overlap = '1h';
  await transact((work) =>
    rotateAccessToken(work, service.merchants, { ...who, accessTokenId: token.accessTokenId, overlap }),
  );
  await transact((work) => rotateHmacKey(work, service.merchants, { ...who, keyId: key.user, overlap }));
});

/** Columns that say when a row began, and those that say what came later: of whatever table has both. */
const BEGIN = ['created_at', 'issued_at', 'signed_in_at'];

test('no row has a time before its beginning', async () => {
  const columns = await kontor.database.asAdmin(`
    select b.table_name as "table", b.column_name as began, l.column_name as later
    from information_schema.columns b
    join information_schema.columns l on l.table_schema = b.table_schema and l.table_name = b.table_name
    join information_schema.tables t on t.table_schema = b.table_schema and t.table_name = b.table_name
    where b.table_schema = current_schema() and t.table_type = 'BASE TABLE' and b.column_name in ('${BEGIN.join("', '")}')
      and l.data_type = 'timestamp with time zone' and l.column_name <> b.column_name`);
  expect(columns.length).toBeGreaterThan(15);
  const early: string[] = [];
  for (const { table, began, later } of columns) {
    const rows = await kontor.database.asAdmin(`select from ${table} where ${later} < ${began}`);
    // When it is looked at again: now, and not a time of the row's.
    const isPlan = ['next_try_at', 'next_probe_at', 'leased_until', 'due_at'].includes(String(later));
    if (rows.length > 0 && !isPlan) early.push(`${table}.${later} before ${began}: ${rows.length}`);
  }
  expect(early).toEqual([]);
});

test('events of a resource and movements of a payment are in their order', async () => {
  const events = await kontor.database.asAdmin(`
    select a.type, b.type from event a
    join event b on b.payee_id = a.payee_id and b.resource_kind = a.resource_kind and b.resource_id = a.resource_id
      and b.resource_sequence = a.resource_sequence + 1
    where b.happened_at < a.happened_at`);
  expect(events).toEqual([]);
  const movements = await kontor.database.asAdmin(`
    select m.kind, m.happened_at, p.created_at from movement m join payment p using (payee_id, payment_id)
    where m.happened_at < p.created_at`);
  expect(movements).toEqual([]);
});
