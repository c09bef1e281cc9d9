import { Type } from 'typebox';
import { LARGEST_AMOUNT_MINOR } from '../kit/money.ts';
import {
  cardNumber,
  decimal,
  expiryDate,
  freeText,
  idLike,
  logged,
  reference,
  remark,
  type Shown,
} from '../kit/schemas.wire.ts';

const Amount = (minimum: 0 | 1) =>
  Type.Integer({ minimum, maximum: LARGEST_AMOUNT_MINOR, description: 'In the smallest unit of the currency' });

const Digits = (pattern: string, description: string) => Type.Optional(idLike(pattern, description));

/** How a card or account is named in a request. What is secret of it never leaves the edge. */
export const AccountIdentifierBody = Type.Object(
  {
    accountId: logged(
      Digits(
        '^[A-Za-z0-9-]{1,64}$',
        "1 to 64 letters, digits and dashes: the account's id, as balance gives it; checked against accountKey",
      ),
    ),
    accountKey: Type.Optional(
      cardNumber('^[0-9]{8,19}$', "The card's or account's number, 8 to 19 digits; needed where track2 is absent"),
    ),
    cvc: Digits('^[0-9]{1,4}$', '1 to 4 digits: the card verification code; never stored'),
    encryptedPin: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        unscanned: 'never stored',
        description: 'Encrypted PIN block; never stored, never returned',
      }),
    ),
    expiryDate: Type.Optional(expiryDate('checked on any card where it is sent')),
    securityCode: Digits('^[0-9]{1,4}$', '1 to 4 digits: the card security code, checked like cvc; never stored'),
    track2: Type.Optional(
      Type.String({
        pattern: '^[0-9]{8,19}[=D][0-9]{4}[0-9]{0,24}$',
        unscanned: 'a card number',
        description:
          'Number, = or D, expiry as YYMM, and up to 24 more digits, without start and end sentinels; never stored',
      }),
    ),
  },
  { $id: 'AccountIdentifier' },
);
export type AccountIdentifierBody = Shown<typeof AccountIdentifierBody>;

export const MerchantBody = Type.Object(
  {
    merchantName: logged(freeText(100, 'Where the payment was made')),
    terminalId: logged(Type.Optional(idLike('^[ -~]{1,16}$', '1 to 16 visible characters'))),
  },
  { $id: 'Merchant' },
);
export type MerchantBody = Shown<typeof MerchantBody>;

const Product = Type.Object({
  productId: logged(idLike('^[A-Za-z0-9._-]{1,64}$', '1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash')),
  amount: logged(Amount(0)),
  quantity: logged(Type.Optional(decimal('How many, or how much'))),
  unitOfMeasure: logged(Type.Optional(freeText(20, 'As in pcs or kg'))),
  vatAmount: logged(Type.Optional(Amount(0))),
  vatRate: logged(Type.Optional(decimal('In percent'))),
  description: logged(Type.Optional(remark(255, 'What it is'))),
});

const Stan = Type.Optional(idLike('^[0-9]{1,12}$', '1 to 12 digits: the systems trace audit number; not kept'));
const Repeat = Type.Optional(
  Type.Boolean({ description: 'Marks a repetition: the answer then tells what became of the first one' }),
);
const AdditionalData = Type.Optional(
  Type.String({ maxLength: 1024, noCardCode: true, description: 'Stored with the payment' }),
);
const Description = Type.Optional(remark(255, 'What the payment is for'));

const newPaymentMembers = (least: 0 | 1) => ({
  accountIdentifier: AccountIdentifierBody,
  additionalData: AdditionalData,
  amount: logged(Amount(least)),
  currency: logged(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, as in NOK' })),
  description: logged(Description),
  merchant: MerchantBody,
  paymentOrderRef: logged(reference('names the order; several authorizations may share it')),
  paymentTransactionRef: logged(reference('names this request, once and for ever')),
  repeat: logged(Repeat),
  stan: Stan,
});

export const AuthorizeBody = Type.Object(newPaymentMembers(0), { $id: 'AuthorizeRequest' });
export const MoneyInBody = Type.Object(newPaymentMembers(1), { $id: 'MoneyInRequest' });
export const PurchaseBody = Type.Object(
  { ...newPaymentMembers(1), products: Type.Optional(Type.Array(Product, { maxItems: 200 })) },
  { $id: 'PurchaseRequest' },
);
export type NewPaymentBody = Shown<typeof PurchaseBody>;

const followUpMembers = {
  paymentOrderRef: logged(reference('the order of the payment')),
  paymentTransactionRef: logged(reference('names this request, once and for ever')),
  description: logged(Description),
  merchant: Type.Optional(MerchantBody),
  additionalData: AdditionalData,
  repeat: logged(Repeat),
  stan: Stan,
};

export const CaptureBody = Type.Object(
  {
    ...followUpMembers,
    amount: logged(Amount(1)),
    cancelRemainingAuth: logged(
      Type.Optional(Type.Boolean({ description: 'Releases what is left after this capture' })),
    ),
  },
  { $id: 'CaptureRequest' },
);
export const ReversalBody = Type.Object(
  {
    ...followUpMembers,
    amount: logged(Amount(1)),
    block: logged(Type.Optional(Type.Boolean({ description: 'Where a deposit is reversed: blocks the card' }))),
  },
  { $id: 'ReversalRequest' },
);
export const CancelBody = Type.Object(followUpMembers, { $id: 'CancelRequest' });
export type FollowUpBody = Shown<typeof CancelBody> & {
  readonly amount?: number;
  readonly cancelRemainingAuth?: boolean;
  readonly block?: boolean;
};

export const BalanceBody = Type.Object({ accountIdentifier: AccountIdentifierBody }, { $id: 'BalanceRequest' });
