import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import { InstantOrNull, Minor, next, paging, Text, Whole } from '../portal.wire.ts';

const Count = (description: string) => Type.Integer({ description });

export const IssuersAnswer = Type.Object({
  issuers: Type.Array(
    Type.Object(
      {
        issuerId: Text,
        issuerName: Text,
        acquirerId: Text,
        acquirerName: Text,
        kind: Type.Enum(['Ledger', 'Elsewhere'], {
          description: 'Whether our own ledger decides, or an issuer elsewhere is asked',
        }),
        state: Type.Enum(['Own', 'Idle', 'Answering', 'NotAnswering']),
        settlementProvided: Type.Boolean({ description: 'Whether the issuer settles with the payee' }),
        holdSeconds: Type.Integer({ description: 'How long an authorization holds' }),
        prefixes: Type.Array(Text, { description: 'First digits of the numbers that it decides on' }),
        answered: Count('Questions of the last hours that it answered in time'),
        unanswered: Count('Questions of the last hours that it did not answer in time'),
        latestAnsweredAt: InstantOrNull,
        latestUnansweredAt: InstantOrNull,
        waiting: Count('Questions without an answer yet'),
        toTakeBack: Count('Questions that it has to confirm as taken back'),
        oldestAt: InstantOrNull,
      },
      { $id: 'ListedIssuer' },
    ),
  ),
  hours: Whole,
  rows: Type.Integer({ description: 'Questions that are looked at, at most' }),
});

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
