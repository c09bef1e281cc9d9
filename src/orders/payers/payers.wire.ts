import { Type } from 'typebox';
import { EMAIL_CHARACTERS } from '../../kit/limits.ts';
import { logged, operations } from '../../kit/schemas.wire.ts';
import { PayerReference } from '../../tokens/tokens.wire.ts';

export const PayerParams = Type.Object({ payerReference: PayerReference });

const Id = Type.String({ description: 'Relative address' });
const Text = Type.Optional(Type.String());
const Texts = Type.Optional(Type.Record(Type.String(), Type.String()));

/** Texts by any name, as the payee sent them. */
const Known = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Type.Object({
        shippingAddress: Texts,
        billingAddress: Texts,
        accountInfo: Texts,
        digitalProducts: Type.Optional(Type.Boolean()),
      }),
      description,
      additionalProperties: Type.String(),
    }),
  );

const paidMembers = {
  id: Id,
  number: logged(Type.Integer()),
  created: logged(Type.String()),
  currency: logged(Type.String()),
  amount: logged(Type.Integer()),
  userAgent: Text,
};

const Order = Type.Object({
  ...paidMembers,
  status: logged(Type.String()),
  payer: Known('What is known of the payer; absent where nothing was said, and once it was erased'),
});

const Card = Type.Object({
  cardBrand: Text,
  cardType: Text,
  maskedPan: Text,
  expiryDate: Text,
  issuingBank: Text,
  countryCode: Text,
  cardholderName: Text,
});

const Payment = Type.Object({
  ...paidMembers,
  operation: logged(Type.String()),
  cardholder: Known('What is known of the holder; absent where nothing was said, and once it was erased'),
  cards: Type.Array(Card, { description: 'Those that it was tried with' }),
});

const Token = Type.Object({
  token: Type.String(),
  tokenType: logged(Type.String()),
  instrument: logged(Type.String()),
  state: logged(Type.String({ description: 'Active, Archived or Deleted' })),
  created: logged(Type.String()),
  displayName: Type.String(),
  cardBrand: Text,
  lastFour: Text,
  expiryDate: Text,
  archiveReason: Text,
  deleteComment: Text,
});

const GiftCard = Type.Object({
  paymentAccountId: Type.String(),
  issued: Type.String(),
  email: Text,
  msisdn: Text,
});
const GiftCardSums = Type.Object(
  {
    productId: Type.String(),
    dayBeganAt: Type.String(),
    monthBeganAt: Type.String(),
    loadedOfDay: Type.Integer(),
    loadedOfMonth: Type.Integer(),
    spentOfDay: Type.Integer(),
    spentOfMonth: Type.Integer(),
  },
  { description: 'What counts against the limits of a product; minor units' },
);

const named = { id: Id, payerReference: Type.String() };

export const PayerAnswer = Type.Object(
  {
    payer: Type.Object({
      ...named,
      orders: Type.Array(Order),
      payments: Type.Array(Payment, { description: 'Card payments, those of orders too' }),
      tokens: Type.Array(Token, { description: 'Deleted ones too' }),
      giftCards: Type.Array(GiftCard, { description: 'Those that the payer has bought' }),
      giftCardSums: Type.Array(GiftCardSums),
    }),
    operations,
  },
  { $id: 'PayerAnswer' },
);

const Count = Type.Integer();

export const ErasedPayerAnswer = Type.Object(
  {
    payer: Type.Object({
      ...named,
      erased: Type.Object(
        { orders: Count, payments: Count, tokens: Count, tombstones: Count, giftCards: Count },
        { description: 'How many this call has erased something of' },
      ),
      kept: Type.Array(Type.Object({ what: Type.String(), why: Type.String() })),
    }),
    operations,
  },
  { $id: 'ErasedPayerAnswer', description: 'A receipt' },
);

/** Whom a person of the portal looks for: one of both. In a body, because addresses of pages are kept in many places. */
export const PersonBody = Type.Object({
  payerReference: Type.Optional(PayerReference),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: EMAIL_CHARACTERS,
      description: 'As orders, card payments and gift cards have it',
    }),
  ),
});

export const PersonAnswer = Type.Object({
  orders: Type.Array(Order),
  payments: Type.Array(Payment, { description: 'Card payments, those of orders too' }),
  tokens: Type.Array(Token, { description: 'By reference alone' }),
  giftCards: Type.Array(GiftCard, { description: 'Those that the payer has bought, or that were sent to the address' }),
  giftCardSums: Type.Array(GiftCardSums, { description: 'By reference alone' }),
});

export const ErasedPersonAnswer = Type.Object({
  erased: Type.Object({ orders: Count, payments: Count, tokens: Count, tombstones: Count, giftCards: Count }),
  at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When; null where nothing was stored',
  }),
});
