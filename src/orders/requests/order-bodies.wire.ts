import { type TProperties, Type } from 'typebox';
import { DESCRIPTION_CHARACTERS, EMAIL_CHARACTERS, USER_AGENT_CHARACTERS } from '../../kit/limits.ts';
import { LARGEST_AMOUNT_MINOR } from '../../kit/money.ts';
import { decimal, freeText, logged, productReference, remark, type Shown } from '../../kit/schemas.wire.ts';
import {
  Amount,
  CardRulesBody,
  Flag,
  flatTexts,
  Language,
  Metadata,
  PayeeInfoBody,
  PayeeReference,
  PayerReferenceOfBody,
  Token,
  UrlsBody,
} from '../../payments/payment-bodies.wire.ts';

/** Lines of an order; a weekly shop has a hundred. */
const ORDER_ITEMS = 500;
/** Characters of each text of a line, and of each address in it. */
const ORDER_ITEM_CHARACTERS = 128;
const ORDER_ITEM_URL_CHARACTERS = 512;
/** Instruments that a request names, more than clients know of; and characters of the name of one. */
const ORDER_INSTRUMENTS = 40;
const ORDER_INSTRUMENT_CHARACTERS = 64;
/** Entries of `items`: one for each kind of instrument that a client knows of. */
const ORDER_MENU_ITEMS = 20;
/** Parts that a capture or reversal names itself: as many as an order has legs, and some that it has not. */
const ORDER_PARTS = 10;
/** Characters of the description of an order. */
const ORDER_DESCRIPTION_CHARACTERS = 40;
/** Characters of each text about a payer. */
const PAYER_TEXT_CHARACTERS = 255;
/** What a discount takes off is below zero. */
const SignedAmount = (description: string) =>
  Type.Integer({ minimum: -LARGEST_AMOUNT_MINOR, maximum: LARGEST_AMOUNT_MINOR, description });

const itemText = (description: string) => remark(ORDER_ITEM_CHARACTERS, `${description}, 1 to 128 characters`);
const itemUrl = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: ORDER_ITEM_URL_CHARACTERS, description }));
const Instrument = Type.String({ minLength: 1, maxLength: ORDER_INSTRUMENT_CHARACTERS });
const instruments = (description: string) =>
  logged(Type.Optional(Type.Array(Instrument, { maxItems: ORDER_INSTRUMENTS, description })));

const itemMembers = {
  reference: logged(productReference(ORDER_ITEM_CHARACTERS, "The payee's name of what is sold, 1 to 128 characters")),
  name: itemText('What is sold'),
  type: logged(
    Type.Enum(['PRODUCT', 'SERVICE', 'SHIPPING_FEE', 'PAYMENT_FEE', 'DISCOUNT', 'VALUE_CODE', 'OTHER'], {
      description: 'What kind of line it is',
    }),
  ),
  class: logged(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description: 'A group of products: 1 to 128 of A-Z, a-z, 0-9, underscore and dash',
    }),
  ),
  itemUrl: itemUrl('Where it is shown'),
  imageUrl: itemUrl('A picture of it'),
  description: Type.Optional(itemText('More about it')),
  discountDescription: Type.Optional(itemText('Why it costs less')),
  quantityUnit: itemText('What is counted, as in pcs'),
  unitPrice: logged(SignedAmount('Of one unit, in the smallest unit of the currency')),
  discountPrice: logged(Type.Optional(SignedAmount('Of one unit with its discount'))),
  vatPercent: logged(Type.Integer({ minimum: 0, maximum: 10_000, description: 'In hundredths: 2500 is 25 percent' })),
  amount: logged(SignedAmount('Of the line, below zero for a discount')),
  vatAmount: logged(SignedAmount('What of it is VAT')),
  restrictedToInstruments: instruments('Means of payment that this line is for; of ones that there are none here'),
};

export const OrderItemBody = Type.Object(
  { ...itemMembers, quantity: logged(decimal('Above 0, with four decimals at most')) },
  { $id: 'OrderItem' },
);

const OrderItems = Type.Optional(Type.Array(OrderItemBody, { maxItems: ORDER_ITEMS, description: 'What is bought' }));

