import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/transaction.types.ts';
import { endSomeCircumstances } from '../../src/orders/payers/end-circumstances.ts';
import { BEFORE_ALL, forgetSomeUnused } from '../../src/orders/payers/forget-unused-payers.ts';
import { forgetPayers } from '../../src/tokens/stored/person.ts';
import { lockPayers } from '../../src/tokens/tokens.store.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { ordersShop } from '../support/shop/orders-shop.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

// Where and with what a payer paid, and what a payee noted about it, is known for a while after the end of a payment, and no longer.

let kontor: TestService;
let accounts: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  accounts = accountsShop(kontor);
});
afterAll(() => kontor.stop());

const end = (days = 540) => kontor.database.transact((transaction) => endSomeCircumstances(transaction, days));

/** Lets a row have been changed last so many days ago. */
async function age(table: string, key: string, id: string, days: number): Promise<void> {
  const long = `kontor_now() - interval '${days} days'`;
  await kontor.database.asAdmin(
    `update ${table} set created_at = ${long}, updated_at = ${long} where ${key} = '${id.split('/').at(-1)}'`,
  );
}

const one = async (statement: string) => (await kontor.database.asAdmin(statement))[0];

describe('of an account payment', () => {
  const echoOf = async (id: string) =>
    (await one(`select echo -> 'circumstances' as known from payment where payment_id = '${id}'`))?.['known'];

  /** A payment and the reference that it was made with. */
  async function made(verb: 'authorize' | 'purchase') {
    const members = { amount: 5, paymentTransactionRef: newReference(), paymentOrderRef: newReference() };
    const { body } = await accounts.pay(verb, accounts.nok, members);
    await kontor.database.asAdmin(`
      update payment set echo = jsonb_set(echo, '{circumstances,payerAddress}', '"192.0.2.9"')
      where payment_id = '${body.paymentId}'`);
    const paid = {
      paymentAccountId: accounts.nok.paymentAccountId,
      paymentId: String(body.paymentId),
      paymentOrderRef: members.paymentOrderRef,
    };
    return { paid, members };
  }

  it('address and User-Agent end once it is over so long, of what followed it too, and of no other', async () => {
    const [old, recent, open] = [await made('purchase'), await made('purchase'), await made('authorize')];
    const reversal = { amount: 1, paymentTransactionRef: newReference() };
    expect((await accounts.follow('reversal', old.paid, reversal)).status).toBe(200);
    const ofReversal = async () =>
      await one(
        `select echo -> 'circumstances' as known from payment_transaction where payment_id = '${old.paid.paymentId}'`,
      );
    expect(await ofReversal()).toMatchObject({ known: { userAgent: expect.anything() } });
    const { transmissionTime } = (await echoOf(old.paid.paymentId)) as { readonly transmissionTime?: string };
    await age('payment', 'payment_id', old.paid.paymentId, 541);
    await age('payment_transaction', 'payment_id', old.paid.paymentId, 541);
    await age('payment', 'payment_id', recent.paid.paymentId, 539);
    await age('payment', 'payment_id', open.paid.paymentId, 541);
    expect(await end()).toBe(false);
    expect(await echoOf(old.paid.paymentId)).toEqual({ transmissionTime });
    expect((await ofReversal())?.['known']).not.toHaveProperty('userAgent');
    const known = { userAgent: expect.anything(), payerAddress: '192.0.2.9' };
    expect(await echoOf(recent.paid.paymentId)).toMatchObject(known);
    expect(await echoOf(open.paid.paymentId)).toMatchObject(known);
    const again = await accounts.pay('purchase', accounts.nok, old.members);
    expect([again.status, again.body.state]).toEqual([200, 'DUPLICATE']);
    expect(again.body).not.toHaveProperty('initiatingSystemUserAgent');
  });
});

describe('of a card payment', () => {
  const shop = () => cardPaymentsShop(kontor);
  const members = (name: string) => ({
    userAgent: `Browser of ${name}`,
    metadata: { seat: name },
    payeeInfo: { payeeReference: `circumstances-${name}` },
  });

  it('User-Agents and metadata end; a repeat is not compared by them, and by all else', async () => {
    const names = ['Hanne', 'Inga'] as const;
    const [old = '', recent = ''] = await Promise.all(
      names.map(async (name) => String((await shop().create(members(name))).body.payment.id)),
    );
    await age('card_payment', 'payment_id', old, 541);
    await age('card_payment', 'payment_id', recent, 539);
    expect(await end()).toBe(false);
    const terms = JSON.stringify(
      await kontor.database.asAdmin(
        "select terms from card_payment where terms -> 'payeeInfo' ->> 'payeeReference' like 'circumstances-%'",
      ),
    );
    expect(terms).not.toContain('"seat":"Hanne"');
    expect(terms).not.toContain('Browser of Hanne');
    expect(terms).toContain('Browser of Inga');
    expect((await kontor.send('GET', `${old}/metadata`)).body.metadata).toEqual({ id: `${old}/metadata` });
    const asked = members('Hanne');
    const create = async (changes: object) => (await shop().create({ ...asked, ...changes })).status;
    expect([await create({}), await create({ metadata: { seat: 'another' } })]).toEqual([200, 200]);
    expect(await create({ description: 'Another' })).toBe(422);
    const other = members('Inga');
    expect((await shop().create({ ...other, metadata: { seat: 'another' } })).status).toBe(422);
  });
});

