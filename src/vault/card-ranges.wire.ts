import { Type } from 'typebox';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const CardRangesQuery = Type.Object({
  prefix: Type.Optional(Type.String({ pattern: '^[0-9]{1,8}$', description: 'digits to begin at' })),
  cursor: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,8}-(sandbox|operator)$', description: 'what the page before said under next' }),
  ),
});

export const CardRangeList = Type.Object({
  cardRanges: Type.Array(
    Type.Object(
      {
        prefix: Type.String(),
        source: Type.Enum(['sandbox', 'operator']),
        brand: Type.String(),
        cardType: TextOrNull,
        holderType: TextOrNull,
        issuerName: TextOrNull,
        countryCode: TextOrNull,
      },
      { $id: 'CardRange' },
    ),
  ),
  next: TextOrNull,
});
