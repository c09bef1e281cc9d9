import { containsCardNumber } from '../kit/cards/find-card-numbers.ts';
import { isShortenedNumber, SHORTENED_NUMBER } from '../kit/imports/shortened-number.ts';
import { CARD_RANGE_DIGITS } from '../kit/limits.ts';
import { brandName } from './brands.rules.ts';
import type { CardRange, CardType, HolderType } from './vault.types.ts';

/** Characters of a brand's name and of an issuing bank's. */
const BRAND_CHARACTERS = 20;
const ISSUER_NAME_CHARACTERS = 100;

/** A range as a file brings it. */
export type NewCardRange = CardRange & { readonly prefix: string };

/** Where each column stands in the lines of a file. */
export type CardRangeColumns = Readonly<Record<ColumnName, number | undefined>>;

const COLUMN_NAMES = ['prefix', 'brand', 'cardType', 'holderType', 'issuerName', 'countryCode'] as const;
type ColumnName = (typeof COLUMN_NAMES)[number];

const CARD_TYPES: readonly CardType[] = ['Debit', 'Credit'];
const HOLDER_TYPES: readonly HolderType[] = ['Consumer', 'Corporate'];
const BRAND = new RegExp(`^[\\p{L}\\p{N} .-]{1,${BRAND_CHARACTERS}}$`, 'u');
const ISSUER_NAME = new RegExp(`^[^\\p{Cc}]{1,${ISSUER_NAME_CHARACTERS}}$`, 'u');

/**
 * The columns of a file by its first row: `prefix,brand,cardType,holderType,issuerName,countryCode` in any order and
 * case. Others are left alone; all but the first two may be missing. A text says what is wrong.
 */
export function readHeader(cells: readonly string[]): CardRangeColumns | string {
  const names = cells.map((name) => name.trim().toLowerCase());
  const place = (name: ColumnName): number | undefined => {
    const index = names.indexOf(name.toLowerCase());
    return index < 0 ? undefined : index;
  };
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, place(name)])) as CardRangeColumns;
  if (columns.prefix === undefined || columns.brand === undefined) return 'it must name the columns prefix and brand';
  return columns;
}

/** The range that a row holds, or what is wrong with it, in words that name the column and never the value. */
export function readCardRange(columns: CardRangeColumns, cells: readonly string[]): NewCardRange | string {
  const field = (name: ColumnName): string => cells[columns[name] ?? -1]?.trim() ?? '';
  const [prefix, brand, issuerName, countryCode] = [
    field('prefix'),
    field('brand'),
    field('issuerName'),
    field('countryCode'),
  ];
  const cardType = oneOf(CARD_TYPES, field('cardType'));
  const holderType = oneOf(HOLDER_TYPES, field('holderType'));
  if (isShortenedNumber(prefix)) return `prefix ${SHORTENED_NUMBER}`;
  if ([brand, issuerName].some((text) => text.includes('\ufffd')))
    return 'the file must be UTF-8: export it as CSV UTF-8';
  if (!/^\d+$/.test(prefix) || prefix.length > CARD_RANGE_DIGITS)
    return `prefix must be 1 to ${CARD_RANGE_DIGITS} digits`;
  if (!BRAND.test(brand)) return `brand must be 1 to ${BRAND_CHARACTERS} letters, digits or blanks`;
  if (cardType === undefined) return 'cardType must be Debit, Credit or empty';
  if (holderType === undefined) return 'holderType must be Consumer, Corporate or empty';
  if (issuerName !== '' && !ISSUER_NAME.test(issuerName))
    return `issuerName must have at most ${ISSUER_NAME_CHARACTERS} characters`;
  if (containsCardNumber(brand) || containsCardNumber(issuerName))
    return 'brand and issuerName must not hold a card number';
  if (countryCode !== '' && !/^\d{1,3}$/.test(countryCode))
    return 'countryCode must be the number of ISO 3166-1, or empty';
  return {
    prefix,
    brand: brandName(brand),
    cardType,
    holderType,
    issuerName: issuerName || null,
    // Programs for tables of figures drop leading zeros.
    countryCode: countryCode === '' ? null : countryCode.padStart(3, '0'),
  };
}

/** The word in its own spelling, null for an empty text, undefined for another word. */
function oneOf<Word extends string>(words: readonly Word[], text: string): Word | null | undefined {
  return text === '' ? null : words.find((word) => word.toLowerCase() === text.toLowerCase());
}
