import { expect, it, onTestFinished } from 'vitest';
import { refuteBooks } from '../support/books.ts';
import { SPENDS, spendTooOften } from '../support/card-spends.ts';
import { twoInstances } from '../support/two-instances.ts';

// The short run is in test/gift-cards/life-races.test.ts.

const ROUNDS = 500;
/** Cards that are spent at the same time. */
const AT_ONCE = 5;

it(`in ${ROUNDS} rounds at two instances, ${SPENDS} spends of 10 against a balance of 100 accept exactly 10`, async () => {
  const instances = await twoInstances();
  onTestFinished(() => instances.stop());
  let busy = 0;
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => spendTooOften(instances)));
    busy += counts.reduce((sum, count) => sum + count, 0);
  }
  process.stdout.write(`too busy for ${busy} of ${ROUNDS * SPENDS} spends, which were sent again\n`);
  expect(await refuteBooks(instances.kontor)).toEqual([]);
});
