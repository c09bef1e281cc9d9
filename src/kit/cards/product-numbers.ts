/** The one length of product numbers (GTIN) that card numbers have too. */
const GTIN_14 = /(?<![0-9])[0-9]{14}(?![0-9])/g;

/** The text without product numbers that could be taken for card numbers: for members that name what is sold. */
export function withoutProductNumbers(text: string): string {
  return text.replace(GTIN_14, (digits) => (isProductNumber(digits) ? 'x' : digits));
}

/** The check digit is right (GS1 General Specifications, 7.9): the digits before it count three times and once by turns. */
function isProductNumber(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 1 ? 3 : 1), 0);
  return sum % 10 === 0;
}
