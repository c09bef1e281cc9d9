import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import type { Started } from '../support/kontor.ts';

// Two acquirers and the service are processes, and the first acquirer is killed. What counts is what the acquirers'
// journals say that they hold. Kills of the service are in test/faults-short.

let kontor: Acquiring;
let baseUrl: string;
let north: Started;
beforeAll(async () => {
  kontor = await acquiring();
  const [first, second] = [await start('north'), await start('south')];
  north = first.started;
  const line = { answerMs: 1_000, sendMs: 500 };
  kontor.configure({
    acquirers: [simulated(first.port, line), simulated(second.port, { ...line, id: 'south', name: 'South Acquiring' })],
    agreements: [
      agreed(kontor.payeeId, { priority: 1 }),
      agreed(kontor.payeeId, { priority: 2, id: 'demo-south', acquirer: 'south', terminalIds: ['WEB00002'] }),
    ],
  });
  ({ baseUrl } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

const journalOf = (id: string) => join(kontor.installation.folder, `${id}.ndjson`);
const start = (id: string) => kontor.simulate('--answer-ms', '1000', '--journal', journalOf(id));
const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: journalOf('north') }));

const linesOf = (id: string) => journalLines(journalOf(id));
/** What an acquirer holds after the last change of its books. */
const heldBy = (id: string) => linesOf(id).findLast(({ event }) => event === 'books')?.held ?? 0;
/** Questions for payments of an amount that an acquirer got. */
const askedOf = (id: string, amount: number) =>
  linesOf(id).filter(
    ({ event, type, fields }) =>
      event === 'received' && type?.startsWith('1100') && Number(fields['amount']) === amount,
  );

/** A payment by the payer at the first acquirer that stores the card. */
async function storeCard(): Promise<{ readonly token: string; readonly schemeTransactionId: string | undefined }> {
  const made = await shop.create(6_100, { generateRecurrenceToken: true, payerReference: 'anna' });
  const transaction = {
    cardNumber: '4925000000000004',
    cardExpiryMonth: 12,
    cardExpiryYear: 2039,
    cardVerificationCode: '123',
  };
  const { body } = await shop.send(href(made, 'direct-authorization'), { transaction });
  const answered = linesOf('north').findLast(({ event, type }) => event === 'sent' && type === '1110');
  const schemeTransactionId = answered?.tags['schemeTransactionId'];
  return { token: body.authorization.recurrenceToken, schemeTransactionId };
}

test('an acquirer that is gone was not asked: the next one is, and the card is held once', async () => {
  const { token, schemeTransactionId } = await storeCard();
  expect(schemeTransactionId).toMatch(/./);
  north.process.kill('SIGKILL');
  await north.ended;
  const { tried } = await shop.authorize(7_100);
  expect(tried.body.authorization.transaction.state).toBe('Completed');
  expect(askedOf('north', 7_100)).toEqual([]);
  expect(askedOf('south', 7_100)).toHaveLength(1);
  expect(heldBy('south')).toBe(7_100);
  // A payment by the merchant names its first one also there.
  const recur = { operation: 'Recur', recurrenceToken: token, amount: 6_200, vatAmount: 0, prices: undefined };
  await shop.create(6_200, recur);
  const [asked] = askedOf('south', 6_200);
  expect(asked?.tags).toMatchObject({ schemeTransactionId, initiator: 'MRS' });
  expect(heldBy('south')).toBe(6_200);
}, 60_000);
