import { describe, expect, test } from 'vitest';
import type { SettlementFileForm } from '../../issuers/acquirers/acquirers.types.ts';
import { looksLikeCardNumber } from './card-scan.rules.ts';
import { describeFault } from './describe-fault.rules.ts';
import { COLUMNS } from './files.types.ts';
import { lineReader } from './read-line.rules.ts';
import { readRecords } from './records.ts';

const GOOD = {
  batchId: 'b1',
  lineId: '1',
  type: 'Sale',
  merchantId: '000012345678901',
  attemptReference: '019579a9c0c107d3e8f6000000000001',
  transactionDate: '2026-03-09',
  cardLast4: '0416',
  currency: 'NOK',
  grossAmount: '12500',
  feeAmount: '-125',
  netAmount: '12375',
};

function readStandard(cells: Readonly<Record<string, string>>) {
  const read = lineReader({ format: 'standard' }, COLUMNS);
  if (typeof read !== 'function') throw new Error('a column is missing');
  return read(COLUMNS.map((column) => cells[column] ?? ''));
}

describe('a line of the standard form', () => {
  test('is read', () => {
    expect(readStandard(GOOD)).toMatchObject({
      gross: 12_500,
      fee: -125,
      net: 12_375,
      attemptReference: '019579a9-c0c1-07d3-e8f6-000000000001',
      acquirerReference: null,
      interchange: null,
    });
  });

  test.each([
    ['type', 'Sales', 'is none of the known types'],
    ['currency', 'NKR', 'is no currency of ISO 4217'],
    ['grossAmount', '125.00', 'is no amount'],
    ['grossAmount', '1e4', 'is no amount'],
    ['grossAmount', '9999999999999', 'is no amount'],
    ['netAmount', '12376', 'is not gross and fee together'],
    ['transactionDate', '2026-02-30', 'is no day as in YYYY-MM-DD'],
    ['cardLast4', '416', 'must be four digits'],
    ['batchId', '', 'must not be empty'],
    ['lineId', 'x'.repeat(201), 'must not be longer than 200 characters'],
    ['reasonCode', 'a\u0000', 'must not hold control characters'],
  ])('is refused for its %s %j', (column, value, reason) => {
    const read = readStandard({ ...GOOD, [column]: value });
    if ('net' in read) throw new Error('it was taken');
    expect(describeFault(read)).toBe(`${column} ${reason}`);
  });

  test('says which columns are missing', () => {
    expect(lineReader({ format: 'standard' }, ['batchId', 'type'])).toEqual([
      'lineId',
      'merchantId',
      'currency',
      'grossAmount',
      'feeAmount',
      'netAmount',
    ]);
  });
});

test('another form is read by what it calls things', () => {
  const form: SettlementFileForm = {
    delimiter: ';',
    decimals: ',',
    dateFormat: 'DD.MM.YYYY',
    columns: { batchId: 'Payment id', grossAmount: 'Gross', feeAmount: 'Fee', netAmount: 'Net', valueDate: 'Paid' },
    types: { Sale: 'PURCHASE' },
  };
  const header = ['Payment id', 'lineId', 'type', 'merchantId', 'currency', 'Gross', 'Fee', 'Net', 'Paid'];
  const read = lineReader(form, header);
  if (typeof read !== 'function') throw new Error('a column is missing');
  const cells = (gross: string, currency = 'NOK') =>
    read(['b', '1', 'PURCHASE', 'm', currency, gross, '-1,5', gross === '125' ? '123,50' : '', '11.03.2026']);
  expect(cells('125')).toMatchObject({ type: 'Sale', gross: 12_500, fee: -150, net: 12_350, valueDate: '2026-03-11' });
  expect(cells('125,001')).toMatchObject({ column: 'grossAmount' });
  expect(cells('125.00')).toMatchObject({ column: 'grossAmount' });
  // Decimals that the currency does not have may be zeros.
  const same = (gross: string, currency: string) =>
    read(['b', '1', 'PURCHASE', 'm', currency, gross, '0,00', gross, '11.03.2026']);
  expect(same('1500,00', 'JPY')).toMatchObject({ gross: 1_500, net: 1_500 });
  expect(same('12,500', 'NOK')).toMatchObject({ gross: 1_250 });
  for (const wrong of ['125,5', '125,05']) expect(same(wrong, 'JPY')).toMatchObject({ column: 'grossAmount' });
  expect(same('12,505', 'NOK')).toMatchObject({ column: 'grossAmount' });
});

test('a reference that a spreadsheet has shortened is refused', () => {
  const read = lineReader({ format: 'standard' } as SettlementFileForm, [...COLUMNS]);
  if (typeof read !== 'function') throw new Error('a column is missing');
  const texts: Readonly<Record<string, string>> = {
    batchId: 'b',
    lineId: '1',
    type: 'Sale',
    merchantId: '4.925E+15',
    currency: 'NOK',
    grossAmount: '1',
    feeAmount: '0',
    netAmount: '1',
  };
  expect(read(COLUMNS.map((column) => texts[column] ?? ''))).toMatchObject({
    column: 'merchantId',
    code: 'shortenedNumber',
  });
});

describe('a cell', () => {
  const isKnown = (digits: string) => digits === '4925000000000004';
  test.each([
    ['5226612199533406', true],
    ['x5226 6121 9953 3406y', true],
    ['5226-6121-9953-3406', true],
    ['5226612199533407', false],
    ['4925000000000004', false],
    ['000012345678901', false],
    ['74957806069000000000013', false],
    ['019579a9c0c107d3e8f6000000000001', false],
    // A UUID may hold digits that pass the check, and nothing else may.
    ['01a2059f-983e-7abc-8000-000000000003', false],
    ['01A2059F983E7ABC8000000000000003', false],
    ['01a2059f983eabcd8000000000000003', true],
    ['01a2059f-983e-7abc-8000-000000000003 8000000000000003', true],
    ['', false],
  ])('%j looks like a card number: %j', (cell, is) => {
    expect(looksLikeCardNumber(cell, isKnown)).toBe(is);
  });
});

describe('a table', () => {
  async function cellsOf(text: string, size: number): Promise<unknown[]> {
    const bytes = Buffer.from(text);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const found: unknown[] = [];
    for await (const records of readRecords(chunks(), ',')) found.push(...records.map(({ cells }) => cells));
    return found;
  }

  test.each([1, 2, 3, 7, 1_000])(
    'is read in pieces of %i bytes, with quotes, line breaks and every end of a line',
    async (size) => {
      const text = '\ufeffa,b\r\n1,"x, ""y""\r\nz"\n\nø,"\ud83d\ude00"\r\n"open,1';
      expect(await cellsOf(text, size)).toEqual([['a', 'b'], ['1', 'x, "y"\r\nz'], ['ø', '\ud83d\ude00'], undefined]);
    },
  );

  test('is refused where it is not UTF-8, or a line has no end', async () => {
    async function* bad() {
      yield Buffer.from([0x61, 0xff, 0x0a]);
    }
    const read = async (chunks: AsyncIterable<Buffer>) => {
      for await (const _ of readRecords(chunks, ','));
    };
    await expect(read(bad())).rejects.toThrow('not UTF-8');
    async function* long() {
      for (let n = 0; n < 20; n++) yield Buffer.alloc(1_000, 'x');
    }
    await expect(read(long())).rejects.toThrow('Line 1 is too long.');
  });
});
