import { createHash, createHmac } from 'node:crypto';

/** First six digits of the cards that the test hosts take. */
const TEST_CARDS: Readonly<Record<string, string>> = {
  '356999': 'JCB',
  '361482': 'Diners',
  '377601': 'Amex',
  '458109': 'Visa',
  '476173': 'Visa',
  '492500': 'Visa',
  '501999': 'Dankort',
  '522660': 'Mastercard',
  '522661': 'Mastercard',
  '676442': 'Maestro',
};

/** The brand of a test card; undefined of any other number. */
export function testBrandOf(number: string): string | undefined {
  return TEST_CARDS[number.slice(0, 6)];
}

/** Whether the last digit is the check digit of those before it (ISO/IEC 7812-1, annex B). */
export function hasCheckDigit(number: string): boolean {
  const sum = Array.from(number)
    .reverse()
    .map((digit, place) => Number(digit) * (place % 2 === 1 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return number.length >= 12 && sum % 10 === 0;
}

/** The key of the test hosts: no secret, so that one of them can check what another one made. */
const TEST_KEY = 'the test hosts of Kontor';

/** The authentication value of a test directory server: HMAC-SHA-256 of its transaction id, the first 20 bytes in Base64. */
export function testAuthenticationValue(dsTransactionId: string): string {
  return createHmac('sha256', TEST_KEY).update(dsTransactionId).digest().subarray(0, 20).toString('base64');
}

/** The scheme's name of a payment: 12 digits that follow from the attempt, and three that tell it from others' ids. */
export function testSchemeId(seed: number, attemptId: string): string {
  const digits = digitsOf(`scheme ${seed} ${attemptId}`, 12);
  return digits + digitsOf(digits, 3);
}

/** Whether the test acquirer has made this id, in this life or an earlier one. */
export function isTestSchemeId(id: string): boolean {
  const digits = id.replaceAll(' ', '');
  if (id !== digits && id !== withBlanks(digits)) return false;
  return /^[0-9]{15}$/.test(digits) && digitsOf(digits.slice(0, 12), 3) === digits.slice(12);
}

/** A scheme's id as those write it that fill its parts up: with blanks in it and at both ends. */
export function withBlanks(id: string): string {
  return ` ${id.slice(0, 9)}  ${id.slice(9)}  `;
}

/** The number of the card in the place of another one: of the same range and length, and the same each time. */
export function testSuccessorOf(number: string): string {
  const start = number.slice(0, 6) + digitsOf(`successor ${number}`, Math.max(0, number.length - 7));
  const check = Array.from('0123456789').find((digit) => hasCheckDigit(start + digit)) ?? '0';
  return start + check;
}

/** Six capitals and digits that follow from the attempt. */
export function testApprovalCode(seed: number, attemptId: string): string {
  return createHash('sha256').update(`approval ${seed} ${attemptId}`).digest('hex').slice(0, 6).toUpperCase();
}

/** 23 digits that follow from the message. */
export function testAcquirerReference(seed: number, message: string): string {
  return `7${digitsOf(`reference ${seed} ${message}`, 22)}`;
}

function digitsOf(text: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return String(number % 10n ** BigInt(count)).padStart(count, '0');
}

/** The currencies that the test acquirer writes by their letters; any other stays a number. */
const CODES: Readonly<Record<string, string>> = {
  '208': 'DKK',
  '352': 'ISK',
  '392': 'JPY',
  '578': 'NOK',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
  '985': 'PLN',
};

/** A currency's letters (ISO 4217). */
export function currencyCodeOf(number: string): string {
  return CODES[number] ?? number;
}
