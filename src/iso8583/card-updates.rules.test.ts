import { expect, test } from 'vitest';
import { Secret } from '../kit/secret.ts';
import { cardUpdateIn } from './card-updates.rules.ts';
import { ISO93 } from './dialects/iso93.rules.ts';

const NUMBER = '4581097032723517';
const read = (tags: object) => {
  const update = cardUpdateIn(ISO93, { type: '1110', fields: {}, tags });
  if (update?.kind !== 'Replaced') return update?.kind;
  return [update.number?.reveal(), update.expiryDate];
};
const replaced = (updatedNumber: string | undefined, updatedExpiry?: string) =>
  read({
    updateCode: 'R',
    ...(updatedNumber !== undefined && { updatedNumber: new Secret(updatedNumber) }),
    ...(updatedExpiry !== undefined && { updatedExpiry }),
  });

test.each([
  ['a number and an expiry', replaced(NUMBER, '3107'), [NUMBER, '07/2031']],
  ['a number alone', replaced(NUMBER), [NUMBER, undefined]],
  ['an expiry alone', replaced(undefined, '3112'), [undefined, '12/2031']],
  ['a number that zeros and blanks fill up', replaced(`000${NUMBER}  `, '3107'), [NUMBER, '07/2031']],
  ['nothing beside the code', replaced(undefined), 'Unreadable'],
  ['blanks alone', replaced('   ', '    '), 'Unreadable'],
  ['a wrong check digit', replaced('4581097032723518', '3107'), 'Unreadable'],
  ['too few digits', replaced('458109', '3107'), 'Unreadable'],
  ['letters', replaced('45810970X2723517', '3107'), 'Unreadable'],
  ['a month that there is not', replaced(NUMBER, '3113'), 'Unreadable'],
  ['month and year in another order', replaced(NUMBER, '0731'), 'Unreadable'],
  ['that the card was closed', read({ updateCode: 'C' }), 'Closed'],
  ['a code with blanks', read({ updateCode: 'C ' }), 'Closed'],
  ['a code that the dialect does not name', read({ updateCode: 'N', updatedExpiry: '3107' }), undefined],
  ['no code', read({ updatedExpiry: '3107' }), undefined],
])('an answer with %s', (_, found, expected) => {
  expect(found).toEqual(expected);
});

test('a dialect without codes has no updates', () => {
  expect(cardUpdateIn({}, { type: '1110', fields: {}, tags: { updateCode: 'C' } })).toBeUndefined();
});
