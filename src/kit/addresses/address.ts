/**
 * An address in the normal form of the WHATWG URL standard, in which each later reader sees the same: scheme and host
 * in lower case, no blanks around it, no default port, what must be percent-encoded encoded.
 *
 * @param characters that the text may have, and its normal form, which can be longer
 * @returns undefined where the text is no absolute address, or too long
 */
export function normalAddress(text: string, characters: number): string | undefined {
  if (text.length > characters) return undefined;
  const href = parseAddress(text)?.href;
  return href !== undefined && href.length <= characters ? href : undefined;
}

/**
 * An absolute address in its parts, or one that is written relative to a base; undefined where a text is none. In place of `URL.canParse`, which in Node 20 refuses
 * good addresses with letters as in `blåbær`, once it was called often enough to be compiled.
 */
export function parseAddress(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether an address holds a user or a password (RFC 3986, section 3.2.1): it tells them to all who see it. */
export function namesUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** A request target, or an address, without its query. */
export function withoutQuery(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
