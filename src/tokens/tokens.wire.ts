import { Type } from 'typebox';
import { DISPLAY_NAME_CHARACTERS, PAGE_TOKENS, PAYER_REFERENCE_CHARACTERS, REASON_CHARACTERS } from '../kit/limits.ts';
import { freeText, logged, operations, type Shown } from '../kit/schemas.wire.ts';

export const PayerReference = Type.String({
  // Not `.` and not `..`: they would be steps in an address, however they are encoded.
  pattern:
    '^(\\.{0,2}[^.\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*|\\.{3}[^\\u0000-\\u001f\\u007f-\\u009f]*)?$',
  // It is not trimmed, so blanks around it count too.
  maxLength: PAYER_REFERENCE_CHARACTERS,
  freeText: PAYER_REFERENCE_CHARACTERS,
  description:
    "1 to 128 characters of the payee's choosing, without control characters and card numbers, and neither `.` nor `..`",
});

export const TokenType = Type.Enum(['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'], {
  description: 'What the token may be used for',
});

export const Archiver = Type.Enum(['PAYEE', 'SERVICE_OPERATOR', 'TOKEN_ISSUER'], {
  description: 'In whose name; the last two need a scope of their own',
});

const MonthAndYear = (description: string) => Type.Optional(Type.String({ description: `${description}, MM/YYYY` }));

const Text = (description: string) => Type.Optional(Type.String({ description }));

export const InstrumentParameters = Type.Object(
  {
    cardBrand: logged(Text('Brand of the card')),
    expiryDate: MonthAndYear('When the card expires'),
    expiryPan: MonthAndYear("Expiry of the card's number"),
    issuerName: logged(Text('The issuing bank, where it is known')),
    lastFourPan: Text("Last four digits of the card's number"),
    bin: Text("First six digits of the card's number"),
    cardHolderType: Text('Consumer or Corporate, where it is known'),
    cardType: logged(Text('Debit or Credit, where it is known')),
    countryCode: Text('Country of the issuing bank, ISO 3166-1 numeric; 999 where it is not known'),
    lastFourDPan: Text('Last four digits of the network token'),
    expiryDPan: MonthAndYear('Expiry of the network token'),
    AccountId: Text('The account, for a bank account'),
    email: Text('E-mail address, for an invoice'),
    msisdn: Text('Mobile number, for an invoice'),
    zipCode: Text('Postal code, for an invoice'),
  },
  {
    $id: 'InstrumentParameters',
    description: 'Members by instrument: those of a card, a bank account or an invoice; of any other what came with it',
    additionalProperties: Type.String({
      description: 'Of another instrument: by its end alone where it looks like an account',
    }),
  },
);

const tokenMembers = {
  id: Type.String({ description: 'The token and its type, as addresses name it' }),
  payerReference: Type.String(),
  token: Type.String({ description: 'The GUID; an opaque string to the caller' }),
  tokenType: logged(TokenType),
  instrument: logged(
    Type.String({ description: 'CreditCard, BankAccount, Invoice-<variant> or another name, as in Swish' }),
  ),
  instrumentDisplayName: Type.String({ description: 'A name of its own, or the masked number' }),
  correlationsId: Type.String({ description: 'The same for all tokens of one card or account' }),
  state: logged(Type.Enum(['Active', 'Archived'])),
  archivedBy: Type.Optional(Archiver),
  archiveReason: Type.Optional(Type.String()),
  instrumentParameters: InstrumentParameters,
};

const TokenObject = Type.Object(tokenMembers, { $id: 'Token' });

export const SingleToken = Type.Object({ token: TokenObject, operations }, { $id: 'SingleToken' });

export const TokenCollection = Type.Object(
  {
    tokens: Type.Object({
      id: Type.String({ description: 'Relative address and identifier of the collection' }),
      payerReference: Type.String(),
      migratedFromConsumerProfile: Type.Boolean({ description: 'Whether at least one of the tokens came by import' }),
      tokenlist: Type.Array(Type.Object({ ...tokenMembers, operations })),
    }),
    operations,
  },
  { $id: 'TokenCollection' },
);

