import { type TProperties, Type } from 'typebox';
import {
  CARDHOLDER_CHARACTERS,
  METADATA_MEMBERS,
  METADATA_NAME_CHARACTERS,
  METADATA_VALUE_CHARACTERS,
  URL_OF_PAYEE_CHARACTERS,
} from '../kit/cards/card-payment-limits.ts';
import { USER_AGENT_CHARACTERS } from '../kit/limits.ts';
import { LARGEST_AMOUNT_MINOR } from '../kit/money.ts';
import { cardNumber, freeText, idLike, logged, remark, type Shown, scalar } from '../kit/schemas.wire.ts';
import { PayerReference } from '../tokens/tokens.wire.ts';

/** Characters of the description of a card payment and of its transactions. */
const CARD_DESCRIPTION_CHARACTERS = 40;
/** Members of `cardholder` and of each object in it, and characters of each text: more is no description of a person. */
const CARDHOLDER_MEMBERS = 20;
const CARDHOLDER_TEXT_CHARACTERS = 255;

export const Amount = (minimum: 0 | 1) =>
  Type.Integer({ minimum, maximum: LARGEST_AMOUNT_MINOR, description: 'In the smallest unit of the currency' });

const Description = Type.Optional(remark(CARD_DESCRIPTION_CHARACTERS, 'What is paid for, 1 to 40 characters'));

export const PayeeReference = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9-]{1,50}$',
    description: '1 to 50 of A-Z, a-z, 0-9 and dash: names this operation, once and for ever',
  }),
);

const Url = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: URL_OF_PAYEE_CHARACTERS, description }));

export const PayerReferenceOfBody = Type.Optional(PayerReference);

export const Token = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

export const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const UrlsBody = Type.Object(
  {
    hostUrls: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: URL_OF_PAYEE_CHARACTERS }), {
        maxItems: 10,
        description: 'Origins that may frame the payment page, each of one whole host',
      }),
    ),
    completeUrl: Url('Where the payer goes once it is paid or has failed'),
    cancelUrl: Url('Where the payer goes who does not want to pay'),
    paymentUrl: Url('Where the framed page is, for ways that lead out of it'),
    callbackUrl: Url('What is told of every outcome'),
    logoUrl: Url("The payee's picture on the page"),
    termsOfServiceUrl: Url("The payee's terms"),
  },
  { description: 'Absolute https addresses; in the sandbox http too' },
);

export const PayeeInfoBody = Type.Object({
  payeeId: logged(Type.Optional(Type.String({ maxLength: 36, description: 'The payee of the access token' }))),
  payeeReference: logged(PayeeReference),
  payeeName: logged(Type.Optional(freeText(100, 'As the payer knows the payee'))),
  productCategory: logged(Type.Optional(freeText(50, 'What kind of thing is sold'))),
  orderReference: logged(Type.Optional(freeText(50, "The payee's order"))),
  subsite: logged(Type.Optional(freeText(40, "A part of the payee's shop"))),
});

/** What is known of a person: texts by any name. What is no text is ignored, but for these members. */
const texts = (members: TProperties, description: string) => ({
  ...Type.Object(members, { description, maxProperties: CARDHOLDER_MEMBERS }),
  propertyNames: { pattern: '^[A-Za-z]{1,40}$' },
  additionalProperties: freeText(CARDHOLDER_TEXT_CHARACTERS, 'a text of 1 to 255 characters'),
});

export const flatTexts = (description: string) =>
  Type.Optional(Type.Unsafe<Record<string, string>>(texts({}, description)));

const address = 'addressee, coAddress, streetAddress, zipCode, city, countryCode, email, msisdn';

const Cardholder = Type.Unsafe<Record<string, string | Record<string, string>>>(
  texts(
    {
      shippingAddress: flatTexts(`Where it is sent to: ${address}`),
      billingAddress: flatTexts(`Where the bill goes: ${address}`),
      accountInfo: flatTexts("What is known of the holder's account with the payee"),
    },
    'What the payee knows of the holder: names, email, msisdn, and the objects below. Anything else is ignored',
  ),
);

