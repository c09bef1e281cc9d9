import type { Dialect, Element, MessageForm, MessageKind, Part, ValueName } from './dialect.types.ts';

type Described = Pick<Dialect, 'fields' | 'composed' | 'f48'>;

/** Where a value is written: in which field, and what there is room for. */
export interface Place {
  readonly number: number;
  readonly form: Element['form'];
  /** Characters of its value. */
  readonly most: number;
  readonly codes: Element['codes'];
}

/** Where a dialect writes a value; undefined where it has no place for it. */
export function placeOf({ fields, composed = [], f48 }: Described, name: ValueName): Place | undefined {
  const field = name in fields ? fields[name as keyof typeof fields] : undefined;
  if (field !== undefined) return placed(field.number, field);
  if (f48 !== undefined && fields.privateData !== undefined && name in f48.tags) {
    return tagged(fields.privateData.number, f48, name);
  }
  for (const one of composed) {
    if ('tags' in one) {
      if (name in one.tags.tags) return tagged(one.number, one.tags, name);
      continue;
    }
    const part = partsOf(one).find((part) => 'name' in part && part.name === name);
    if (part !== undefined) return placed(one.number, part);
  }
  return undefined;
}

/** The parts of a field that is no row of tags. */
export function partsOf(
  field: { readonly parts: readonly Part[] } | { readonly bits: Readonly<Record<string, Part>> },
) {
  return 'parts' in field ? field.parts : Object.values(field.bits);
}

function placed(number: number, element: Element): Place {
  const { form, codes, digits } = element;
  return { number, form, codes, most: digits ?? ('length' in element ? element.length : element.most) };
}

function tagged(number: number, { tags }: NonNullable<Dialect['f48']>, name: ValueName): Place {
  return { number, form: 'ans', codes: undefined, most: tags[name as keyof typeof tags]?.most ?? 0 };
}

/** The kinds of messages that a dialect has. */
export function formsOf({ messages }: Pick<Dialect, 'messages'>): readonly (readonly [MessageKind, MessageForm])[] {
  return Object.entries(messages) as [MessageKind, MessageForm][];
}
