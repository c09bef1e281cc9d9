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
  return numberFrom(prefix, length, Math.floor(index / TEST_RANGES.length));
}

/** Test cards by what the sandbox does with them. */
const CARDS = { debit: '492500', credit: '522660', authenticated: '476173', challenged: '47617307' } as const;

/** A number of this kind of card that no other test in the run has: declines are counted for each card. */
export function freshCard(kind: keyof typeof CARDS): string {
  return numberFrom(CARDS[kind], 16, freshFrom++);
}

/** Far from the indexes that tests choose themselves. */
let freshFrom = 500_000;

/** Another security code than this one. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1000).padStart(3, '0');
}

function numberFrom(prefix: string, length: number, index: number): string {
  const body = prefix + String(index).padStart(length - prefix.length - 1, '0');
  // One digit more, and it is no card number of this range.
  if (body.length !== length - 1) throw new Error('the range has no more numbers');
  const sum = [...body].reverse().reduce((total, character, place) => {
    const digit = Number(character) * (place % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
