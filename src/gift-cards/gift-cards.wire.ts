import { Type } from 'typebox';
import { DESCRIPTION_CHARACTERS, EMAIL_CHARACTERS } from '../kit/limits.ts';
import { LARGEST_AMOUNT_MINOR } from '../kit/money.ts';
import {
  cardNumber,
  expiryDate,
  idLike,
  links,
  logged,
  operations,
  reference,
  remark,
  type Shown,
} from '../kit/schemas.wire.ts';
import { PayerReference } from '../tokens/tokens.wire.ts';

const Amount = Type.Integer({
  minimum: 0,
  maximum: LARGEST_AMOUNT_MINOR,
  description: 'In the smallest unit of the currency; 0: no deposit is made',
});

export const NewGiftCardBody = Type.Object(
  {
    amount: logged(Amount),
    email: Type.Optional(
      Type.String({ format: 'email', maxLength: EMAIL_CHARACTERS, description: 'An e-mail address; kept encrypted' }),
    ),
    msisdn: Type.Optional(
      Type.Unsafe<string | number>({
        idLike: '^\\x2b?[0-9]{8,15}$',
        unscanned: 'sealed',
        description: '8 to 15 digits, a leading + is optional; kept encrypted',
      }),
    ),
    orderRef: Type.Optional(reference('names the sale; without it none is named')),
    payerReference: Type.Optional(PayerReference),
    productId: logged(
      Type.Optional(idLike('^[A-Za-z0-9._-]{1,64}$', 'A gift-card product; without it the default one is meant')),
    ),
  },
  { $id: 'NewGiftCardRequest' },
);
export type NewGiftCardBody = Shown<typeof NewGiftCardBody>;

const SimpleAccountIdentifier = Type.Object(
  {
    accountKey: cardNumber('^[0-9]{8,19}$', "The card's number, 8 to 19 digits"),
    cvc: Type.Optional(
      idLike('^[0-9]{1,4}$', '1 to 4 digits: the card verification code; checked where it is sent, never stored'),
    ),
    expiryDate: Type.Optional(expiryDate('checked where it is sent')),
  },
  { $id: 'SimpleAccountIdentifier' },
);

export const PreDepositBody = Type.Object(
  {
    amount: logged(Amount),
    currency: logged(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, as in NOK' })),
    description: logged(Type.Optional(remark(DESCRIPTION_CHARACTERS, 'What the deposit is for'))),
    orderRef: reference('names the order; without transactionRef it names this request, once and for ever'),
    transactionRef: logged(Type.Optional(reference('names this request, once and for ever'))),
    SimpleAccountIdentifier,
  },
  { $id: 'PreDepositRequest', description: 'simpleAccountIdentifier is taken for SimpleAccountIdentifier' },
);
export type PreDepositBody = Shown<typeof PreDepositBody>;

const Balance = Type.Integer({ description: 'What is available after it, in the smallest unit of the currency' });
const PaymentNumber = Type.Integer({ description: 'Names the deposit, also as the payment in a reversal' });

export const NewGiftCardAnswer = Type.Object(
  {
    _links: links,
    operations,
    accountSummaryGiftCard: Type.Object({
      accountId: logged(Type.String({ description: 'The paymentAccountId of addresses' })),
      accountKey: Type.String({ description: "The card's number: shown once; a day after, masked" }),
      balance: logged(Balance),
      currency: logged(Type.String()),
      cvc: Type.String({ description: 'Card verification code: shown once; a day after, ***' }),
      expiryDate: Type.String({ description: 'YYYY-MM-DD, the last day' }),
    }),
    paymentId: logged(PaymentNumber),
  },
  { $id: 'NewGiftCard' },
);
export type NewGiftCardAnswer = Shown<typeof NewGiftCardAnswer>;

export const PreDepositAnswer = Type.Object(
  { _links: links, operations, balance: logged(Balance), paymentId: logged(PaymentNumber) },
  { $id: 'PreDeposit' },
);
export type PreDepositAnswer = Shown<typeof PreDepositAnswer>;

export const Nothing = Type.Object({});
