/** A media type or a range of them, as Content-Type and Accept carry it (RFC 9110, sections 8.3.1 and 12.5.1). */
export interface MediaType {
  /** Type and subtype in lower case, as in `application/json`, or a range such as `application/*`. */
  readonly name: string;
  /** By name in lower case, without `q`; quoted strings are unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The weight from 0 (not acceptable) to 1; 1 where none was sent. */
  readonly quality: number;
}

// Token characters of RFC 9110, section 5.6.2.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const NAME = new RegExp(`[ \\t]*(${TOKEN}/${TOKEN}|\\*)[ \\t]*`, 'y');
/**
 * Blanks around `=` are none by the grammar, but clients send them. An unquoted value may be more than a token: the
 * specification itself shows `version=3.1/2.0`.
 */
const PARAMETER = new RegExp(
  `;[ \\t]*(?:(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",;]*))[ \\t]*)?`,
  'y',
);
// RFC 9110, section 12.4.2, and `.2` as older Java clients write it.
const QUALITY = /^(?:0?\.[0-9]{1,3}|0\.?|1(?:\.0{0,3})?)$/;
/** Commas that part the elements of a list: not those in quoted strings. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * Reads one media type, or one range of an Accept header.
 *
 * @returns undefined where the text is not well-formed or a parameter is there twice
 */
export function parseMediaType(text: string): MediaType | undefined {
  NAME.lastIndex = 0;
  const name = NAME.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const parameters = parseParameters(text, NAME.lastIndex);
  if (parameters === undefined) return undefined;
  const quality = parameters.get('q') ?? '1';
  if (!QUALITY.test(quality)) return undefined;
  parameters.delete('q');
  // A lone asterisk is no range by the grammar, but what older Java clients send for any type.
  return { name: name === '*' ? '*/*' : name, parameters, quality: Number(quality) };
}

/** Reads an Accept header. A range that is not well-formed matches nothing, and so is left out. */
export function parseAccept(text: string): MediaType[] {
  const ranges: MediaType[] = [];
  for (const [element] of text.matchAll(ELEMENT)) {
    const range = parseMediaType(element);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

/**
 * The weight of a media type under an Accept header: that of the most specific range that matches it (RFC 9110,
 * section 12.5.1). Ranges that differ in their parameters alone count as one, with the highest of their weights.
 *
 * @returns undefined where no range matches
 */
export function qualityOf(name: string, ranges: readonly MediaType[]): number | undefined {
  const whole = `${name.slice(0, name.indexOf('/'))}/*`;
  for (const pattern of [name, whole, '*/*']) {
    const weights = ranges.filter((range) => range.name === pattern).map(({ quality }) => quality);
    if (weights.length > 0) return Math.max(...weights);
  }
  return undefined;
}

function parseParameters(text: string, from: number): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (let at = from; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return undefined;
    const [, name, quoted, plain = ''] = match;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  return parameters;
}