const pageMembers = {
  limit: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,2}$|^1000$', description: `a whole number from 1 to ${PAGE_TOKENS}` }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 200, unscanned: 'our own text', description: 'from the address of a next operation' }),
  ),
};

export const PageQuery = Type.Object(pageMembers);

export const ListQuery = Type.Object({
  ...pageMembers,
  state: Type.Optional(Type.Enum(['Active', 'Archived'])),
  tokenType: Type.Optional(TokenType),
  instrument: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
});

export const TokenParams = Type.Object({
  payeeId: Type.String({ description: 'The payee, a UUID' }),
  tokenId: Type.String({ description: 'The token and its type, or the bare GUID' }),
});

export const PayerParams = Type.Object({
  payeeId: Type.String({ description: 'The payee, a UUID' }),
  payerReference: PayerReference,
});

export const RenameBody = Type.Object(
  { displayName: freeText(DISPLAY_NAME_CHARACTERS, 'The new display name, 1 to 100 characters after trimming') },
  { $id: 'RenameToken' },
);

export const ArchiveBody = Type.Object(
  {
    reason: logged(freeText(REASON_CHARACTERS, 'Why, 1 to 255 characters')),
    updatedBy: logged(Archiver),
  },
  { $id: 'ArchiveToken' },
);

export const DeleteBody = Type.Object(
  {
    state: logged(Type.Enum(['Deleted'], { description: 'The only state that can be set' })),
    comment: Type.Optional(freeText(REASON_CHARACTERS, 'Why, 1 to 255 characters')),
  },
  { $id: 'DeleteToken' },
);

export const GuidParams = Type.Object({ token: Type.String({ description: "The token's GUID" }) });

export const PayerOwnedParams = Type.Object({ payerReference: PayerReference });

/** The members of a deleted or active token on `/psp/paymentorders`, whose names differ by the token's type. */
const describedInstrument = {
  instrument: logged(Type.String()),
  instrumentDisplayName: Type.String(),
  correlationId: Type.String(),
  instrumentParameters: InstrumentParameters,
};

const activeMembers = { tokenType: logged(Type.Optional(TokenType)), operations: Type.Optional(operations) };

export const RecurrenceAnswer = Type.Object(
  { token: Type.String(), isDeleted: logged(Type.Boolean()), ...activeMembers },
  { $id: 'RecurrenceTokenAnswer' },
);

export const UnscheduledAnswer = Type.Object(
  { token: Type.String(), ...describedInstrument, ...activeMembers },
  { $id: 'UnscheduledTokenAnswer' },
);

export const PaymentTokenAnswer = Type.Object(
  { paymentToken: Type.String(), ...describedInstrument, ...activeMembers },
  { $id: 'PaymentTokenAnswer' },
);

const OwnedTokens = Type.Object({
  id: Type.String(),
  payerReference: Type.String(),
  tokens: Type.Array(
    Type.Object({
      tokenType: logged(TokenType),
      token: Type.String(),
      ...describedInstrument,
      operations: Type.Optional(operations),
    }),
  ),
});

export const PayerOwnedAnswer = Type.Object(
  { payerOwnedTokens: OwnedTokens, operations: Type.Optional(operations) },
  { $id: 'PayerOwnedTokens' },
);

/** The same by the name that older clients know it by. */
export const PayerOwnedPaymentAnswer = Type.Object(
  { payerOwnedPaymentTokens: OwnedTokens, operations: Type.Optional(operations) },
  { $id: 'PayerOwnedPaymentTokens' },
);

export type SingleTokenAnswer = Shown<typeof SingleToken>;
export type TokenCollectionAnswer = Shown<typeof TokenCollection>;
