import { passesLuhn } from '../../kit/cards/card-number.ts';

/** Digits in a row, or in groups with one blank or dash between them. */
const DIGITS = /[0-9](?:[ -]?[0-9]){12,}/g;
/**
 * A UUID (RFC 9562), as our own attempt references are, and batches of some acquirers. Of such, one in six hundred has by chance
 * digits in a row that pass the check: without this, a file of a day's thousand sales would mostly be refused.
 */
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[1-8][0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const FEWEST_DIGITS = 13;
const MOST_DIGITS = 19;

/**
 * Whether a cell holds something like a card number: 13 to 19 digits that pass the Luhn check (ISO/IEC 7812-1), whatever
 * scheme they are of. No scheme's numbers begin with a zero; merchant numbers, which are filled up with them, do.
 *
 * @param isKnown whether these digits are something else, such as a merchant number of ours
 */
export function looksLikeCardNumber(cell: string, isKnown: (digits: string) => boolean): boolean {
  if (cell.length < FEWEST_DIGITS || UUID.test(cell)) return false;
  for (const [found] of cell.matchAll(DIGITS)) {
    const groups = found.split(/[ -]/);
    const candidates = groups.length === 1 ? groups : [...groups, groups.join('')];
    if (candidates.some((digits) => isCardLike(digits) && !isKnown(digits))) return true;
  }
  return false;
}

function isCardLike(digits: string): boolean {
  const isLong = digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS;
  return isLong && digits.charCodeAt(0) !== 0x30 && passesLuhn(digits);
}
