import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersonService } from '../../src/orders/orders.types.ts';
import { digestOf } from '../../src/orders/payers/erase-person.ts';
import { payerCommands } from '../../src/orders/payers/payers.cli.ts';
import { hasMorePayments } from '../../src/payments/payers/person.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { ordersShop } from '../support/shop/orders-shop.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

// What people may ask of a payee: what it has stored of them, and to erase it (GDPR 15, 17, 20).

let kontor: Shop;
beforeAll(async () => {
  kontor = await openShop();
});
afterAll(() => kontor.stop());

let cards = 0;

/** Runs a command of `kontor payers`, and answers what it prints. */
async function payers(...words: string[]): Promise<string> {
  const runtime = serviceOf(kontor.service.slices.orders.commands.orders() as PersonService);
  return (await runCommand(payerCommands, runtime, [...words, '--payee', kontor.payeeId])).join('\n');
}

const answer = async (...words: string[]) => JSON.parse(await payers(...words, '--json'));

interface Known {
  readonly payerReference: string;
  readonly email: string;
  readonly payment: string;
  readonly order: string;
}

/** A person of whom everything is known that can be: all of it has the name. */
async function known(name: string): Promise<Known> {
  const payerReference = `payer-${cards}`;
  const email = `${name}@Example.com`;
  const order = await ordersShop(kontor).create({ payer: { payerReference, firstName: name, email } });
  const shop = cardPaymentsShop(kontor);
  const payment = await shop.purchase(1500, { payerReference, cardholder: { lastName: name, email } });
  const paid = await shop.authorize(payment, { cardholderName: `${name} Nyhuus` });
  const [kept = '', gone = ''] = await kontor.store(
    cardLine(++cards, { payerReference }),
    cardLine(++cards, { payerReference }),
  );
  const renamed = await kontor.rename(kept, `${name}s card`);
  const deleted = await kontor.remove('paymentTokens', gone, { body: { state: 'Deleted', comment: `${name} called` } });
  await cardSeller(kontor).issue(500, { email, msisdn: '+4799887766' });
  expect([order.status, paid.status, renamed.status, deleted.status]).toEqual([200, 200, 200, 200]);
  return { payerReference, email, payment, order: order.body.paymentOrder.id };
}

