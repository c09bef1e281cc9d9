/**
 * An address in the normal form of the WHATWG URL standard, in which whoever reads it later sees the same: scheme and host
 * in lower case, no blanks around it, no default port, what must be percent-encoded encoded.
 *
 * @param characters that the text may have, and its normal form, which can be longer
 * @returns undefined where the text is no absolute address, or too long
 */
export function normalAddress(text: string, characters: number): string | undefined {
  if (text.length > characters || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return href.length <= characters ? href : undefined;
}
