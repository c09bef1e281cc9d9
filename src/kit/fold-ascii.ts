/**
 * A text in lower case as far as its letters are ASCII. `toLowerCase` would make a `k` of the Kelvin sign, and two
 * characters of the capital `\u0130`.
 */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
