import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { associatedDataOf } from '../../src/gift-cards/cards/associated-data.rules.ts';
import { NEW_CARD } from '../../src/gift-cards/gift-card-kinds.ts';
import type { CardDraft, NewCardResult, ProductOnSale } from '../../src/gift-cards/gift-cards.types.ts';
import { SEALED_USE } from '../../src/gift-cards/key-uses.ts';
import type { KeyId } from '../../src/keys/keys.types.ts';
import { switchKey } from '../../src/keys/switch-key.ts';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { randomDigits } from '../../src/kit/secret.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addAccounts, addPayee, PAY, pay, type TestLedger, testLedger } from '../support/database/ledger.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { type Instance, instance, keyFolder } from '../support/keys.ts';
import { addProduct, draftCard, newCard, productTerms } from '../support/shop/gift-cards.ts';

let database: TestDatabase;
let keys: Awaited<ReturnType<typeof keyFolder>>;
let service: Instance;
let payeeId: PayeeId;
let product: ProductOnSale;
let one: TestLedger;
let two: TestLedger;

beforeAll(async () => {
  keys = await keyFolder();
  database = await testDatabase();
  service = instance(database, keys.path('keys.json'));
  await service.start();
  payeeId = await addPayee(database);
  product = await addProduct(database, productTerms(payeeId));
  one = testLedger(database);
  two = testLedger(database);
});
afterAll(async () => {
  await one.database.close();
  await two.database.close();
  await database.drop();
  await keys.remove();
});

const draft = (digits = randomDigits): CardDraft => draftCard(service, product, digits).draft;
const ofSequence = async (query: string) => (await database.asAdmin(query))[0];
const account = ({ opening }: CardDraft) =>
  ofSequence(`select available, entry_count, instrument, currency, expires_on::text, cvc_required, allowed_product_ids,
    largest_balance, blocked_at from account where account_id = '${opening.accountId}'`);

function issued(result: NewCardResult): Extract<NewCardResult, { kind: 'Issued' }> {
  expect(result.kind).toBe('Issued');
  return result as Extract<NewCardResult, { kind: 'Issued' }>;
}

describe('a new card', () => {
  test('is made of a product: its number, its expiry, its limits', async () => {
    const { number, draft: made } = draftCard(service, product);
    expect(number.reveal()).toMatch(/^95781[0-9]{11}$/);
    expect(passesLuhn(number.reveal())).toBe(true);
    const [day] = await database.asAdmin(`
      select (date_trunc('month', kontor_now() at time zone 'Europe/Oslo') + interval '25 months' - interval '1 day')::date::text
        as last`);
    expect(made.opening).toMatchObject({ expiresOn: day?.['last'], currency: 'NOK', largestBalance: 2_000_000 });
  });

  test('is stored with its account, its payment and the payment’s number in one batch', async () => {
    const made = draft();
    const { payment } = issued(await one.ledger.submit(NEW_CARD, newCard(made, 500)));
    expect(payment).toMatchObject({ operation: 'Deposit', state: 'OK', amount: 500, captured: 500 });
    expect(await account(made)).toMatchObject({ available: 500, entry_count: 1, instrument: 'giftcard' });
    const [stored] = await database.asAdmin(`
      select number, c.product_id, c.event_sequence from payment_number n
      join payment p using (payee_id, payment_id) join gift_card c using (payee_id, account_id)
      where p.payment_id = '${payment.paymentId}'`);
    expect(stored).toMatchObject({ number: payment.echo['paymentNumber'], product_id: '1000' });
  });

  test('leaves one audit row and one event, which say what it holds', async () => {
    const made = draft();
    const { payment } = issued(await one.ledger.submit(NEW_CARD, newCard(made, 500)));
    const { accountId, numberMasked } = made.opening;
    const { paymentId } = payment;
    const audit = await database.asAdmin(
      `select action, object_id, details from audit where object_id in ('${paymentId}', '${accountId}')`,
    );
    const { currency } = made.opening;
    const details = { accountId, numberMasked, amount: 500, currency };
    expect(audit).toEqual([{ action: 'issue-gift-card', object_id: paymentId, details }]);
    const events = await database.asAdmin(
      `select type, payload from event where resource_id in ('${paymentId}', '${accountId}')`,
    );
    const payload = { accountId, productId: made.productId, amount: 500, currency, paymentId };
    expect(events).toEqual([{ type: 'gift-card.issued', payload }]);
  });

  test('with amount 0 has a payment for its id, and no money', async () => {
    const made = draft();
    const { payment } = issued(await one.ledger.submit(NEW_CARD, newCard(made, 0)));
    expect(payment).toMatchObject({ amount: 0, state: 'OK' });
    expect(await account(made)).toMatchObject({ available: 0, entry_count: 0 });
    expect(await database.asAdmin(`select from movement where payment_id = '${payment.paymentId}'`)).toEqual([]);
  });
});

