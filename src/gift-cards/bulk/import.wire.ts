import { Type } from 'typebox';
import { LARGEST_AMOUNT_MINOR } from '../../kit/money.ts';

/** One line of a file of cards from another programme. Members that are not here are ignored. */
export const CardLineBody = Type.Object({
  accountKey: Type.String({
    pattern: '^[0-9]{16,19}$',
    unscanned: 'a card number',
    description: 'the 16 to 19 digits of the card number',
  }),
  expiryDate: Type.String({
    pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]$',
    description: 'the last day of a month, as YYYY-MM-DD',
  }),
  balance: Type.Integer({
    minimum: 0,
    maximum: LARGEST_AMOUNT_MINOR,
    description: 'a whole number of the smallest unit of the currency, from 0 to 999999999999',
  }),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'a code of ISO 4217, as in NOK' })),
  productId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'the id of a product' })),
  blocked: Type.Optional(Type.Boolean({ description: 'true or false' })),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'an e-mail address' })),
  msisdn: Type.Optional(
    Type.String({
      pattern: '^\\+?[0-9]{8,15}$',
      unscanned: 'sealed',
      description: '8 to 15 digits, with a leading + or without',
    }),
  ),
});
