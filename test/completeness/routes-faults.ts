import type { TSchema } from 'typebox';
import { type Liberties, NO_LIBERTIES } from '../../src/http/body/understand.ts';
import { testCardNumber } from '../support/numbers.ts';
import { MARKER } from '../support/prober/routes-requests.ts';

/** A value that a member must not have. */
export interface Fault {
  /** The member as a problem names it, as in `payment.prices[0].amount`. */
  readonly name: string;
  readonly what: string;
  /** The whole value with the one fault in it. */
  readonly value: unknown;
}

type Json = Readonly<Record<string, unknown>>;
/** What a schema says; each member is there or not. */
interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly freeText?: number;
  readonly unscanned?: string;
  readonly idLike?: string;
  readonly decimal?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** What is wrong with a word in other letters, where case counts. */
export const IN_ANOTHER_CASE = 'in another case';

/** A value of each JSON type. An integer is a number too, so a number with a fraction stands for that type. */
const EVERY_TYPE: Readonly<Record<string, unknown>> = {
  string: MARKER,
  integer: 7,
  number: 1.5,
  boolean: true,
  object: { [MARKER]: MARKER },
  array: [MARKER],
};

/**
 * Every way to spoil one member of a body that is good otherwise: it is missing or null though it must be there, of each
 * other JSON type, too long, too short, or not one of the words that it may be.
 *
 * @param good a body that has every member of the schema
 * @param liberties what the route takes as if it were written otherwise: these are no faults
 * @throws Error that says what to add, where a member has no bound in its schema, or the sample lacks it
 */
export function bodyFaults(schema: TSchema, good: Json, liberties: Liberties = NO_LIBERTIES, path = ''): Fault[] {
  const { properties = {}, required = [] } = schema as Rules;
  return Object.entries(properties).flatMap(([member, rules]) => {
    const name = path === '' ? member : `${path}.${member}`;
    const value = good[member];
    // A word that excludes another member is in no good body with it; its faults are the same without a good one.
    const mayLack = (rules as Rules).enum !== undefined && !required.includes(member);
    if (value === undefined && !mayLack)
      throw new Error(`The sample's body has no ${name}. Add it in routes-samples.ts.`);
    const { [member]: _without, ...missing } = good;
    const absences = required.includes(member)
      ? [
          { name, what: 'missing', value: missing },
          { name, what: 'null', value: { ...good, [member]: null } },
        ]
      : [];
    const inside = valueFaults(rules as Rules, value, name, liberties);
    // An empty text is a fault where something must be there, and as good as nothing where it need not.
    const ofValue = inside.filter((fault) => fault.name !== name || fault.value !== '');
    const faults = required.includes(member) ? [...ofValue, { name, what: 'empty', value: '' }] : ofValue;
    return [...absences, ...faults.map((fault) => ({ ...fault, value: { ...good, [member]: fault.value } }))];
  });
}

/** A member that need not be there, and the body with it empty and without it. */
export interface OptionalMember {
  /** As a problem names it. */
  readonly name: string;
  readonly empty: unknown;
  readonly without: unknown;
}

/** Every member that need not be there, at every depth, of whatever type. */
export function optionalMembers(schema: TSchema, good: Json, path = ''): OptionalMember[] {
  const { properties = {}, required = [] } = schema as Rules;
  return Object.entries(properties).flatMap(([member, rules]) => {
    const name = path === '' ? member : `${path}.${member}`;
    const { [member]: value, ...without } = good;
    const itself = required.includes(member) ? [] : [{ name, empty: { ...good, [member]: '' }, without }];
    const { items } = rules as Rules;
    const isList = items !== undefined && Array.isArray(value) && typeof value[0] === 'object';
    const inside = isList
      ? optionalMembers(items, value[0] as Json, `${name}[0]`)
      : optionalMembers(rules, value as Json, name);
    const put = (changed: unknown) => ({ ...good, [member]: isList ? [changed, ...value.slice(1)] : changed });
    return [...itself, ...inside.map((found) => ({ ...found, empty: put(found.empty), without: put(found.without) }))];
  });
}

/** A body in which one member is written as some clients do, and the same as its schema says. */
export interface OtherForm {
  /** As a problem names it. */
  readonly name: string;
  readonly written: unknown;
  readonly meant: unknown;
}

/** Every member that may be written otherwise than its schema says, at every depth, in each of these ways. */
export function otherForms(schema: TSchema, good: Json, path = ''): OtherForm[] {
  const { properties = {} } = schema as Rules;
  return Object.entries(properties).flatMap(([member, rules]) => {
    const name = path === '' ? member : `${path}.${member}`;
    const value = good[member];
    if (value === undefined) return [];
    return formsOf(rules as Rules, value, name).map((form) => ({
      ...form,
      written: { ...good, [member]: form.written },
      meant: { ...good, [member]: form.meant },
    }));
  });
}

function formsOf(rules: Rules, value: unknown, name: string): OtherForm[] {
  const { items, enum: words } = rules;
  if (Array.isArray(value)) {
    const put = (changed: unknown) => [changed, ...value.slice(1)];
    const inside = items === undefined ? [] : formsOf(items as Rules, value[0], `${name}[0]`);
    return inside.map((form) => ({ ...form, written: put(form.written), meant: put(form.meant) }));
  }
  if (typeof value === 'object') return otherForms(rules as TSchema, value as Json, name);
  const [type] = typesOf(rules);
  if (words !== undefined) {
    const text = String(value);
    return [text.toLowerCase(), text.toUpperCase()].map((written) => ({ name, written, meant: value }));
  }
  if (type === 'integer' && rules.idLike === undefined) {
    const number = Number(value);
    return [String(number), number + 1e-10].map((written) => ({ name, written, meant: number }));
  }
  if (type === 'number') return [{ name, written: '2.5', meant: 2.5 }];
  if (type !== 'string' || rules.idLike !== undefined) return [];
  return [7, 1.5, true].map((written) => ({ name, written, meant: String(written) }));
}

