import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { DIFFERENCE_KINDS } from '../settlements.wire.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);
/** Characters of a file's name: what file systems take. */
const NAME_CHARACTERS = 255;

const sent = {
  acquirer: Type.String({ maxLength: 100, description: 'Whose file it is, as the list of imports names it' }),
  name: Type.String({
    maxLength: NAME_CHARACTERS,
    pattern: '^[^\\p{Cc}\\p{Bidi_Control}]+$',
    description: "The file's name, without its folder, control characters and marks of direction",
  }),
};
export const PreviewQuery = Type.Object(sent);
export const ImportQuery = Type.Object({
  ...sent,
  digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'What the preview has said: this very file is taken' }),
});

export const ImportedBatch = Type.Object(
  {
    importedAt: Instant,
    actor: Type.String({ description: 'As in portal-user:<id>, operator:cli:<person>' }),
    actorName: TextOrNull,
    batch: Type.String(),
    lines: Type.Integer(),
    amount: Type.Integer({ description: 'What it pays' }),
    currency: Type.String(),
    file: Type.String(),
    digest: Type.String({ description: 'SHA-256 of the file' }),
  },
  { $id: 'ImportedBatch' },
);
export type ImportedBatch = Shown<typeof ImportedBatch>;

export const ImportsAnswer = Type.Object({
  acquirers: Type.Array(Type.String(), { description: 'Acquirers that the payee has an agreement with' }),
  imports: Type.Array(ImportedBatch, { description: 'The newest first' }),
  hasMore: Type.Boolean({ description: 'There are older ones, which are not shown' }),
});

const FileFault = Type.Object(
  {
    code: Type.Enum([
      'openQuotes',
      'cellCount',
      'unknownType',
      'unknownCurrency',
      'noAmount',
      'netDiffers',
      'tooLong',
      'controlCharacters',
      'shortenedNumber',
      'emptyCell',
      'currencyMissing',
      'sameCurrencyDiffers',
      'signDiffers',
      'noRate',
      'noDay',
      'notFourDigits',
      'currencyChanges',
      'sumsTooLarge',
      'noPayout',
      'sumsDiffer',
      'anotherBatch',
      'wasWithdrawn',
      'noAgreement',
      'severalPayees',
      'otherEncoding',
      'notUtf8',
      'lineTooLong',
      'emptyFile',
      'columnsMissing',
      'cardNumber',
      'tooManyBatches',
      'lineTwice',
      'fileChanged',
    ]),
    line: Type.Union([Type.Integer(), Type.Null()], { description: 'From 1, the header' }),
    column: TextOrNull,
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'What it must be, or what the code is about: columns that are missing, an encoding, a number',
    }),
  },
  { $id: 'FileFault', description: 'Why a file, a batch or a line is refused: no value of it' },
);
const FaultOrNull = Type.Union([FileFault, Type.Null()]);

export const PreviewAnswer = Type.Object({
  digest: Type.Union([Type.String(), Type.Null()], {
    description: 'SHA-256 of the file; null where it is refused whole',
  }),
  reason: FaultOrNull,
  lines: Type.Integer(),
  isKnown: Type.Boolean({ description: 'This very file was imported before: nothing of it would be taken' }),
  batches: Type.Array(
    Type.Object(
      {
        batch: Type.String(),
        merchantId: Type.String(),
        state: Type.Enum(['New', 'Known', 'Refused']),
        lines: Type.Integer(),
        currency: { ...TextOrNull, description: 'Null where a line is wrong: the amounts say nothing then' },
        gross: Type.Integer(),
        fee: Type.Integer(),
        payout: Type.Integer(),
        reason: FaultOrNull,
      },
      { $id: 'PreviewedBatch', description: "Amounts are in the currency's smallest unit" },
    ),
  ),
  outcomes: Type.Array(
    Type.Object(
      {
        outcome: Type.Enum(['matched', 'disputed', 'others', ...DIFFERENCE_KINDS], {
          description: 'Or the kind of their differences. others are of no sale: fees, reserves',
        }),
        lines: Type.Integer(),
        currency: Type.String(),
        amount: Type.Integer({ description: "What the file says, in the currency's smallest unit" }),
        ourCurrency: TextOrNull,
        ours: Type.Union([Type.Integer(), Type.Null()], { description: 'What our books say' }),
      },
      { $id: 'LinesOutcome' },
    ),
    { description: 'What would become of the lines of batches that are new' },
  ),
  unread: Type.Array(Type.Object({ line: Type.Integer(), batch: Type.String(), reason: FileFault }), {
    description: 'Lines that cannot be read, the first ones',
  }),
  hasMoreUnread: Type.Boolean(),
});

export const ImportAnswer = Type.Object({
  isKnown: Type.Boolean(),
  lines: Type.Integer(),
  batches: Type.Integer(),
  known: Type.Integer({ description: 'Batches that were there before' }),
  matched: Type.Integer(),
  differences: Type.Integer(),
  disputes: Type.Integer(),
  refused: Type.Array(Type.Object({ batch: Type.String(), merchantId: Type.String(), reason: FileFault })),
});
