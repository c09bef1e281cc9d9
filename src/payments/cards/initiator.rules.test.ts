import { expect, test } from 'vitest';
import { initiatorOf, type TryOfCard } from './initiator.rules.ts';

const TYPED: TryOfCard = { operation: 'Purchase', channel: 'Page', tokenTypes: [], isStored: false };
const FIRST = { step: 'First' } as const;
const SUBSEQUENT = { step: 'Subsequent' } as const;

test.each<[string, Partial<TryOfCard>, unknown]>([
  ['a card that is typed and not stored', {}, 'None'],
  ['a verification that stores nothing', { operation: 'Verify' }, 'None'],
  ['a Recurrence token', { tokenTypes: ['Recurrence'] }, { use: 'Recurring', ...FIRST }],
  ['an Unscheduled token', { tokenTypes: ['Unscheduled'] }, { use: 'Unscheduled', ...FIRST }],
  ['a TransactionOnFile token', { tokenTypes: ['TransactionOnFile'] }, { use: 'Unscheduled', ...FIRST }],
  ['a Payment token', { tokenTypes: ['Payment'] }, { use: 'OnFile', ...FIRST }],
  ['several', { tokenTypes: ['Payment', 'Unscheduled', 'Recurrence'] }, { use: 'Recurring', ...FIRST }],
  ['a verification that stores', { operation: 'Verify', tokenTypes: ['Recurrence'] }, { use: 'Recurring', ...FIRST }],
  ['a stored card that its payer chooses', { isStored: true }, { use: 'OnFile', ...SUBSEQUENT }],
  ['one that is stored for more', { isStored: true, tokenTypes: ['Recurrence'] }, { use: 'Recurring', ...FIRST }],
])('%s: by the customer', (_what, tried, credential) => {
  expect(initiatorOf({ ...TYPED, ...tried })).toEqual({ by: 'Customer', channel: 'Page', credential });
});

test.each([
  ['Recur', 'Recurring'],
  ['UnscheduledPurchase', 'Unscheduled'],
] as const)('%s: by the merchant, whatever it makes', (operation, use) => {
  const credential = { use, ...SUBSEQUENT };
  for (const tokenTypes of [[], ['Payment']] as const) {
    const tried = { operation, channel: 'Api', tokenTypes, isStored: true } as const;
    expect(initiatorOf(tried)).toEqual({ by: 'Merchant', channel: 'Api', credential });
  }
});