export const Metadata = Type.Record(
  Type.String({ pattern: `^[A-Za-z0-9._-]{1,${METADATA_NAME_CHARACTERS}}$` }),
  scalar(METADATA_VALUE_CHARACTERS, 'A text, a number, true or false'),
  // Without this, a name of another form would be let through, and with it a value that was not checked.
  {
    additionalProperties: false,
    maxProperties: METADATA_MEMBERS,
    description: "The payee's own words: texts, numbers, true or false",
  },
);

const Price = Type.Object({
  type: logged(Type.String({ maxLength: 40, description: '`CreditCard`, or one brand' })),
  amount: logged(Amount(1)),
  vatAmount: logged(Type.Optional(Amount(0))),
});

/** Which cards are taken, and what is not asked of them. */
export const CardRulesBody = Type.Object({
  rejectCreditCards: logged(Flag('Takes no credit cards')),
  rejectDebitCards: logged(Flag('Takes no debit cards')),
  rejectConsumerCards: logged(Flag('Takes no cards of persons')),
  rejectCorporateCards: logged(Flag('Takes no cards of companies')),
  no3DSecure: logged(Flag('Does not authenticate the payer')),
  noCvc: logged(Flag('Does not ask for the cvc')),
  orderedBy: logged(
    Type.Optional(
      Type.Enum(['Mail', 'Phone'], {
        description:
          'A mail or telephone order: the payee types the card of a payer who is not there, and 3-D Secure is not asked for. Only where an agreement has a terminal for it',
      }),
    ),
  ),
  rejectCvcMismatch: logged(Flag('Takes back an approval whose acquirer says that the security code is wrong')),
  rejectAddressMismatch: logged(
    Flag('Takes back an approval whose acquirer says that neither street nor postal code are those of the card'),
  ),
});

export const Language = Type.String({
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$',
  description: 'A language tag, as in nb-NO',
});

