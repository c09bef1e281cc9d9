/** What a spreadsheet makes of a long number in a cell that is not formatted as text: `4.925E+15`, or with a comma. */
const SHORTENED = /^[+-]?[0-9](?:[.,][0-9]+)?E[+-][0-9]{2,3}$/i;

/** What is to be done about a number that a spreadsheet has changed. */
export const FORMAT_AS_TEXT = 'format the column as text, fill it anew from its source, and export it again';

/** Why such a cell is refused. */
export const SHORTENED_NUMBER = `must have all its digits, and a spreadsheet has shortened it, as in 1.23E+15: ${FORMAT_AS_TEXT}`;

/** Whether a spreadsheet has shortened the number of a cell. */
export function isShortenedNumber(cell: string): boolean {
  return cell.length <= 40 && SHORTENED.test(cell.trim());
}
