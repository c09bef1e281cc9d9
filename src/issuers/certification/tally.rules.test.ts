import { expect, test } from 'vitest';
import { counted, countedBack, NO_TOTALS } from './tally.rules.ts';

const APPROVED = { outcome: 'Approved' } as const;

test('captures and sales are sales, refunds and credits refunds; what holds and releases is counted nowhere', () => {
  const operations = ['Authorize', 'Purchase', 'Verify', 'Capture', 'Cancel', 'Reversal', 'Credit'] as const;
  const totals = operations.reduce(
    (sum, operation, index) => counted(sum, { operation, amount: 10 ** index }, APPROVED),
    NO_TOTALS,
  );
  expect(totals).toEqual({
    ...NO_TOTALS,
    salesNumber: 2,
    salesAmount: 1_010,
    refundsNumber: 2,
    refundsAmount: 1_100_000,
  });
});

test('what is taken back counts on both sides, at once or later; what was declined counts nowhere', () => {
  const sale = { operation: 'Capture', amount: 500 } as const;
  const both = { ...NO_TOTALS, salesNumber: 1, salesAmount: 500, saleReversalsNumber: 1, saleReversalsAmount: 500 };
  expect(counted(NO_TOTALS, sale, { outcome: 'Silence', takenBack: 'TakenBack' })).toEqual(both);
  expect(countedBack(counted(NO_TOTALS, sale, APPROVED), sale)).toEqual(both);
  expect(counted(NO_TOTALS, sale, { outcome: 'Silence', takenBack: 'OriginalUnknown' })).toEqual(NO_TOTALS);
  expect(counted(NO_TOTALS, sale, { outcome: 'Declined' })).toEqual(NO_TOTALS);
  expect(countedBack(NO_TOTALS, { operation: 'Authorize', amount: 500 })).toEqual(NO_TOTALS);
});