const text = (description: string) => Type.Optional(freeText(PAYER_TEXT_CHARACTERS, description));
/** Characters of a telephone number as it is sent; what is none is dropped later. */
const PHONE_CHARACTERS = 64;
const phone = Type.Optional(
  Type.String({ maxLength: PHONE_CHARACTERS, description: 'A number with its country; one that is none is dropped' }),
);
const email = Type.Optional(Type.String({ maxLength: EMAIL_CHARACTERS, description: 'Dropped where it is none' }));

const address = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        firstName: text('Given name'),
        lastName: text('Family name'),
        addressee: text('Who it is for'),
        coAddress: text('Care of'),
        streetAddress: text('Street and house'),
        zipCode: Type.Optional(
          Type.String({ maxLength: 64, description: 'Dropped where it has more than 16 characters' }),
        ),
        city: text('Town'),
        countryCode: text('ISO 3166-1, two letters'),
        email,
        msisdn: phone,
      } satisfies TProperties,
      { description },
    ),
  );

const Payer = Type.Object(
  {
    payerReference: PayerReferenceOfBody,
    firstName: text('Given name'),
    lastName: text('Family name'),
    email,
    msisdn: phone,
    shippingAddress: address('Where it is sent to'),
    billingAddress: address('Where the bill goes'),
    accountInfo: flatTexts("What is known of the payer's account with the payee"),
    digitalProducts: Flag('Whether nothing is sent'),
  },
  { description: 'Who pays; kept sealed' },
);

const RiskIndicator = Type.Object(
  {
    giftCardPurchase: logged(Flag('Whether gift cards are bought')),
    deliveryEmailAddress: email,
    deliveryTimeFrameIndicator: text('How fast it is delivered'),
    preOrderDate: text('When it is there'),
    preOrderPurchaseIndicator: text('Whether it is there'),
    shipIndicator: text('Where it goes'),
    reOrderPurchaseIndicator: text('Whether it was bought before'),
  },
  { description: 'What the payee knows of the risk' },
);

const MenuItem = Type.Object({ creditCard: Type.Optional(CardRulesBody) });

const orderAmount = (description: string) =>
  logged(Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT_MINOR, description })));

