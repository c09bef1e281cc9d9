import { passesLuhn } from '../../src/kit/cards/card-number.ts';

/**
 * Numbers that shops write into descriptions, references and metadata, and that are no card numbers: of each kind some that
 * pass the check digit of cards, where the kind has such.
 */
export const BUSINESS_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  // GS1 prefixes of Denmark, Germany, the UK, Norway, Sweden and Finland: a scheme has numbers that begin like some.
  ...Object.fromEntries(['57', '40', '50', '70', '73', '64'].map((prefix) => [`EAN-13 of ${prefix}`, eans(prefix)])),
  'shop orders of 13 digits': ['4925000000004', '5226600000009', '3614820000006', '4000000000006'],
  'orders of 12 digits': ['492500000007', '676442000006'],
  IMEI: ['356938035643809', '490154203237518', '867686021234561'],
  phones: [
    '+47 22 33 44 55',
    '+46 8 123 456 78',
    '0047 99 88 77 66',
    '22 33 44 55, 99 88 77 66',
    '+4799887766 / +4722334455',
  ],
  prices: [
    '12.50, 13.99, 100.00, 1 250.00, 99.90',
    '49.90 52.26 37.76 36.14 49.25',
    '1 250,00 kr; 4 925,00 kr; 100,00 kr',
  ],
  'dates and times': [
    '04.11.2026 13:30:45',
    '2026-05-10 12:30:45.123456',
    '25.11.2026 03:14 - 04:15',
    '2026-11-22T03:14:36.123Z',
    '20261122031436',
    '20261122031436123',
    '20261122031436123456',
    '1764268921123',
  ],
  'organisation and account numbers': [
    '923 609 016',
    'NO 923 609 016 MVA',
    '556703-7485',
    '1503.40.12345',
    'FI2112345600000785',
  ],
  IBAN: ['NO93 8601 1117 947', 'FI21 1234 5600 0007 85', 'GB29 NWBK 6016 1331 9268 19', 'DE89 3704 0044 0532 0130 00'],
  ids: [
    'a4925000000000004b5c6d7e8f9a0b1c',
    'a4925000-0000-0004-b5c6-d7e8f9a0b1c2',
    '49250000-0000-4006-8000-000000000000',
    '01J9ZK4925000000Q8W3XYABCD',
  ],
  'places and versions': ['59.913868, 10.752245', '203.0.113.7 198.51.100.44', '10.0.19045.4925', '5.21.34'],
};

/** Product numbers that the check digit of cards passes too: every tenth does. */
function eans(prefix: string): readonly string[] {
  const found: string[] = [];
  for (let item = 0; found.length < 5; item++) {
    const ean = withGtinDigit(`${prefix}${String(item * 7919).padStart(10, '0')}`);
    if (passesLuhn(ean)) found.push(ean);
  }
  return found;
}

/** Digits with the check digit of product numbers (GS1 General Specifications, 7.9). */
export function withGtinDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
