import { expect, it, onTestFinished } from 'vitest';
import { refuteBooks } from '../support/books.ts';
import { spendTooOften } from '../support/card-spends.ts';
import { twoInstances } from '../support/two-instances.ts';

// The short run is in test/gift-cards/life-races.test.ts.

const ROUNDS = 500;
/** Cards that are spent at the same time. */
const AT_ONCE = 5;

it(`in ${ROUNDS} rounds at two instances, 40 spends of 10 against a balance of 100 accept exactly 10`, async () => {
  const instances = await twoInstances();
  onTestFinished(() => instances.stop());
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => spendTooOften(instances)));
  }
  expect(await refuteBooks(instances.kontor)).toEqual([]);
});
