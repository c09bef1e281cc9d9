import { Secret } from '../kit/secret.ts';
import type { PrivateData, TagName } from './dialects/dialect.types.ts';
import { TAG_NAMES } from './dialects/dialect.types.ts';
import { EncodeError } from './frames.rules.ts';
import type { TagHabit, Value } from './messages.types.ts';

/** Tags as they were read. */
export interface ReadTags {
  readonly values: Readonly<Partial<Record<TagName, string>>>;
  readonly habits: readonly TagHabit[];
}

/**
 * Reads and writes private data of a dialect: tags, each with its length and value. Ours are in ascending order.
 *
 * @param place where the dialect describes it
 */
export function privateDataCodec({ tagCharacters, lengthDigits, tags }: PrivateData, place: string) {
  const known = TAG_NAMES.flatMap((name) => (tags[name] === undefined ? [] : [{ name, ...tags[name] }])).sort((a, b) =>
    a.tag < b.tag ? -1 : 1,
  );
  const byTag = new Map(known.map((one) => [one.tag, one]));

  /** Undefined where there is no tag to write. */
  function write(valueIn: (name: TagName) => Value | undefined): string | undefined {
    const texts = known.flatMap(({ name, tag, most }) => {
      const value = valueIn(name);
      if (value === undefined) return [];
      const text = value instanceof Secret ? value.reveal() : value;
      if (text.length > most) {
        throw new EncodeError(
          `${place}.tags.${name}`,
          `has room for ${most} characters, and ${text.length} are needed`,
        );
      }
      return [tag + String(text.length).padStart(lengthDigits, '0') + text];
    });
    return texts.length === 0 ? undefined : texts.join('');
  }

  /**
   * Tags that the dialect does not name are left out, and so are those that are not as it says: nothing in them decides about an
   * approval. Undefined where the text is no row of tags.
   */
  function read(text: string): ReadTags | undefined {
    const values: Partial<Record<TagName, string>> = {};
    const seen = new Set<string>();
    const habits = new Set<TagHabit>();
    let last = '';
    for (let at = 0; at < text.length; ) {
      if (isPadding(text, at)) {
        habits.add('TagPadding');
        break;
      }
      const tag = text.slice(at, at + tagCharacters);
      const start = at + tagCharacters + lengthDigits;
      const digits = text.slice(at + tagCharacters, start);
      if (digits.length < lengthDigits || /[^0-9]/.test(digits)) return undefined;
      at = start + Number(digits);
      if (at > text.length) return undefined;
      if (tag < last) habits.add('TagOrder');
      last = tag;
      if (seen.has(tag)) {
        habits.add('TagTwice');
        continue;
      }
      seen.add(tag);
      const one = byTag.get(tag);
      if (one === undefined) continue;
      const value = text.slice(start, at);
      if (value.length > one.most || hasControl(value)) habits.add('TagLength');
      else values[one.name] = value;
    }
    return { values, habits: [...habits] };
  }

  return { write, read };
}

/** Whether a text has control characters. No form of text has them (ISO 8583:1993, 4.2), and neither a table nor a log takes them. */
export function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Whether nothing but blanks, zeros or NULs stands from a place on. */
function isPadding(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) if (!PADDING.includes(text.charAt(at))) return false;
  return true;
}

const PADDING = ' 0\0';
