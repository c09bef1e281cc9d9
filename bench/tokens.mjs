/** Makes migration files of any length: every line another card, one payer for every three tokens. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** First digits of the sandbox's test cards of 16 digits. */
const TEST_RANGES = ['492500', '458109', '522660', '501999', '676442', '356999'];
const TYPES = ['Payment', 'Recurrence', 'Unscheduled', 'TransactionOnFile'];
const LINES_IN_A_CHUNK = 1000;

/** The GUID of a line's token: of version 4, in no order and with letters between its digits, as GUIDs are. */
export function tokenOf(index) {
  const [a, b, c, d] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((factor) => scattered(index, factor));
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(5)}-${c.slice(0, 4)}${d}`;
}

function scattered(index, factor) {
  return (Math.imul(index + 1, factor) >>> 0).toString(16).padStart(8, '0');
}

export function tokenTypeOf(index) {
  return TYPES[index % TYPES.length];
}

/** Writes a file of lines numbered from `from`. */
export async function writeTokens(path, { from, lines }) {
  await pipeline(Readable.from(chunks(from, lines)), createWriteStream(path));
}

function* chunks(from, lines) {
  for (let at = 0; at < lines; at += LINES_IN_A_CHUNK) {
    const count = Math.min(LINES_IN_A_CHUNK, lines - at);
    yield Array.from({ length: count }, (_, index) => `${JSON.stringify(lineOf(from + at + index))}\n`).join('');
  }
}

function lineOf(index) {
  return {
    payerReference: `payer-${Math.floor(index / 3)}`,
    tokenType: tokenTypeOf(index),
    instrument: 'CreditCard',
    pan: cardNumber(index),
    expiryDate: `${String((index % 12) + 1).padStart(2, '0')}/20${30 + (index % 9)}`,
    token: tokenOf(index),
  };
}

function cardNumber(index) {
  const range = TEST_RANGES[index % TEST_RANGES.length];
  return withCheckDigit(range + String(index).padStart(9, '0'));
}

/** A card number out of all its digits but the last one, which checks them (ISO/IEC 7812-1, annex B). */
export function withCheckDigit(body) {
  let sum = 0;
  for (let place = 0; place < body.length; place++) {
    const digit = Number(body[body.length - 1 - place]) * (place % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}
