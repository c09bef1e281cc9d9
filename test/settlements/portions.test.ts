import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transact } from '../../src/db/transaction.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { Currency } from '../../src/kit/money.ts';
import { closeDay } from '../../src/settlements/days/close-day.ts';
import { collectAnswers } from '../../src/settlements/days/collect-answers.flow.ts';
import { sumItems } from '../../src/settlements/days/days.store.ts';
import type { OpenDay } from '../../src/settlements/days/days.types.ts';
import { sumInPortions } from '../../src/settlements/days/sum-items.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, charge, NORTH, settling } from '../support/settlements.ts';

const DAY = '2026-03-02';
const TWO_BY_TWO = { first: 2, most: 2 };
const ALL = { after: undefined, most: 1_000 };

let database: TestDatabase;
let payeeId: PayeeId;
let open: OpenDay;
let transactions = 0;
const transact: Transact = (work) => {
  transactions += 1;
  return database.transact(work);
};
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  open = { payeeId, acquirer: 'north', agreement: 'demo-nok', currency: 'NOK' as Currency, day: DAY };
});
afterAll(() => database.drop());

test('a day that is collected and summed in portions is what it is in one, and what comes meanwhile is in it', async () => {
  const context = settling([agreementOf(payeeId)]);
  for (const second of [1, 2, 2, 2, 2, 3, 4]) {
    await charge(database, payeeId, { amount: 100 + second, day: DAY, at: `2026-03-02T12:00:0${second}Z` });
  }
  await charge(database, payeeId, { amount: 50, day: DAY, type: 'Refund', at: '2026-03-02T12:00:05Z' });
  await charge(database, payeeId, { amount: 9, day: DAY, agreement: 'other-nok', at: '2026-03-02T12:00:06Z' });

  await collectAnswers(transact, context, NORTH, TWO_BY_TWO);
  expect(transactions, 'four came at the same time').toBe(4);
  await collectAnswers(transact, context, NORTH, TWO_BY_TWO);
  const { last, ...sums } = await database.transact((transaction) => sumItems(transaction, open, ALL));
  expect([sums.items, sums.salesAmount, sums.refundsAmount, sums.booked, last]).toEqual([8, 716, 50, 666, null]);
  transactions = 0;
  const summed = await sumInPortions(transact, open, TWO_BY_TWO);
  expect(summed).toEqual(sums);
  expect(transactions).toBe(5);

  await charge(database, payeeId, { amount: 1000, day: DAY });
  await collectAnswers(transact, context, NORTH);
  const closed = await database.transact((transaction) =>
    closeDay(transaction, context, { open, summed, isReconciled: false, actor: SERVICE }),
  );
  expect(closed).toMatchObject({ salesNumber: 8, salesAmount: 1716, refundsNumber: 1, net: 1666 });
});
