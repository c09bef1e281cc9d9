import { Type } from 'typebox';
import { REASON_CHARACTERS } from '../../../kit/limits.ts';
import { freeText } from '../../../kit/schemas.wire.ts';

const swept = {
  productId: Type.String({ maxLength: 64 }),
  expiredBefore: Type.String({
    maxLength: 10,
    description: 'Cards whose last day is before this one, YYYY-MM-DD: today where the payee is, or a day before it',
  }),
};
export const SweepQuery = Type.Object(swept);
export const SweepBody = Type.Object({
  ...swept,
  reason: Type.Optional(freeText(REASON_CHARACTERS, 'Why; stored with each')),
});
export const PreviewAnswer = Type.Object({
  cards: Type.Integer(),
  amount: Type.Integer({ description: 'What is left on them, in the smallest unit of the currency' }),
  currency: Type.Union([Type.String(), Type.Null()], { description: 'Null where there is no such card' }),
  needsSecondPerson: Type.Boolean({ description: 'Whether another person must agree to the sweep' }),
});
