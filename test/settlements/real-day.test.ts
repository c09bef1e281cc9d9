import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import { until } from '../support/until.ts';

let kontor: Acquiring;
let baseUrl: string;
let folder: string;

beforeAll(async () => {
  kontor = await acquiring();
  folder = join(kontor.installation.folder, 'settlement');
  const { port } = await kontor.simulate('--answer-ms', '2000', '--settlement-dir', folder);
  kontor.configure({ acquirers: [simulated(port)], agreements: [agreed(kontor.payeeId)] });
  ({ baseUrl } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

// biome-ignore lint/suspicious/noExplicitAny: an answer as it came
async function send(path: string, body?: object): Promise<any> {
  const answer = await fetch(new URL(path, baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${kontor.accessToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function run(...args: string[]) {
  const ran = await kontor.installation.kontor(['--as', 'Test', ...args, '--json']);
  return JSON.parse(ran.stdout);
}

/** Charges a card in one step, and says which payment it is. */
async function sell(amount: number): Promise<string> {
  const prices = [{ type: 'CreditCard', amount }];
  const payment = { operation: 'Purchase', intent: 'AutoCapture', currency: 'NOK', prices };
  const made = await send('/psp/creditcard/payments', { payment });
  const { href } = made.operations.find(({ rel }: { rel: string }) => rel === 'direct-authorization');
  const card = {
    cardNumber: '4925000000000004',
    cardExpiryMonth: 12,
    cardExpiryYear: 2039,
    cardVerificationCode: '123',
  };
  const tried = await send(href, { transaction: card });
  expect(tried.authorization.transaction.state, String(amount)).toBe('Completed');
  return made.payment.id;
}

const giveBack = (payment: string, amount: number, payeeReference: string) =>
  send(`${payment}/reversals`, { transaction: { amount, vatAmount: 0, description: 'back', payeeReference } });

/** A command takes half a second of a core: what is waited for is asked of the database. */
const count = async (sql: string) =>
  Number((await kontor.database.asAdmin(`select count(*) from ${sql}`))[0]?.['count']);

test('a day with all planted differences, by the commands of an operator', async () => {
  const good = await sell(12_500);
  for (const amount of [300, 900370, 900371, 900372, 900374]) await sell(amount);
  const disputed = await sell(900373);
  await giveBack(good, 4_000, 'back-1');
  const day = await kontor.businessDay();
  const sales = 12_500 + 300 + 900370 + 900371 + 900372 + 900374 + 900373;
  expect(await run('settlements', 'close', '--day', day)).toMatchObject([
    { day, salesNumber: 7, salesAmount: sales, refundsNumber: 1, refundsAmount: 4_000, net: sales - 4_000 },
  ]);
  expect(await run('settlements', 'close', '--day', day)).toEqual([]);
  // The service tells the totals; the acquirer writes its file then.
  await until(async () => (await count(`settlement_day where day = '${day}' and state = 'Different'`)) === 1, 60_000);
  expect(await run('settlements', 'show', day)).toMatchObject([{ state: 'Different' }]);
  const [file = ''] = readdirSync(folder);
  const imported = await run('settlements', 'import', join(folder, file), '--acquirer', 'north');
  expect(imported).toMatchObject({ batches: 1, matched: 6, differences: 2, disputes: 0, refused: [] });
  expect(await run('settlements', 'import', join(folder, file), '--acquirer', 'north')).toMatchObject({
    isKnown: true,
    matched: 0,
  });

  await kontor.database.asAdmin(`update settlement_day set closed_at = closed_at - interval '3 days'`);
  await until(async () => (await count(`settlement_difference where kind = 'missingAtAcquirer'`)) > 0, 90_000);
  const found = await run('settlements', 'differences', '--open');
  expect(found.map(({ kind, ours, theirs }: Record<string, unknown>) => [kind, ours, theirs]).toSorted()).toEqual([
    ['amountDiffers', 900371, 900372],
    ['missingAtAcquirer', 900370, null],
    ['totalsDiffer', sales - 4_000, sales - 4_000 + 1],
    ['twice', 900372, 900372],
  ]);
  const shown = await send(`/psp/settlements?day=${day}`);
  expect(shown.settlements.settlementList).toMatchObject([{ day, state: 'Different', openDifferences: 4 }]);

  // What the holder of a card asks back is in the acquirer's next file, which it writes when another day is compared. No day
  // but this one has come, so a sale is moved to the one before: when it was collected, to the day after the closed one.
  await sell(500);
  const other = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  await until(async () => {
    await kontor.database.asAdmin(`
      update settlement_item set day = '${other}' where amount = 500;
      update settlement_open_day set day = '${other}'`);
    await run('settlements', 'close', '--day', other);
    return readdirSync(folder).length === 2;
  }, 60_000);
  const second = readdirSync(folder).find((name) => name !== file) ?? '';
  expect(await run('settlements', 'import', join(folder, second), '--acquirer', 'north')).toMatchObject({
    batches: 1,
    disputes: 1,
    differences: 0,
    refused: [],
  });
  const [dispute] = await run('disputes', 'list');
  expect(dispute).toMatchObject({ state: 'Open', stage: 'Chargeback', amount: 900373, category: 'Fraud' });
  expect(disputed).toBe(`/psp/creditcard/payments/${dispute.paymentId}`);
  const refused = await giveBack(disputed, 1, 'back-2');
  expect(refused).toMatchObject({ status: 403, problems: [{ name: 'Reversal' }] });
  await run('disputes', 'represent', dispute.disputeId);
  await run('disputes', 'close', dispute.disputeId, '--outcome', 'won');
  expect(await giveBack(disputed, 1, 'back-3'), 'the money has not come back').toMatchObject({ status: 403 });
  const verified = await run('ledger', 'verify');
  expect(verified.filter(({ badRow }: { badRow: unknown }) => badRow !== null)).toEqual([]);
}, 240_000);
