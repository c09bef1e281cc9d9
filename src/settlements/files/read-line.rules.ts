import type { SettlementFileForm } from '../../issuers/acquirers/acquirers.types.ts';
import { isShortenedNumber } from '../../kit/imports/shortened-number.ts';
import { isDay } from '../../kit/instants.ts';
import { type Currency, decimalsOf, LARGEST_AMOUNT_MINOR, parseCurrency } from '../../kit/money.ts';
import {
  COLUMNS,
  type Column,
  type FileLine,
  LINE_TYPES,
  type LineFault,
  type LineFaultCode,
  type LineType,
  REQUIRED_COLUMNS,
} from './files.types.ts';

/** Characters of a text in a file: twice the longest of ISO 8583's. */
const TEXT_CHARACTERS = 200;

/** What a form says, with what the standard one means by it. */
interface Form {
  readonly decimals: 'minor' | '.' | ',';
  readonly dateFormat: 'YYYY-MM-DD' | 'YYYYMMDD' | 'DD.MM.YYYY' | 'MM/DD/YYYY';
  readonly columns: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
}

const STANDARD: Form = { decimals: 'minor', dateFormat: 'YYYY-MM-DD', columns: {}, types: {} };

/** Reads lines of one file by the places of its columns. */
export type ReadLine = (cells: readonly string[]) => FileLine | LineFault;

/** What separates the cells of a line. */
export function delimiterOf(form: SettlementFileForm): string {
  return 'format' in form ? ',' : form.delimiter;
}

/**
 * Makes what reads the lines of a file with this first line.
 *
 * @returns the columns that are missing, where some are
 */
export function lineReader(form: SettlementFileForm, header: readonly string[]): ReadLine | readonly string[] {
  const known = 'format' in form ? STANDARD : form;
  const nameOf = (column: Column) => known.columns[column] ?? column;
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(nameOf(column))).map(nameOf);
  if (missing.length > 0) return missing;
  const places = Object.fromEntries(COLUMNS.map((column) => [column, header.indexOf(nameOf(column))])) as Places;
  const types = new Map<string, LineType>(LINE_TYPES.map((type) => [known.types[type] ?? type, type]));
  return (cells) => {
    if (cells.length !== header.length) return { code: 'cellCount', value: String(header.length) };
    try {
      return lineOf((column) => cells[places[column]] ?? '', { ...known, typeOf: (text) => types.get(text) });
    } catch (error) {
      if (error instanceof BadCell) return error.fault;
      throw error;
    }
  };
}

type Places = Readonly<Record<Column, number>>;
type Cell = (column: Column) => string;

/** A cell that cannot be read. */
class BadCell extends Error {
  override readonly name = 'BadCell';
  readonly fault: LineFault;

  constructor(column: Column, code: LineFaultCode, value?: string) {
    super(`${column}: ${code}`);
    this.fault = { code, column, ...(value !== undefined && { value }) };
  }
}

function lineOf(cell: Cell, form: Form & { readonly typeOf: (text: string) => LineType | undefined }): FileLine {
  const type = form.typeOf(cell('type'));
  if (type === undefined) throw new BadCell('type', 'unknownType');
  const currency = parseCurrency(cell('currency'));
  if (currency === undefined) throw new BadCell('currency', 'unknownCurrency');
  const amount = (column: Column) => {
    const minor = amountIn(cell(column), form, currency);
    if (minor === undefined) throw new BadCell(column, 'noAmount');
    return minor;
  };
  const maybeAmount = (column: Column) => (cell(column) === '' ? null : amount(column));
  const [gross, fee, net] = [amount('grossAmount'), amount('feeAmount'), amount('netAmount')];
  // A payout is the sum of the others: it has no gross amount and no fee of its own.
  if (type !== 'Payout' && gross + fee !== net) throw new BadCell('netAmount', 'netDiffers');
  return {
    batch: needed(cell, 'batchId'),
    lineId: needed(cell, 'lineId'),
    type,
    merchantId: needed(cell, 'merchantId'),
    acquirerReference: textIn(cell, 'acquirerReference'),
    retrievalReference: textIn(cell, 'retrievalReference'),
    attemptReference: attemptIn(cell('attemptReference')),
    transactionDate: dayIn(cell, 'transactionDate', form),
    valueDate: dayIn(cell, 'valueDate', form),
    cardLast4: lastFourIn(cell),
    brand: textIn(cell, 'brand'),
    currency,
    ...soldIn(cell, form, { type, currency, gross }),
    // What a line about a fee says is a fee, in whichever of both columns it stands.
    ...(type === 'Fee' ? { gross: 0, fee: gross + fee } : { gross, fee }),
    interchange: maybeAmount('interchangeAmount'),
    schemeFee: maybeAmount('schemeFeeAmount'),
    net,
    reasonCode: textIn(cell, 'reasonCode'),
    caseId: textIn(cell, 'caseId'),
    respondBy: dayIn(cell, 'respondBy', form),
  };
}