describe('of a payment order', () => {
  it('User-Agents and metadata end once it is over, and not before', async () => {
    const shop = ordersShop(kontor);
    const make = async (name: string) =>
      String((await shop.create({ userAgent: `Browser of ${name}`, metadata: { seat: name } })).body.paymentOrder.id);
    const [old, open] = [await make('Jorunn'), await make('Kari')];
    const aborted = await shop.send('PATCH', old, { paymentorder: { operation: 'Abort', abortReason: 'Left' } });
    expect(aborted.status).toBe(200);
    await age('payment_order', 'order_id', old, 541);
    await age('payment_order', 'order_id', open, 541);
    expect([await end(0), await end()]).toEqual([false, false]);
    const termsOf = async (id: string) =>
      (await one(`select terms from payment_order where order_id = '${id.split('/').at(-1)}'`))?.['terms'];
    expect(await termsOf(old)).toMatchObject({ metadata: {} });
    expect(JSON.stringify(await termsOf(old))).not.toMatch(/Jorunn|initiatingSystemUserAgent/);
    expect(await termsOf(open)).toMatchObject({ userAgent: 'Browser of Kari', metadata: { seat: 'Kari' } });
    expect((await shop.get(old)).status).toBe(200);
  });
});

describe('of a payer', () => {
  it('the reference ends once nothing is stored of it for so long', async () => {
    const archive = (name: string) =>
      kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/payers/${name}/archives`, {
        body: { reason: 'Moved', updatedBy: 'PAYEE' },
      });
    const names = ['unused', 'recent', 'of-token', 'of-tombstone', 'of-payment', 'of-order'];
    for (const name of names) expect((await archive(name)).status).toBe(200);
    await kontor.importLines([
      cardLine(1, { payerReference: 'of-token' }),
      cardLine(2, { payerReference: 'of-tombstone' }),
    ]);
    const deletion = { body: { state: 'Deleted' } };
    expect((await kontor.send('PATCH', '/psp/paymentorders/payerownedtokens/of-tombstone', deletion)).status).toBe(200);
    await cardPaymentsShop(kontor).purchase(100, { payerReference: 'of-payment' });
    await ordersShop(kontor).create({ payer: { payerReference: 'of-order' } });
    await kontor.database.asAdmin(
      "update payer set first_seen_at = kontor_now() - interval '541 days' where payer_reference <> 'recent'",
    );
    const forget = () => kontor.database.transact((transaction) => forgetSomeUnused(transaction, BEFORE_ALL, 540));
    const last = await forget();
    const left = await kontor.database.asAdmin('select payer_reference as name from payer');
    expect(left.map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== 'unused').sort());
    expect(last?.payerReference).toBe('unused');
    const next = { ...BEFORE_ALL, ...last };
    expect(await kontor.database.transact((transaction) => forgetSomeUnused(transaction, next, 540))).toBeUndefined();
  });

  const old = async (payerReference: string) => {
    await kontor.database.asAdmin(`
      insert into payer (payee_id, payer_reference, first_seen_at)
      values ('${kontor.payeeId}', '${payerReference}', kontor_now() - interval '541 days')`);
    return { payeeId: kontor.payeeId, payerReference };
  };
  const isThere = async ({ payerReference }: { readonly payerReference: string }) =>
    (await one(`select from payer where payer_reference = '${payerReference}'`)) !== undefined;

  it('the reference stays where a token came after the job has looked', async () => {
    const [returned, unused] = [await old('returned'), await old('never-returned')];
    await kontor.importLines([cardLine(3, { payerReference: 'returned' })]);
    await kontor.database.transact((transaction) => forgetPayers(transaction, [returned, unused]));
    expect([await isThere(returned), await isThere(unused)]).toEqual([true, false]);
  });

  it('a token is stored where the job deletes the payer between two statements of it', async () => {
    const payer = await old('deleted-meanwhile');
    let made: Promise<unknown> | undefined;
    await kontor.database.transact(async (transaction) => {
      const run: Transaction['run'] = async (statement, values) => {
        if (statement.name === 'tokens-make-payers') {
          const making = transaction.run(statement, values);
          made ??= making;
          return making as never;
        }
        await made;
        if (await isThere(payer)) await kontor.database.transact((job) => forgetPayers(job, [payer]));
        return transaction.run(statement, values);
      };
      await lockPayers({ ...transaction, run }, payer.payeeId, [payer.payerReference]);
    });
    expect(await isThere(payer)).toBe(true);
  });
});