export const CreateOrderBody = Type.Object(
  {
    paymentorder: Type.Object({
      operation: logged(
        Type.Enum(['Purchase', 'Verify', 'Recur', 'UnscheduledPurchase'], { description: 'What is wanted' }),
      ),
      intent: logged(
        Type.Optional(Type.Enum(['Authorization', 'AutoCapture'], { description: 'Whether it is captured at once' })),
      ),
      currency: logged(Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, as in NOK' }))),
      amount: orderAmount('In the smallest unit of the currency; ignored for a Verify'),
      vatAmount: orderAmount('What of it is VAT'),
      description: logged(Type.Optional(remark(ORDER_DESCRIPTION_CHARACTERS, 'What is paid for, 1 to 40 characters'))),
      userAgent: Type.Optional(
        Type.String({ maxLength: 4 * USER_AGENT_CHARACTERS, description: "The payer's browser" }),
      ),
      language: logged(Type.Optional(Language)),
      productName: logged(
        Type.Optional(Type.String({ maxLength: 40, description: '`Checkout3`: the order is shown as 3.0 by itself' })),
      ),
      instrument: logged(
        Type.Optional(
          Type.String({
            maxLength: ORDER_INSTRUMENT_CHARACTERS,
            description: 'The only means of payment: `CreditCard` or `GiftCard`',
          }),
        ),
      ),
      disablePaymentMenu: logged(Flag('The page has no menu: it takes cards alone')),
      restrictedToInstruments: instruments('Means of payment that the menu has, in this order'),
      expandFirstInstrument: logged(Flag('The page opens the first of the menu')),
      disableStoredPaymentDetails: logged(Flag('The page shows no stored cards')),
      enablePaymentDetailsConsentCheckbox: logged(Flag('The page asks whether the card is to be stored')),
      generatePaymentToken: logged(Flag('Keeps the card for the payer to use again')),
      generateRecurrenceToken: logged(Flag('Keeps the card for a `Recur`')),
      generateUnscheduledToken: logged(Flag('Keeps the card for an `UnscheduledPurchase`')),
      generateTransactionOnFileToken: logged(Flag('Keeps the card for later payments that the payer knows of')),
      paymentToken: Token('Fills the page in; of an `UnscheduledPurchase` what it is paid with'),
      recurrenceToken: Token('What a `Recur` is paid with'),
      unscheduledToken: Token('What an `UnscheduledPurchase` is paid with'),
      orderItems: OrderItems,
      urls: Type.Optional(UrlsBody),
      payeeInfo: Type.Optional(
        Type.Object({
          ...PayeeInfoBody.properties,
          siteId: logged(Type.Optional(freeText(40, 'A shop of the payee'))),
        }),
      ),
      payer: Type.Optional(Payer),
      riskIndicator: Type.Optional(RiskIndicator),
      metadata: Type.Optional(Metadata),
      items: Type.Optional(
        Type.Array(MenuItem, { maxItems: ORDER_MENU_ITEMS, description: 'Which cards are taken, in `creditCard`' }),
      ),
    }),
  },
  { $id: 'CreatePaymentOrder' },
);
export type CreateOrderBody = Shown<typeof CreateOrderBody>;
export type SentOrder = CreateOrderBody['paymentorder'];
export type SentItem = Shown<typeof OrderItemBody>;

/** Every change of an unpaid order. Which members it needs depends on the operation: a rule asks for them. */
export const ChangeOrderBody = Type.Object(
  {
    paymentorder: Type.Object({
      operation: logged(
        Type.Enum(['UpdateOrder', 'Abort', 'PaymentAttemptAborted', 'SetInstrument', 'ExpandInstrument'], {
          description: 'What is to be changed',
        }),
      ),
      amount: orderAmount('Of an `UpdateOrder`: what is to be paid'),
      vatAmount: orderAmount('What of it is VAT'),
      description: logged(Type.Optional(remark(ORDER_DESCRIPTION_CHARACTERS, 'What is paid for, 1 to 40 characters'))),
      orderItems: OrderItems,
      payeeInfo: Type.Optional(Type.Object({ orderReference: PayeeInfoBody.properties.orderReference })),
      abortReason: Type.Optional(
        Type.String({ pattern: '^[A-Za-z0-9]{1,100}$', description: '1 to 100 of A-Z, a-z and 0-9' }),
      ),
      instrument: logged(
        Type.Optional(
          Type.String({ maxLength: ORDER_INSTRUMENT_CHARACTERS, description: '`CreditCard` or `GiftCard`' }),
        ),
      ),
    }),
  },
  { $id: 'ChangePaymentOrder' },
);
export type ChangeOrderBody = Shown<typeof ChangeOrderBody>;

const transactionMembers = {
  description: logged(Type.Optional(remark(DESCRIPTION_CHARACTERS, 'What it is for, 1 to 255 characters'))),
  payeeReference: logged(PayeeReference),
  receiptReference: logged(Type.Optional(freeText(50, 'A receipt of the payee'))),
  orderItems: OrderItems,
};

export const OrderAmountBody = Type.Object(
  {
    transaction: Type.Object({
      amount: logged(Amount(1)),
      vatAmount: logged(Type.Optional(Amount(0))),
      ...transactionMembers,
      legs: Type.Optional(
        Type.Array(
          Type.Object({
            id: logged(Type.String({ minLength: 1, maxLength: 64, description: 'The leg, a UUID' })),
            amount: logged(Amount(1)),
          }),
          {
            maxItems: ORDER_PARTS,
            description: 'How the amount falls on the legs; without it by the order of the payee',
          },
        ),
      ),
    }),
  },
  { $id: 'PaymentOrderAmount' },
);
export type OrderAmountBody = Shown<typeof OrderAmountBody>;

/** It takes all that is left: what else clients send is not looked at. */
export const OrderCancellationBody = Type.Object(
  {
    transaction: Type.Object({
      description: transactionMembers.description,
      payeeReference: transactionMembers.payeeReference,
    }),
  },
  { $id: 'PaymentOrderCancellation' },
);
export type OrderCancellationBody = Shown<typeof OrderCancellationBody>;
