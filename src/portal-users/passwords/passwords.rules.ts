import { inputError } from '../../kit/errors.ts';
import { LEAST_PASSWORD_CHARACTERS, PASSWORD_CHARACTERS } from '../../kit/limits.ts';
import { COMMON_PASSWORDS } from './common-passwords.rules.ts';

/** Words that the passwords which are guessed first are made of. */
const COMMON_WORDS = [
  'password',
  'passord',
  'losenord',
  'salasana',
  'adgangskode',
  'kodeord',
  'qwertyuiop',
  'qwerty',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y',
  'letmein',
  'welcome',
  'velkommen',
  'valkommen',
  'administrator',
  'admin',
  'iloveyou',
  'changeme',
  'sunshine',
  'princess',
  'football',
  'superman',
  'trustno1',
  'monkey',
  'dragon',
  'secret',
  'kontor',
];
/** Characters that must be left of a password once common words are taken out. */
const OWN_CHARACTERS = 6;
/** Characters of a passphrase, which needs no digits: some words. */
const PASSPHRASE_CHARACTERS = 20;
/** Different characters, at least. */
const DIFFERENT_CHARACTERS = 5;

/**
 * Refuses a password that is too short or too long, or among those that are guessed first: common words, a row of
 * neighbours, the same few characters, or the user's own name and address. It has letters and digits (PCI DSS 4.0.1, 8.3.6),
 * or is long: rules about kinds of characters make passphrases worse (NIST SP 800-63B, 3.1.1.2).
 *
 * @param name the member that it came in
 * @throws Refusal `inputerror`
 */
export function checkPassword(password: string, user: { email: string; name: string }, name: string): void {
  const { length } = [...password];
  if (length < LEAST_PASSWORD_CHARACTERS)
    throw inputError(name, `must have at least ${LEAST_PASSWORD_CHARACTERS} characters`);
  if (length > PASSWORD_CHARACTERS) throw inputError(name, `must have at most ${PASSWORD_CHARACTERS} characters`);
  const text = foldedCase(password);
  const own = [...user.name.split(/\s+/), ...user.email.split(/[@._+-]/)]
    .map(foldedCase)
    .filter((word) => word.length > 3);
  if (withoutWords(text, own).length < OWN_CHARACTERS)
    throw inputError(name, 'must not be made of your name or address');
  const isGuessed =
    new Set(text).size < DIFFERENT_CHARACTERS ||
    isRow(text) ||
    isCommon(text) ||
    withoutWords(text, COMMON_WORDS).length < OWN_CHARACTERS;
  if (isGuessed) throw inputError(name, 'must not be one that is guessed first: it is made of common words or rows');
  if (length < PASSPHRASE_CHARACTERS && !(/\p{L}/u.test(password) && /\p{Nd}/u.test(password))) {
    throw inputError(name, `must have letters and digits, or at least ${PASSPHRASE_CHARACTERS} characters`);
  }
}

function foldedCase(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What is left without these words, and without digits and signs that people put around them. */
function withoutWords(text: string, words: readonly string[]): string {
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest === text ? text : rest.replace(/[^a-z]/g, '');
}

/** Whether it is one of the commonest, as it is or with digits and signs around it. */
function isCommon(text: string): boolean {
  return COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, ''));
}

/** Whether each character is the neighbour of the one before, as in 123456789012 or abcdefghijkl. */
function isRow(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const [first] = steps;
  return steps.filter((step) => step === first || Math.abs(step) === 9).length >= steps.length - 1;
}