export const CreatePaymentBody = Type.Object(
  {
    payment: Type.Object({
      operation: logged(
        Type.Enum(['Purchase', 'Verify', 'Recur', 'UnscheduledPurchase'], { description: 'What is wanted' }),
      ),
      intent: logged(
        Type.Optional(Type.Enum(['Authorization', 'AutoCapture'], { description: 'Whether it is captured at once' })),
      ),
      currency: logged(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, as in NOK' })),
      prices: Type.Optional(Type.Array(Price, { maxItems: 20, description: 'What it costs, by kind of card' })),
      amount: logged(Type.Optional(Amount(1))),
      vatAmount: logged(Type.Optional(Amount(0))),
      description: logged(Description),
      userAgent: Type.Optional(
        Type.String({ maxLength: 4 * USER_AGENT_CHARACTERS, description: "The payer's browser" }),
      ),
      language: logged(Type.Optional(Language)),
      payerReference: PayerReferenceOfBody,
      payer: Type.Optional(Type.Object({ payerReference: PayerReferenceOfBody })),
      paymentToken: Token('Fills the page in; of an `UnscheduledPurchase` what it is paid with'),
      recurrenceToken: Token('What a `Recur` is paid with'),
      unscheduledToken: Token('What an `UnscheduledPurchase` is paid with'),
      generatePaymentToken: logged(Flag('Keeps the card for the payer to use again')),
      generateRecurrenceToken: logged(Flag('Keeps the card for a `Recur`')),
      generateUnscheduledToken: logged(Flag('Keeps the card for an `UnscheduledPurchase`')),
      generateTransactionOnFileToken: Flag('Keeps the card for later payments that the payer knows of'),
      tokenConsent: logged(
        Type.Optional(
          Type.Enum(['Required', 'Optional'], {
            description:
              'Whether the payer must agree to having the card stored for the payment to go on. Without it `Required` where a Recurrence or Unscheduled token is made, else `Optional`',
          }),
        ),
      ),
      recurring: Type.Optional(
        Type.Object(
          {
            until: logged(
              Type.String({
                pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$',
                description: 'The last day of the series, YYYY-MM-DD',
              }),
            ),
            everyDays: logged(
              Type.Integer({ minimum: 1, maximum: 9999, description: 'Days that lie between two payments at least' }),
            ),
          },
          {
            description:
              'The series that the payer agrees to, as their bank is told where a Recurrence token is made; without it every day until the card expires',
          },
        ),
      ),
      urls: Type.Optional(UrlsBody),
      payeeInfo: Type.Optional(PayeeInfoBody),
      cardholder: Type.Optional(Cardholder),
      metadata: Type.Optional(Metadata),
    }),
    creditCard: Type.Optional(CardRulesBody),
  },
  { $id: 'CreateCardPayment' },
);
export type CreatePaymentBody = Shown<typeof CreatePaymentBody>;

export const AbortBody = Type.Object(
  {
    payment: Type.Object({
      operation: logged(Type.Enum(['Abort'], { description: 'The only change that there is' })),
      abortReason: Type.String({
        pattern: '^[A-Za-z0-9]{1,100}$',
        description: '1 to 100 of A-Z, a-z and 0-9',
      }),
    }),
  },
  { $id: 'AbortCardPayment' },
);

/** As payers type it: with digits of any script, and whatever they put between these. The payment reads it. */
const typed = (most: number) => `^[^\\p{L}]{1,${most}}$`;

const cardMembers = {
  cardNumber: cardNumber(typed(120), 'The number of the card, 12 to 19 digits; blanks, dots and dashes are ignored'),
  cardExpiryMonth: idLike(typed(20), 'The month, 1 to 12'),
  cardExpiryYear: idLike(typed(20), 'The year, of two or four digits'),
  cardVerificationCode: Type.Optional(
    idLike(typed(20), 'The code on the card, of 3 digits, on American Express 4; never stored'),
  ),
  cardholderName: Type.Optional(freeText(CARDHOLDER_CHARACTERS, 'The name on the card')),
};

export const CardBody = Type.Object({ transaction: Type.Object(cardMembers) }, { $id: 'CardOfPayer' });
export type CardBody = Shown<typeof CardBody>;

/** EMV 3-D Secure 2.2.0, table A.1. Neither the value nor the id is stored. */
const ExternalAuthentication = Type.Object(
  {
    version: Type.Enum(['2.1.0', '2.2.0', '2.3.1'], { description: 'Of EMV 3-D Secure' }),
    transStatus: Type.Enum(['Y', 'A'], { description: '`Y`: the payer was authenticated; `A`: an attempt counts' }),
    eci: Type.Enum(['01', '02', '05', '06'], {
      description: 'Electronic commerce indicator. For `Y` 05, of Mastercard and Maestro 02; for `A` 06, of these 01',
    }),
    authenticationValue: Type.String({
      maxLength: 28,
      // 160 bits: the last of 27 characters has two that are not used.
      pattern: '^[A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=$',
      unscanned: 'never stored',
      description: 'What proves it: 20 bytes in Base64',
    }),
    dsTransactionId: Type.String({
      pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
      unscanned: 'never stored',
      description: "The directory server's id of it, a UUID",
    }),
  },
  { description: 'What 3-D Secure elsewhere came to, for this amount: the payee vouches for it' },
);

/** A card, and why its payer does not authenticate here. */
export const CardToAuthorizeBody = Type.Object(
  {
    transaction: Type.Object({
      ...cardMembers,
      authentication: Type.Optional(ExternalAuthentication),
      exemption: Type.Optional(
        Type.Enum(['LowValue', 'RiskAnalysis', 'TrustedPayee', 'SecureCorporate'], {
          description:
            "Why the payer need not authenticate: one that the card's acquirer takes. Not beside `authentication`",
        }),
      ),
    }),
  },
  { $id: 'CardToAuthorize' },
);
export type CardToAuthorizeBody = Shown<typeof CardToAuthorizeBody>;

const followUpMembers = { description: logged(Description), payeeReference: logged(PayeeReference) };

/** Of a capture or a reversal. */
export const AmountBody = Type.Object(
  {
    transaction: Type.Object({
      amount: logged(Amount(1)),
      vatAmount: logged(Type.Optional(Amount(0))),
      ...followUpMembers,
    }),
  },
  { $id: 'CardPaymentAmount' },
);

export const CancellationBody = Type.Object(
  { transaction: Type.Object(followUpMembers) },
  { $id: 'CardPaymentCancellation' },
);
export type FollowUpBody = Shown<typeof CancellationBody> & {
  readonly transaction: { readonly amount?: number; readonly vatAmount?: number };
};
