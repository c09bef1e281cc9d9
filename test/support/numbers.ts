/** The first digits of the test cards, with the length of their numbers. */
const TEST_RANGES = [
  ['492500', 16],
  ['458109', 16],
  ['522660', 16],
  ['377601', 15],
  ['501999', 16],
  ['676442', 16],
  ['356999', 16],
  ['361482', 14],
] as const;

/** A test card number for each whole number: another one for another number. */
export function testCardNumber(index: number): string {
  const [prefix, length] = TEST_RANGES[index % TEST_RANGES.length] ?? ['492500', 16];
  const body = prefix + String(Math.floor(index / TEST_RANGES.length)).padStart(length - prefix.length - 1, '0');
  const sum = [...body].reverse().reduce((total, character, place) => {
    const digit = Number(character) * (place % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
