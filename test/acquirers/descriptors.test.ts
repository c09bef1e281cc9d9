import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import type { Started } from '../support/kontor.ts';
import { until } from '../support/until.ts';

// What a cardholder reads on the statement (field 43), in every message that has it. This dialect has it in cancels and
// take-backs too.

const { Cancel, TakeBack } = ISO93.messages;
const DIALECT = {
  ...ISO93,
  messages: {
    ...ISO93.messages,
    Cancel: { ...Cancel, fields: [...Cancel.fields, 'merchantPlace'] },
    TakeBack: { ...TakeBack, fields: [...TakeBack.fields, 'merchantPlace'] },
  },
};

const TERMINALS = [
  'WEB00001',
  'WEB00002',
  { id: 'MIT00001', channels: ['Merchant'] },
  { id: 'TEL00001', channels: ['MailOrPhone'] },
];

let kontor: Acquiring;
let baseUrl: string;
let service: Started;
let journal: string;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  const dialect = kontor.beside('dialect.json');
  writeFileSync(dialect, JSON.stringify(DIALECT));
  const { port } = await kontor.simulate('--dialect', dialect, '--answer-ms', '2000', '--journal', journal);
  kontor.configure({
    acquirers: [simulated(port, { dialect })],
    agreements: [agreed(kontor.payeeId, { terminalIds: TERMINALS, brands: ['Visa', 'Mastercard'] })],
  });
  ({ baseUrl, started: service } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));

/** Function code and name in field 43 of each message since there were so many lines. */
function named(before: number): string[] {
  const received = journalLines(journal).slice(before);
  const asked = received.filter(({ event, type }) => event === 'received' && type !== '1804');
  return asked.map(({ type, fields }) => `${type} ${fields?.['merchantPlace']?.split('\\')[0]}`);
}

const allBut = (last: number) => 1_000_000 - last;

test.each([
  ['the name of the agreement where the payment says none', undefined, 'Demo AS'],
  ['what the payment says', 'Corner shop', 'Corner shop'],
  ['what it says, spelled in ASCII', 'Åses Kafé', 'Ases Kafe'],
])(
  '%s stands in a payment and in all that follows it',
  async (_case, payeeName, name) => {
    const before = journalLines(journal).length;
    const payeeInfo = { payeeName, payeeReference: `pays${name.length}` };
    const { made } = await shop.authorize(1_000_000, undefined, { payeeInfo });
    const { id } = made.body.payment;
    await shop.follow(id, 'create-capture', { amount: allBut(900_304), vatAmount: 0 });
    await shop.follow(id, 'create-reversal', { amount: 100, vatAmount: 0 });
    // The acquirer is silent to the first message and acknowledges when it is told again, by what is stored.
    await shop.follow(id, 'create-cancellation', {});
    await kontor.database.asAdmin("update issuer_attempt set due_at = kontor_now() where state = 'FORWARDING'");
    await until(() => named(before).length === 5, 20_000);
    expect(named(before)).toEqual(['1100', '1220', '1200', '1420', '1421'].map((type) => `${type} ${name}`));
  },
  40_000,
);

test.each([
  [undefined, 'Demo AS'],
  ['Corner shop', 'Corner shop'],
])(
  'what is taken back after the process was killed says the same: %s',
  async (payeeName, name) => {
    const before = journalLines(journal).length;
    const payeeInfo = { payeeName, payeeReference: `killed${name.length}` };
    const trying = shop.authorize(900_304, undefined, { payeeInfo }).catch(() => undefined);
    await until(() => named(before).length === 1);
    service.process.kill('SIGKILL');
    await Promise.all([service.ended, trying]);
    await kontor.database.asAdmin("update issuer_attempt set due_at = kontor_now() where state = 'CALLING'");
    ({ baseUrl, started: service } = await kontor.serve());
    await until(() => named(before).length === 2, 20_000);
    expect(named(before)).toEqual([`1100 ${name}`, `1420 ${name}`]);
  },
  60_000,
);

test('payments go out from all terminals for them, and what follows one from its own', async () => {
  const before = journalLines(journal).length;
  const terminals = () =>
    journalLines(journal)
      .slice(before)
      .filter(({ event, type }) => event === 'received' && type !== '1804')
      .map(({ type, fields }) => `${type} ${fields?.['terminalId']}`);
  for (const _ of [1, 2]) {
    const { made } = await shop.authorize(5_000, undefined, {});
    await shop.follow(made.body.payment.id, 'create-capture', { amount: 1_000, vatAmount: 0 });
    await shop.follow(made.body.payment.id, 'create-reversal', { amount: 100, vatAmount: 0 });
  }
  const seen = terminals();
  const [first, second] = [seen.slice(0, 3), seen.slice(3)].map((of) => of.map((one) => one.slice(5)));
  expect([new Set(first).size, new Set(second).size]).toEqual([1, 1]);
  expect([first?.[0], second?.[0]].toSorted()).toEqual(['WEB00001', 'WEB00002']);
}, 40_000);

test('the merchant charges from a terminal of its own', async () => {
  const { made } = await shop.authorize(5_000, undefined, { generateRecurrenceToken: true });
  const { body } = await shop.send(`${made.body.payment.id}/paid`);
  const before = journalLines(journal).length;
  const recurrenceToken = body.paid.tokens[0].token;
  await shop.create(250, {
    operation: 'Recur',
    amount: 250,
    vatAmount: 0,
    recurrenceToken,
    prices: undefined,
    intent: undefined,
  });
  const asked = journalLines(journal)
    .slice(before)
    .find(({ event, type }) => event === 'received' && type === '1100');
  expect(asked?.fields?.['terminalId']).toBe('MIT00001');
}, 40_000);

test.each([
  ['Mail', '100020100110', '4925000000000004', '07'],
  ['Phone', '100030100110', '5226600159865967', '00'],
])(
  'an order by %s goes out from its own terminal, and so does what follows it',
  async (orderedBy, pointOfService, cardNumber, eci) => {
    const before = journalLines(journal).length;
    const payment = { operation: 'Purchase', currency: 'NOK', prices: [{ type: 'CreditCard', amount: 5_000 }] };
    const made = await shop.send('/psp/creditcard/payments', { payment, creditCard: { orderedBy } });
    const card = { cardNumber, cardExpiryMonth: 12, cardExpiryYear: 2039, cardVerificationCode: '123' };
    await shop.send(href(made, 'direct-authorization'), { transaction: card });
    await shop.follow(made.body.payment.id, 'create-capture', { amount: 1_000, vatAmount: 0 });
    const asked = journalLines(journal)
      .slice(before)
      .filter(({ event, type }) => event === 'received' && type !== '1804');
    expect(asked.map(({ type, fields }) => [type, fields['terminalId'], fields['pointOfService']])).toEqual(
      ['1100', '1220'].map((type) => [type, 'TEL00001', pointOfService]),
    );
    expect(asked[0]?.tags).toMatchObject({ eci, initiator: 'CNN' });
    expect(asked[0]?.tags).not.toHaveProperty('payerAddress');
  },
  40_000,
);