/** The name of a batch, also of one whose line cannot be read; undefined where it is none. */
export function batchNameIn(cell: string | undefined): string | undefined {
  const text = cell?.trim() ?? '';
  return text === '' || text.length > TEXT_CHARACTERS || CONTROL_CHARACTERS.test(text) ? undefined : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/;

function textIn(cell: Cell, column: Column): string | null {
  const text = cell(column).trim();
  if (text.length > TEXT_CHARACTERS) throw new BadCell(column, 'tooLong', String(TEXT_CHARACTERS));
  if (CONTROL_CHARACTERS.test(text)) throw new BadCell(column, 'controlCharacters');
  if (isShortenedNumber(text)) throw new BadCell(column, 'shortenedNumber');
  return text === '' ? null : text;
}

function needed(cell: Cell, column: Column): string {
  const text = textIn(cell, column);
  if (text === null) throw new BadCell(column, 'emptyCell');
  return text;
}

/** An amount in minor units; undefined where it is none. */
function amountIn(text: string, { decimals }: Form, currency: Currency): number | undefined {
  const parts = /^([+-]?)([0-9]{1,15})(?:([.,])([0-9]{1,4}))?$/.exec(text.slice(0, 24));
  if (parts === null || text.length > 24) return undefined;
  const [, sign, whole = '', mark, fraction = ''] = parts;
  const places = decimals === 'minor' ? 0 : decimalsOf(currency);
  // Decimals that the currency does not have may be zeros: `1500,00` in JPY is 1 500.
  if (mark !== undefined && (mark !== decimals || /[1-9]/.test(fraction.slice(places)))) return undefined;
  const minor = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  if (minor > LARGEST_AMOUNT_MINOR) return undefined;
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** Of these a line says something of a sale. */
const ABOUT_SALES: readonly LineType[] = ['Sale', 'Refund', 'Chargeback', 'ChargebackReversal', 'Adjustment'];
const SAME = { transactionCurrency: null, transactionAmount: null, exchangeRate: null };

/** What a line says of its sale in the currency of that. */
function soldIn(
  cell: Cell,
  form: Form,
  { type, currency, gross }: Pick<FileLine, 'type' | 'currency' | 'gross'>,
): Pick<FileLine, 'transactionCurrency' | 'transactionAmount' | 'exchangeRate'> {
  const [named, text] = [cell('transactionCurrency'), cell('transactionAmount')];
  if (!ABOUT_SALES.includes(type) || (named === '' && text === '')) return SAME;
  if (named === '') throw new BadCell('transactionCurrency', 'currencyMissing');
  const transactionCurrency = parseCurrency(named);
  if (transactionCurrency === undefined) throw new BadCell('transactionCurrency', 'unknownCurrency');
  if (text === '' && transactionCurrency === currency) return SAME;
  const amount = amountIn(text, form, transactionCurrency);
  if (amount === undefined) throw new BadCell('transactionAmount', 'noAmount');
  if (transactionCurrency === currency) {
    if (amount === gross) return SAME;
    throw new BadCell('transactionAmount', 'sameCurrencyDiffers');
  }
  if (gross !== 0 && Math.sign(amount) !== Math.sign(gross)) {
    throw new BadCell('transactionAmount', 'signDiffers');
  }
  // Papers that are asked for take nothing, whatever the sale was.
  const isOfPapers = gross === 0 && (type === 'Chargeback' || type === 'ChargebackReversal');
  return {
    transactionCurrency,
    transactionAmount: isOfPapers ? 0 : amount,
    exchangeRate: rateIn(cell('exchangeRate')),
  };
}

function rateIn(text: string): string | null {
  if (text === '') return null;
  if (!/^[0-9]{1,9}(?:[.,][0-9]{1,12})?$/.test(text.slice(0, 23)) || text.length > 22 || !/[1-9]/.test(text)) {
    throw new BadCell('exchangeRate', 'noRate');
  }
  return text.replace(',', '.');
}

const DATE_FORMS = {
  'YYYY-MM-DD': [/^([0-9]{4})-([0-9]{2})-([0-9]{2})$/, '$1-$2-$3'],
  YYYYMMDD: [/^([0-9]{4})([0-9]{2})([0-9]{2})$/, '$1-$2-$3'],
  'DD.MM.YYYY': [/^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$/, '$3-$2-$1'],
  'MM/DD/YYYY': [/^([0-9]{2})\/([0-9]{2})\/([0-9]{4})$/, '$3-$1-$2'],
} as const;

function dayIn(cell: Cell, column: Column, { dateFormat }: Form): string | null {
  const text = cell(column);
  if (text === '') return null;
  const [form, order] = DATE_FORMS[dateFormat];
  const day = text.length <= 10 && form.test(text) ? text.replace(form, order) : '';
  if (!isDay(day)) throw new BadCell(column, 'noDay', dateFormat);
  return day;
}

function lastFourIn(cell: Cell): string | null {
  const text = cell('cardLast4');
  if (text === '') return null;
  if (!/^[0-9]{4}$/.test(text)) throw new BadCell('cardLast4', 'notFourDigits');
  return text;
}

/** Tag 17 of the question: 32 hexadecimal digits, with or without the dashes of a UUID. */
function attemptIn(text: string): string | null {
  const hex = text.length <= 36 ? text.replaceAll('-', '').toLowerCase() : '';
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;
}
