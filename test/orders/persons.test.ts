import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersonService } from '../../src/orders/orders.types.ts';
import { digestOf } from '../../src/orders/payers/erase-person.ts';
import { payerCommands } from '../../src/orders/payers/payers.cli.ts';
import { cardPaymentsShop } from '../support/card-payments-shop.ts';
import { cardSeller } from '../support/gift-cards-seller.ts';
import { ordersShop } from '../support/orders-shop.ts';
import { cardLine } from '../support/tokens-lines.ts';
import { openShop, type Shop } from '../support/tokens-shop.ts';

// What people may ask of a payee: what it has stored of them, and to erase it (GDPR 15, 17, 20).

let kontor: Shop;
beforeAll(async () => {
  kontor = await openShop();
});
afterAll(() => kontor.stop());

let cards = 0;

/** Runs a command of `kontor payers`, and answers what it prints. */
async function payers(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const program = new Command('kontor').exitOverride();
  payerCommands(program, {
    withService: (work) => work(kontor.service.slices.orders.commands.orders() as PersonService),
    print: (text) => void lines.push(text),
  });
  await program.parseAsync(['payers', ...words, '--payee', kontor.payeeId], { from: 'user' });
  return lines.join('\n');
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
      "select details from audit where action = 'erase-payer' order by audit_id",
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
