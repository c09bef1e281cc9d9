import { HEADER_MEMO_CHARACTERS, HEADER_MEMO_ENTRIES } from '../../kit/limits.ts';

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
