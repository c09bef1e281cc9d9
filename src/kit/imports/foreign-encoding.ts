/** Byte order marks. That of UTF-32LE begins like that of UTF-16LE, so it comes first. */
const MARKS = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
] as const;

/**
 * The encoding of a text that is not UTF-8, by its first bytes; undefined where they do not show one. Without a mark, a
 * zero byte beside the first character shows UTF-16: files here begin with a letter, a digit, a quote or a brace.
 */
export function foreignEncoding(start: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, place) => start[place] === byte));
  if (marked !== undefined) return marked[0];
  const [first, second] = start;
  return start.length > 1 && (first === 0) !== (second === 0) ? 'UTF-16' : undefined;
}

/**
 * Passes a file on, chunk by chunk.
 *
 * @throws what `refuse` makes of the encoding that its beginning shows, where that is not UTF-8
 */
export async function* inUtf8(
  chunks: AsyncIterable<Buffer>,
  refuse: (encoding: 'UTF-16' | 'UTF-32') => Error,
): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const encoding = isFirst ? foreignEncoding(chunk) : undefined;
    if (encoding !== undefined) throw refuse(encoding);
    isFirst = false;
    yield chunk;
  }
}
