import { assert } from '../kit/assert.ts';
import { Secret } from '../kit/secret.ts';
import type { PrivateData, TagName } from './dialects/dialect.types.ts';
import { TAG_NAMES } from './dialects/dialect.types.ts';
import type { Value } from './messages.types.ts';

/** What no dialect may show: PCI DSS 4.0.1, 3.3 and 3.4. */
const SECRET_TAGS: readonly TagName[] = ['cvc', 'authenticationValue'];

type Tags = Readonly<Partial<Record<TagName, Value>>>;

/** Tags as they were read. */
export interface ReadTags {
  readonly values: Tags;
  /** Whether they came in ascending order. */
  readonly isOrdered: boolean;
}

/** Reads and writes the private data of a dialect: tags, each with its length and value. Ours are in ascending order. */
export function privateDataCodec({ tagCharacters, lengthDigits, tags }: PrivateData) {
  const known = TAG_NAMES.map((name) => ({ name, ...tags[name] })).sort((a, b) => (a.tag < b.tag ? -1 : 1));
  const byTag = new Map(known.map((one) => [one.tag, one]));

  /** Undefined where there is no tag to write. */
  function write(values: Tags): string | undefined {
    const texts = known.flatMap(({ name, tag, most }) => {
      const value = values[name];
      if (value === undefined) return [];
      const text = value instanceof Secret ? value.reveal() : value;
      assert(text.length <= most, `tag ${tag} has at most ${most} characters`);
      return [tag + String(text.length).padStart(lengthDigits, '0') + text];
    });
    return texts.length === 0 ? undefined : texts.join('');
  }

  /**
   * Tags that the dialect does not name are left out. Undefined where the text is no row of tags, has one twice, or one that
   * is too long.
   */
  function read(text: string): ReadTags | undefined {
    const values: Partial<Record<TagName, Value>> = {};
    const seen = new Set<string>();
    let last = '';
    let isOrdered = true;
    for (let at = 0; at < text.length; ) {
      const tag = text.slice(at, at + tagCharacters);
      const start = at + tagCharacters + lengthDigits;
      const digits = text.slice(at + tagCharacters, start);
      if (digits.length < lengthDigits || /[^0-9]/.test(digits) || seen.has(tag)) return undefined;
      at = start + Number(digits);
      if (at > text.length) return undefined;
      seen.add(tag);
      if (tag < last) isOrdered = false;
      last = tag;
      const one = byTag.get(tag);
      if (one === undefined) continue;
      if (Number(digits) > one.most) return undefined;
      const value = text.slice(start, at);
      values[one.name] = SECRET_TAGS.includes(one.name) ? new Secret(value) : value;
    }
    return { values, isOrdered };
  }

  return { write, read };
}