describe('a request', () => {
  test('that comes again makes no second card, also under another key', async () => {
    const first = newCard(draft(), 100);
    issued(await one.ledger.submit(NEW_CARD, first));
    const again = newCard(draft(), 100, { nonce: first.nonce, idempotencyKey: 'another' });
    expect(await two.ledger.submit(NEW_CARD, again)).toEqual({ kind: 'NonceKnown' });
    expect(await ofSequence("select from reference where reference = 'another'")).toBeUndefined();
  });

  test('whose key is known is told of the card, and uses its nonce up', async () => {
    const first = newCard(draft(), 100, { idempotencyKey: 'lost' });
    const { payment } = issued(await one.ledger.submit(NEW_CARD, first));
    const again = newCard(draft(), 100, { idempotencyKey: 'lost' });
    const known = await two.ledger.submit(NEW_CARD, again);
    expect(known).toMatchObject({ kind: 'Known', payment: { paymentId: payment.paymentId } });
    expect(await one.ledger.submit(NEW_CARD, again)).toMatchObject({ kind: 'Known' });
    const replayed = newCard(draft(), 100, { idempotencyKey: 'lost', nonce: again.nonce });
    expect(await one.ledger.submit(NEW_CARD, replayed)).toEqual({ kind: 'NonceKnown' });
  });

  test('that runs again because its end was not known has one effect', async () => {
    const command = newCard(draft(), 100, { idempotencyKey: 'unknown' });
    const { payment } = issued(await one.ledger.submit(NEW_CARD, command));
    expect(issued(await two.ledger.submit(NEW_CARD, command)).payment).toEqual(payment);
  });

  test('of two twins with one key one makes the card', async () => {
    const twins = Array.from({ length: 20 }, (_, index) =>
      [one, two][index % 2]?.ledger.submit(NEW_CARD, newCard(draft(), 100, { idempotencyKey: 'twins' })),
    );
    const kinds = (await Promise.all(twins)).map((result) => result?.kind).sort();
    expect(kinds).toEqual(['Issued', ...Array(19).fill('Known')]);
  });
});

describe('a number that is taken', () => {
  const always = () => '0123456789';

  test('is told, and takes neither nonce nor key', async () => {
    issued(await one.ledger.submit(NEW_CARD, newCard(draft(always), 10)));
    const second = newCard(draft(always), 10, { idempotencyKey: 'second' });
    expect(await one.ledger.submit(NEW_CARD, second)).toEqual({ kind: 'NumberTaken' });
    issued(await one.ledger.submit(NEW_CARD, { ...second, card: draft() }));
  });

  test('at one moment is one card’s, and no neighbour’s error', async () => {
    for (let round = 0; round < 10; round++) {
      const same = () => `99999999${String(round).padStart(2, '0')}`;
      const [accountId] = await addAccounts(database, 1, { payeeId, available: 100 });
      const neighbours = [one, two].flatMap(({ ledger }) =>
        Array.from({ length: 5 }, () => ledger.submit(NEW_CARD, newCard(draft(), 10))),
      );
      const spends = accountId && one.ledger.submit(PAY, pay(payeeId, accountId, 10));
      const twins = [one, two, one].map(({ ledger }) => ledger.submit(NEW_CARD, newCard(draft(same), 10)));
      const kinds = (await Promise.all(twins)).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['Issued', 'NumberTaken', 'NumberTaken']);
      for (const neighbour of await Promise.all(neighbours)) issued(neighbour);
      expect(await spends).toMatchObject({ state: 'OK' });
    }
  });
});

test('a rotated key: a draft of before is not stored, stored cards move, and open', async () => {
  const before = draft();
  const { number, draft: kept } = draftCard(service, product);
  issued(await one.ledger.submit(NEW_CARD, newCard(kept, 10)));
  const change = await database.transact((transaction) => switchKey(transaction, service, 'card-data'));
  // Another process has rotated: this one still seals with the key of before.
  expect(await one.ledger.submit(NEW_CARD, newCard(before, 10))).toEqual({ kind: 'KeyChanged' });
  const move = () => database.transact((tx) => SEALED_USE.move(tx, service.keyRing, change));
  while ((await move()) > 0);
  expect(await database.transact((tx) => SEALED_USE.count(tx, change.from))).toBe(0);
  const [row] = await database.asAdmin(
    `select number_sealed, sealed_with from gift_card where account_id = '${kept.opening.accountId}'`,
  );
  expect(row?.['sealed_with'] as KeyId).toBe(change.to);
  const opened = service.keyRing.open(associatedDataOf(kept.sealed, 'number'), row?.['number_sealed'] as Buffer);
  expect(opened.reveal()).toBe(number.reveal());
});

test('the books are right after all of it', async () => {
  const { findings } = await verifyLedger(database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  expect(await refuteLedger(database)).toEqual([]);
});
