import { Type } from 'typebox';
import { METADATA_NAME_CHARACTERS, METADATA_VALUE_CHARACTERS } from '../../kit/cards/card-payment-limits.ts';
import { DISPLAY_NAME_CHARACTERS, REASON_CHARACTERS } from '../../kit/limits.ts';
import { freeText, type Shown } from '../../kit/schemas.wire.ts';
import { Archiver, PayerReference, TokenType } from '../tokens.wire.ts';

/** Characters of an instrument's name, and texts that belong to one of any name. */
const INSTRUMENT_NAME_CHARACTERS = 50;
const INSTRUMENT_PARAMETERS = 20;

const MonthAndYear = Type.String({
  pattern: '^(0[1-9]|1[0-2])/20[0-9]{2}$',
  description: 'a month from 01 to 12 and a year from 2000 to 2099, as MM/YYYY',
});

/** One line of a migration file. Members that are not here are ignored. */
export const ImportLineBody = Type.Object({
  payerReference: PayerReference,
  tokenType: TokenType,
  instrument: Type.String({
    maxLength: INSTRUMENT_NAME_CHARACTERS,
    // A name is stored in the clear: it must have no room for a card number.
    pattern: '^(?!.*[0-9]{13})[A-Za-z][A-Za-z0-9-]*$',
    description: 'CreditCard, BankAccount, Invoice-<variant>, or another name of letters, digits and dashes',
  }),
  instrumentParameters: Type.Optional(
    Type.Record(
      Type.String({ pattern: `^[A-Za-z][A-Za-z0-9_]{0,${METADATA_NAME_CHARACTERS - 1}}$` }),
      Type.String({ maxLength: METADATA_VALUE_CHARACTERS }),
      { additionalProperties: false, maxProperties: INSTRUMENT_PARAMETERS, description: 'Texts, not nested' },
    ),
  ),
  instrumentDisplayName: Type.Optional(freeText(DISPLAY_NAME_CHARACTERS, '1 to 100 characters after trimming')),
  pan: Type.Optional(
    Type.String({
      pattern: '^[0-9]{13,19}$',
      unscanned: 'a card number',
      description: 'the 13 to 19 digits of the card number',
    }),
  ),
  expiryDate: Type.Optional(MonthAndYear),
  accountId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', unscanned: 'sealed' })),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'an e-mail address' })),
  msisdn: Type.Optional(
    Type.String({
      pattern: '^\\+?[0-9]{8,15}$',
      unscanned: 'sealed',
      description: '8 to 15 digits, with a leading + or without',
    }),
  ),
  zipCode: Type.Optional(Type.String({ minLength: 1, maxLength: 16 })),
  token: Type.Optional(Type.String({ format: 'uuid', description: 'a GUID' })),
  state: Type.Optional(Type.Enum(['Active', 'Archived'])),
  archivedBy: Type.Optional(Archiver),
  archiveReason: Type.Optional(freeText(REASON_CHARACTERS, '1 to 255 characters')),
  lastFourDPan: Type.Optional(Type.String({ pattern: '^[0-9]{4}$', description: 'four digits' })),
  expiryDPan: Type.Optional(MonthAndYear),
  schemeTransactionId: Type.Optional(
    Type.String({
      maxLength: 40,
      // Schemes name payments by 15 digits: one in hundreds cannot be told from a card number, and is refused as any other text is.
      pattern: '^ *[!-~][ -~]*$',
      description: '1 to 40 printable characters of ASCII, as the scheme wrote them, with its blanks; not blanks alone',
    }),
  ),
});
export type ImportLineInput = Shown<typeof ImportLineBody>;

/** The same where it may be about a token that is there: `token` names it then. */
export const UpdateLineBody = Type.Object({
  ...ImportLineBody.properties,
  payerReference: Type.Optional(ImportLineBody.properties.payerReference),
  tokenType: Type.Optional(ImportLineBody.properties.tokenType),
  instrument: Type.Optional(ImportLineBody.properties.instrument),
});
export type UpdateLineInput = Shown<typeof UpdateLineBody>;