/** The body with the marker in every free text: what is right must not be repeated in a refusal either. */
export function withMarkers(schema: TSchema, good: Json): Json {
  const { properties = {} } = schema as Rules;
  const marked = Object.entries(properties).map(([member, rules]) => {
    const { freeText, properties: inside } = rules as Rules;
    if (inside !== undefined) return [member, withMarkers(rules, good[member] as Json)];
    return [member, freeText === undefined ? good[member] : MARKER];
  });
  return { ...good, ...Object.fromEntries(marked) };
}

function valueFaults(rules: Rules, good: unknown, name: string, liberties: Liberties): Fault[] {
  const types = typesOf(rules);
  const isOwnText = liberties.values && types.includes('string') && rules.enum === undefined;
  const isAllowed = (type: string) =>
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (isOwnText && ['integer', 'number', 'boolean'].includes(type));
  const others = Object.entries(EVERY_TYPE)
    .filter(([type]) => !isAllowed(type))
    .map(([type, value]) => ({ name, what: `of type ${type}`, value }));
  if (types.includes('object')) return [...others, ...bodyFaults(rules as TSchema, good as Json, liberties, name)];
  if (types.includes('array')) return [...others, ...arrayFaults(rules, good as readonly unknown[], name, liberties)];
  const isUnderstood = ({ what }: Fault) => liberties.words && what === IN_ANOTHER_CASE;
  return [...others, ...boundFaults(rules, types, name).filter((fault) => !isUnderstood(fault))];
}

/** The JSON types that a value may have; a keyword of our own says so in the place of `type`. */
function typesOf({ type, enum: words, idLike, decimal }: Rules): readonly string[] {
  if (idLike !== undefined) return ['string', 'integer'];
  if (decimal) return ['number'];
  return [type ?? (words === undefined ? [] : 'string')].flat();
}

function arrayFaults(
  { maxItems, items }: Rules,
  good: readonly unknown[],
  name: string,
  liberties: Liberties,
): Fault[] {
  if (maxItems === undefined) throw withoutBound(name, 'maxItems');
  const inside = items === undefined ? [] : valueFaults(items as Rules, good[0], `${name}[0]`, liberties);
  return [
    { name, what: 'too many', value: Array(maxItems + 1).fill(good[0]) },
    ...inside.map((fault) => ({ ...fault, value: [fault.value, ...good.slice(1)] })),
  ];
}

function boundFaults(rules: Rules, types: readonly string[], name: string): Fault[] {
  if (rules.idLike !== undefined) {
    const texts = Object.entries(
      badTexts({ pattern: rules.idLike, unscanned: rules.unscanned } as unknown as TSchema, name),
    );
    return [...texts, ['below zero', -1] as const].map(([what, value]) => ({ name, what, value }));
  }
  if (rules.decimal) {
    const wrong = { 'too small': -1_000_000_000, 'too large': 1_000_000_000, 'too fine': 0.1234567 };
    return Object.entries(wrong).map(([what, value]) => ({ name, what, value }));
  }
  if (types.includes('string')) {
    return Object.entries(badTexts(rules as TSchema, name)).map(([what, value]) => ({ name, what, value }));
  }
  if (types.includes('integer') || types.includes('number')) {
    const { minimum, maximum } = rules;
    if (minimum === undefined || maximum === undefined) throw withoutBound(name, 'minimum and maximum');
    return [
      { name, what: 'too small', value: minimum - 1 },
      { name, what: 'too large', value: maximum + 1 },
    ];
  }
  return [];
}

/**
 * Texts that break the rules of a string, by what is wrong with them.
 *
 * @throws Error that says what to add, where the schema sets no bound
 */
export function badTexts(schema: TSchema, name: string): Readonly<Record<string, string>> {
  const { enum: words, freeText, unscanned, minLength = 0, maxLength, pattern, format } = schema as Rules;
  if (words !== undefined) {
    // Digits have no case.
    const other = words[0]?.toLowerCase() ?? '';
    return { 'no known word': MARKER, empty: '', ...(other !== words[0] && { [IN_ANOTHER_CASE]: other }) };
  }
  const cardNumbers = {
    'a card number': testCardNumber(1),
    'a card number behind letters': `order-${testCardNumber(1)}`,
    'a card number in groups': testCardNumber(1).replace(/.{4}/g, '$&.'),
  };
  if (freeText !== undefined) {
    return {
      'too long': 'x'.repeat(freeText + 1),
      empty: '',
      blank: '   ',
      ...cardNumbers,
      ...(pattern !== undefined && { 'a control character': `${MARKER}\u0007` }),
    };
  }
  const isBounded =
    maxLength !== undefined || format !== undefined || (pattern !== undefined && !/[*+]|,\}/.test(pattern));
  if (!isBounded) throw withoutBound(name, 'freeText, maxLength, enum, format or a bounded pattern');
  return {
    'too long': 'x'.repeat((maxLength ?? 200) + 1),
    ...(minLength > 0 && { 'too short': 'x'.repeat(minLength - 1) }),
    ...((pattern !== undefined || format !== undefined) && { 'of another form': `\u00fc ${MARKER}` }),
    ...(unscanned === undefined && cardNumbers),
  };
}

function withoutBound(name: string, bound: string): Error {
  return new Error(`${name} has no bound in its schema. Give it ${bound} in its *.wire.ts (style: limit everything).`);
}
