/** What parts a word from the digits that it names: signs, and words as in `PIN code is 1234` in the languages of our payers. */
const BETWEEN = String.raw`(?:[\s_-]?(?:code|kode|kod|koodi|data))?(?:\s(?:is|er|är|on))?[\s:=#"'%;,.()[\]{}-]{0,8}`;

/**
 * A word for what proves that a card is at hand, with as many digits behind it as such a value has: `cvc: 123`, `"pin":"1234"`,
 * `Track2=;4925…`. A product such as `Pin 500` or `Track 101` has fewer.
 */
const CODE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:cvc|cvv|cvn|csc)2?${BETWEEN}\\d{3}|pin${BETWEEN}\\d{4}|track\\s?[12]?${BETWEEN}b?\\d{10})`,
  'iu',
);

/**
 * Whether a text says a card's printed check digits, its PIN or its track (PCI DSS 4.0.1, 3.3.1). Digits alone say nothing: without
 * such a word beside them they are found by no scan.
 */
export function saysCardCode(text: string): boolean {
  return CODE.test(text.normalize('NFKC'));
}