/** Everything that the database has, sealed values opened by nothing: all texts of all tables. */
async function texts(): Promise<string> {
  const tables = await kontor.database.asAdmin(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const all = await Promise.all(
    tables.map(({ name }) => kontor.database.asAdmin(`select string_agg(t::text, ' ') as text from "${name}" t`)),
  );
  return JSON.stringify(all);
}

describe('/psp/payers/{payerReference}', () => {
  const pathOf = ({ payerReference }: Pick<Known, 'payerReference'>) => `/psp/payers/${payerReference}`;

  it('shows the payee all that is stored of a payer, and what can be done', async () => {
    const erna = await known('Erna');
    const { payerReference, email } = erna;
    const { status, body } = await kontor.send('GET', pathOf(erna));
    expect([status, body.payer.id, body.payer.payerReference]).toEqual([200, pathOf(erna), payerReference]);
    expect(body.payer.orders).toMatchObject([{ id: erna.order, payer: { firstName: 'Erna', email } }]);
    expect(body.payer.payments).toHaveLength(2);
    expect(body.payer.payments).toContainEqual(
      expect.objectContaining({
        id: erna.payment,
        amount: 1500,
        cardholder: { lastName: 'Erna', email },
        cards: [expect.objectContaining({ cardholderName: 'Erna Nyhuus', maskedPan: '492500******0004' })],
      }),
    );
    expect(body.payer.tokens.map(({ state }: { state: string }) => state).sort()).toEqual(['Active', 'Deleted']);
    const href = `${kontor.baseUrl}${pathOf(erna)}`;
    expect(body.operations).toEqual([
      { method: 'GET', rel: 'get-payer', href, contentType: 'application/json' },
      { method: 'DELETE', rel: 'erase-payer', href, contentType: 'application/json' },
    ]);
  });

  it('erases the payer with a receipt, once; a repeat and a payer never seen are answered alike', async () => {
    const frida = await known('Frida');
    const rows = () =>
      kontor.database.asAdmin(
        "select concat_ws(':', actor_kind, actor_id) as actor, details from audit where action = 'erase-payer' order by audit_id",
      );
    const before = await rows();
    const erased = await kontor.send('DELETE', pathOf(frida));
    expect([erased.status, erased.body.payer.erased]).toEqual([
      200,
      { orders: 1, payments: 1, tokens: 1, tombstones: 2, giftCards: 0 },
    ]);
    expect(erased.body.payer.kept).toContainEqual({
      what: expect.stringContaining('ledger'),
      why: 'the law on bookkeeping',
    });
    const trail = (await rows()).slice(before.length);
    expect(trail).toEqual([
      {
        actor: expect.stringMatching(/^access-token:/),
        details: { times: 5, payer: digestOf(kontor.service.keyRing, kontor.payeeId, frida.payerReference) },
      },
    ]);
    const shown = await kontor.send('GET', pathOf(frida));
    expect(JSON.stringify(shown.body)).not.toContain('Frida');
    expect(shown.body.payer.payments).toHaveLength(2);
    const never = { payerReference: 'payer-never-seen' };
    const none = { orders: 0, payments: 0, tokens: 0, tombstones: 0, giftCards: 0 };
    for (const payer of [frida, never]) {
      const again = await kontor.send('DELETE', pathOf(payer));
      const { kept } = erased.body.payer;
      expect([again.status, again.body.payer]).toEqual([
        200,
        { id: pathOf(payer), payerReference: payer.payerReference, erased: none, kept },
      ]);
    }
    const { actor, details } = trail[0] as { readonly actor: string; readonly details: object };
    expect((await rows()).slice(before.length)).toEqual([...trail, { actor, details: { ...details, times: 0 } }]);
    const stored = await kontor.database.asAdmin("select from payer where payer_reference = 'payer-never-seen'");
    expect(stored).toEqual([]);
  });

  it("does neither for another payee's payer, who stays as before", async () => {
    const gerda = await known('Gerda');
    const other = await kontor.addPayee();
    const asOther = { accessToken: other.accessToken };
    const seen = await kontor.send('GET', pathOf(gerda), asOther);
    expect([seen.status, seen.body.payer.orders, seen.body.payer.payments, seen.body.payer.tokens]).toEqual([
      200,
      [],
      [],
      [],
    ]);
    const before = await kontor.send('GET', pathOf(gerda));
    expect((await kontor.send('DELETE', pathOf(gerda), asOther)).status).toBe(200);
    expect((await kontor.send('GET', pathOf(gerda))).body).toEqual(before.body);
  });

  it('wants the scope of each, and no body', async () => {
    const reader = await kontor.addAccessToken(['payers:read']);
    const eraser = await kontor.addAccessToken(['payers:erase']);
    const path = pathOf({ payerReference: 'payer-never-seen' });
    const asked = [
      ['GET', reader],
      ['GET', eraser],
      ['DELETE', eraser],
      ['DELETE', reader],
    ] as const;
    const answers = await Promise.all(asked.map(([method, accessToken]) => kontor.send(method, path, { accessToken })));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
    const { status, body } = await kontor.send('DELETE', path, { body: { state: 'Deleted' } });
    expect([status, body.problems[0].name]).toEqual([400, 'Content-Length']);
  });

  it('refuses a payer with more payments than one answer holds', async () => {
    const payer = { payeeId: kontor.payeeId, payerReference: 'payer-of-many' };
    const shop = cardPaymentsShop(kontor);
    await shop.purchase(100, payer);
    await shop.purchase(100, payer);
    const { read } = kontor.database;
    expect([await hasMorePayments(read, payer, 1), await hasMorePayments(read, payer, 2)]).toEqual([true, false]);
  });
});

describe('kontor payers', () => {
  it('shows and exports all that is stored of a person, by reference and by e-mail address', async () => {
    const { payerReference, email } = await known('Anna');
    const person = await answer('show', payerReference);
    expect(person.orders).toMatchObject([{ payer: { firstName: 'Anna', email }, status: 'Initialized' }]);
    expect(person.cardPayments).toHaveLength(2);
    expect(person.cardPayments).toContainEqual(
      expect.objectContaining({
        cardholder: { lastName: 'Anna', email },
        cards: [expect.objectContaining({ cardholderName: 'Anna Nyhuus', maskedPan: '492500******0004' })],
      }),
    );
    expect(person.tokens.map(({ state }: { state: string }) => state).sort()).toEqual(['Active', 'Deleted']);
    expect(JSON.stringify(person.tokens)).toMatch(/Annas card.*Anna called|Anna called.*Annas card/);
    const found = await answer('show', '--email', 'anna@example.com');
    expect(found.giftCards).toMatchObject([{ email, msisdn: '+4799887766' }]);
    expect([found.orders.length, found.cardPayments.length, found.tokens.length]).toEqual([1, 1, 0]);
    expect(JSON.parse(await payers('export', payerReference))).toEqual(person);
    expect(await payers('show', payerReference)).toMatch(/^what +number +created +amount +known\norder/);
  });

  it('erases a person and no other, says what stays, and names no person in the trail', async () => {
    const [bodil, other] = [await known('Bodil'), await known('Carla')];
    const before = await answer('show', other.payerReference);
    expect((await texts()).includes('Bodil')).toBe(true);
    const receipt = await answer('erase', bodil.payerReference);
    expect(receipt).toMatchObject({ payer: expect.any(String), at: expect.stringMatching(/^20.*Z$/) });
    expect(receipt.erased).toEqual({ orders: 1, cardPayments: 1, tokens: 1, tombstones: 2, giftCards: 0 });
    expect(receipt.kept).toContainEqual({ what: expect.stringContaining('ledger'), why: 'the law on bookkeeping' });
    expect((await answer('erase', '--email', bodil.email.toLowerCase())).erased).toMatchObject({
      orders: 0,
      giftCards: 1,
    });
    // Of megabytes, so not as a text that a failure prints.
    expect((await texts()).includes('Bodil')).toBe(false);
    const [gone] = [await answer('show', bodil.payerReference)];
    expect(JSON.stringify(gone)).not.toContain('Bodil');
    expect(gone.cardPayments.map(({ amount }: { amount: number }) => amount).sort()).toEqual([0, 1500]);
    expect(await answer('show', other.payerReference)).toEqual(before);
    const trail = await kontor.database.asAdmin(
      "select details from audit where action = 'erase-payer' and actor_kind = 'operator' order by audit_id",
    );
    const digest = (name: string) => digestOf(kontor.service.keyRing, kontor.payeeId, name);
    expect(trail).toEqual([
      { details: { times: 5, payer: digest(bodil.payerReference) } },
      { details: { times: 1, payer: digest('bodil@example.com') } },
    ]);
    expect((await kontor.send('GET', bodil.payment)).status).toBe(200);
    expect((await kontor.send('GET', bodil.order)).status).toBe(200);
    expect(await payers('erase', bodil.payerReference)).toContain('What stays, and why:');
  });

  it('refuses what names nothing or two, and a person of whom nothing is stored', async () => {
    await expect(payers('show')).rejects.toThrow('Say whose');
    await expect(payers('erase', 'a', '--email', 'a@example.com')).rejects.toThrow('Say whose');
    await expect(payers('erase', 'unknown')).rejects.toThrow('Nothing is stored of this payer.');
    await expect(payers('export', '--email', 'unknown@example.com')).rejects.toThrow(
      'Nothing is stored of this payer.',
    );
  });
});
