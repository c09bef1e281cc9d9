/**
 * What a message may hold at most. JSON of 16 MB that holds little but brackets or names takes seconds to read, and nothing else is done
 * meanwhile; cards of the same length take a fifth of one. The standard has five levels and some 60 names; 16 MB have 130 000 ranges at most,
 * with few values each.
 */
const MOST = { depth: 16, names: 256, nested: 300_000, values: 1_000_000 } as const;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [LIST_OPENS, LIST_ENDS, OBJECT_OPENS, OBJECT_ENDS] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a text that may be JSON holds more than a message does. What it holds is counted, and not understood. */
export function holdsTooMuch(text: string): boolean {
  const names = new Set<string>();
  let [depth, nested, values, nameStart, nameEnd] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        nameStart = at;
        at = nameEnd = endOfString(text, at);
        break;
      case COLON:
        if (names.add(text.slice(nameStart, nameEnd)).size > MOST.names) return true;
        break;
      case COMMA:
        if (++values > MOST.values) return true;
        break;
      case LIST_OPENS:
      case OBJECT_OPENS:
        if (++depth > MOST.depth || ++nested > MOST.nested) return true;
        break;
      case LIST_ENDS:
      case OBJECT_ENDS:
        depth--;
        break;
      default:
    }
  }
  return false;
}

/** Where the string that begins at `start` ends. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at++;
  }
  return text.length;
}
