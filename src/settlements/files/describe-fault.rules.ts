import { SHORTENED_NUMBER } from '../../kit/imports/shortened-number.ts';
import type { BatchFaultCode, FileFault, FileFaultCode, LineFaultCode } from './files.types.ts';

/** What is wrong with a line: behind its column, or behind `line`. */
const OF_LINES: Readonly<Record<LineFaultCode, string>> = {
  openQuotes: 'has quotes that are not closed',
  cellCount: 'must have {value} cells',
  unknownType: 'is none of the known types',
  unknownCurrency: 'is no currency of ISO 4217',
  noAmount: 'is no amount',
  netDiffers: 'is not gross and fee together',
  tooLong: 'must not be longer than {value} characters',
  controlCharacters: 'must not hold control characters',
  shortenedNumber: SHORTENED_NUMBER,
  emptyCell: 'must not be empty',
  currencyMissing: 'must be there beside transactionAmount',
  sameCurrencyDiffers: 'is not the gross amount, though it is in the same currency',
  signDiffers: 'has not the sign of the gross amount',
  noRate: 'is no rate',
  noDay: 'is no day as in {value}',
  notFourDigits: 'must be four digits',
};

/** Why a batch is refused: behind `because`. */
const OF_BATCHES: Readonly<Record<BatchFaultCode, string>> = {
  currencyChanges: 'line {line}: currency is not that of the lines before',
  sumsTooLarge: 'its sums are too large',
  noPayout: 'it has no Payout',
  sumsDiffer: 'its lines do not sum to its Payout',
  anotherBatch: 'another batch of this name was imported: withdraw that one first if it is wrong',
  wasWithdrawn: 'this very batch was withdrawn: import the right file',
  noAgreement: 'its Payout names no merchant number of an agreement',
  severalPayees: 'its Payouts are for several payees',
};

const OF_FILES: Readonly<Record<FileFaultCode, string>> = {
  otherEncoding: 'The file is {value}, and must be UTF-8. Save it as UTF-8 (a spreadsheet: as CSV UTF-8).',
  notUtf8: 'The file is not UTF-8.',
  lineTooLong: 'Line {line} is too long.',
  emptyFile: 'The file is empty.',
  columnsMissing: 'The first line lacks columns: {value}. See docs/settlement.md.',
  cardNumber:
    'Line {line}, column {value}, holds something like a card number. Nothing was imported: the acquirer must leave card numbers out.',
  tooManyBatches: 'The file has more than {value} batches.',
  lineTwice: 'A batch has two lines with the same lineId. Nothing was imported.',
  fileChanged: 'The file has changed while it was read. Nothing was imported.',
};

/** Why a batch or a line is refused, in English, as it stands within a sentence. */
export function describeFault(fault: FileFault): string {
  const { code, line, column } = fault;
  if (!isOfLine(code)) return filled({ ...OF_BATCHES, ...OF_FILES }[code], fault);
  return `${line === undefined ? '' : `line ${line}: `}${column ?? 'line'} ${filled(OF_LINES[code], fault)}`;
}

/** Why a file is refused whole, in English sentences. */
export function describeFileFault(fault: FileFault): string {
  if (!isOfLine(fault.code)) return describeFault(fault);
  return `${describeFault(fault).replace(/^l/, 'L')}. Nothing was imported.`;
}

function isOfLine(code: FileFault['code']): code is LineFaultCode {
  return Object.hasOwn(OF_LINES, code);
}

function filled(text: string, { line, value = '' }: FileFault): string {
  return text.replace('{line}', String(line)).replace('{value}', value);
}
