import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { testCardNumber } from '../support/numbers.ts';
import { until } from '../support/until.ts';

// An acquirer of other make: other types, fields, header and action codes, by a JSON file on both sides and no code. It wants
// the card again with what follows a payment.

const DIALECT = join(import.meta.dirname, '../../examples/dialect-south.json');

let kontor: Acquiring;
let baseUrl: string;
let journal: string;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  const { port } = await kontor.simulate('--dialect', DIALECT, '--answer-ms', '2000', '--journal', journal);
  const others = { dialect: DIALECT, needCard: ['Capture', 'Cancel', 'Reversal'] };
  kontor.configure({ acquirers: [simulated(port, others)], agreements: [agreed(kontor.payeeId)] });
  ({ baseUrl } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

const { authorize, books, walk } = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));

/** A card of Visa's for each amount: one that was called stolen is not charged again. */
const cardOf = (amount: number) => testCardNumber(8 * amount);

test('a payment goes its whole way, and what follows it has the card again', async () => {
  await walk();
  const followed = journalLines(journal).filter(({ event, fields }) => event === 'received' && fields?.['original']);
  expect(followed.map(({ fields }) => fields['cardNumber'])).toEqual(Array(3).fill('492500******0004'));
  const held = await kontor.database.asAdmin('select expiry_date from held_card');
  expect(held).toEqual([{ expiry_date: '12/39' }]);
});

test('taking back needs no card', async () => {
  await authorize(900304);
  await until(() => readFileSync(journal, 'utf8').includes('"change":"TakeBack"'), 20_000);
  const takeBack = journalLines(journal).findLast(({ event, fields }) => event === 'received' && fields?.['original']);
  expect(takeBack?.fields).toMatchObject({ amount: '000000900304' });
  expect(takeBack?.fields).not.toHaveProperty('cardNumber');
  expect(books()).toEqual([0, 0, 0]);
}, 30_000);

test.each([
  [900313, 'acquirerinvalidamount'],
  [900334, 'acquirerpossiblefraud'],
  [900343, 'acquirercardstolen'],
  [900351, 'carddeclined'],
  [900354, 'acquirercardexpired'],
  [900361, 'acquirerinsufficientfunds'],
  [900391, 'acquirergatewayerror'],
])('%i is declined, as %s', async (amount, problem) => {
  const before = readFileSync(journal, 'utf8').match(/"event":"books"/g)?.length;
  const { tried } = await authorize(amount, cardOf(amount));
  expect(JSON.stringify(tried.body)).toContain(`/${problem}`);
  expect(readFileSync(journal, 'utf8').match(/"event":"books"/g)?.length).toBe(before);
});

// What breaks frames, in any dialect, is in amounts.test.ts.
test.each([900306, 900309, 900319, 900320])(
  '%i: what is not known is taken back',
  async (amount) => {
    const takeBacks = () => readFileSync(journal, 'utf8').match(/"change":"TakeBack"/g)?.length ?? 0;
    const before = takeBacks();
    const { tried } = await authorize(amount, cardOf(amount));
    expect(tried.body.authorization.transaction.state).toBe('Failed');
    await until(() => takeBacks() > before, 20_000);
    expect(books()).toEqual([0, 0, 0]);
  },
  40_000,
);

test.each([900305, 900307, 900308, 900317, 900318])('%i is approved, however the answer comes', async (amount) => {
  const { tried } = await authorize(amount, cardOf(amount));
  expect(tried.body.authorization.transaction.state).toBe('Completed');
  expect(books()).toEqual([amount, 0, 0]);
});
