/** Header texts whose meaning is remembered, for each header: clients send the same few again and again. */
export const HEADER_MEMO_ENTRIES = 256;
/** Characters of a header text that is worth remembering. With the entries it bounds the memory to 64 KiB a header. */
export const HEADER_MEMO_CHARACTERS = 256;

/**
 * Wraps a pure reader of header texts so that it remembers what it read: clients send the same few texts with every
 * request. Bounded: long texts are not remembered, and when the memory is full it starts afresh.
 *
 * @param read must depend on the text alone, and its result must not change
 */
export function remembering<Meaning>(read: (text: string) => Meaning): (text: string) => Meaning {
  const meanings = new Map<string, Meaning>();
  return (text) => {
    const known = meanings.get(text);
    if (known !== undefined) return known;
    const meaning = read(text);
    if (text.length > HEADER_MEMO_CHARACTERS) return meaning;
    if (meanings.size >= HEADER_MEMO_ENTRIES) meanings.clear();
    meanings.set(text, meaning);
    return meaning;
  };
}
