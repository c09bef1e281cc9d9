import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import { InstantOrNull, Minor, next, paging, Text, Whole } from '../portal.wire.ts';

const State = Type.Enum(['OnSale', 'Retired']);

export const ProductsQuery = Type.Object({
  payeeId: Type.Optional(Type.String({ maxLength: 36, description: 'products of this payee' })),
  state: Type.Optional(State),
  ...paging,
});

export const ProductsAnswer = Type.Object({
  products: Type.Array(
    Type.Object(
      {
        payeeId: Text,
        payeeName: Text,
        productId: Text,
        name: Text,
        currency: Text,
        numberPrefix: Text,
        numberLength: Whole,
        validityMonths: Whole,
        smallestAmount: Minor,
        largestAmount: Minor,
        largestBalance: Minor,
        allowedProductIds: Type.Array(Text),
        cvcRequired: Type.Boolean(),
        isDefault: Type.Boolean(),
        state: State,
        createdAt: Instant,
        retiredAt: InstantOrNull,
      },
      { $id: 'ListedProduct' },
    ),
  ),
  next,
});
