import type { TSchema } from 'typebox';
import { assert } from '../../kit/assert.ts';

type Members = Readonly<Record<string, unknown>>;
type Copy = (value: unknown) => unknown;

/** What of a schema decides which members are declared. */
interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/**
 * Makes the function that writes answers of a schema as JSON. It copies the members that the schema declares, at every depth, so a
 * member that is not declared never leaves. A required member that is missing is an error of ours.
 */
export function answerWriter(schema: TSchema): (value: unknown) => string {
  const copy = copyBy(schema);
  return (value) => JSON.stringify(copy(value));
}

const asItIs: Copy = (value) => value;

/** An object in the place of a text or a number would bring its members with it. */
const plain: Copy = (value) => {
  assert(typeof value !== 'object' || value === null, 'an answer has no object where its schema has none');
  return value;
};

function copyBy(schema: TSchema): Copy {
  const { properties, patternProperties, additionalProperties = false, items, anyOf } = schema as Shape;
  if (anyOf !== undefined) return copyUnion(anyOf.map(copyBy));
  if (items !== undefined) return copyItems(copyBy(items));
  const hasMembers = properties !== undefined || patternProperties !== undefined || additionalProperties !== false;
  return hasMembers ? copyMembers(schema) : plain;
}

/** A union has one form with members at most, so that a value need not be compared with each. */
function copyUnion(options: readonly Copy[]): Copy {
  const [copy = plain, ...others] = options.filter((option) => option !== plain);
  assert(others.length === 0, 'a union of an answer has one object or list at most');
  return copy;
}

function copyItems(copy: Copy): Copy {
  return (value) => (Array.isArray(value) ? value.map((item) => copy(item)) : plain(value));
}

function copyMembers(schema: TSchema): Copy {
  const { properties = {}, required = [] } = schema as Shape;
  const declared = Object.entries(properties).map(([name, member]) => {
    return { name, copy: copyBy(member), isRequired: required.includes(name) };
  });
  const copyOthers = copierOfOthers(schema, new Set(Object.keys(properties)));
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copied: Record<string, unknown> = {};
    for (const { name, copy, isRequired } of declared) {
      const member = (value as Members)[name];
      if (member !== undefined) copied[name] = copy(member);
      else assert(!isRequired, `an answer has its member ${name}`);
    }
    copyOthers?.(value as Members, copied);
    return copied;
  };
}

/** Copies the members with chosen names; undefined where the schema allows none. */
function copierOfOthers(
  schema: TSchema,
  declared: ReadonlySet<string>,
): ((from: Members, to: Record<string, unknown>) => void) | undefined {
  const { additionalProperties = false, patternProperties = {} } = schema as Shape;
  const forms = Object.entries(patternProperties).map(([pattern, member]) => {
    return { form: new RegExp(pattern, 'u'), copy: copyBy(member) };
  });
  if (additionalProperties === false && forms.length === 0) return undefined;
  const copyAny = typeof additionalProperties === 'object' ? copyBy(additionalProperties) : asItIs;
  return (from, to) => {
    for (const [name, member] of Object.entries(from)) {
      if (declared.has(name) || member === undefined) continue;
      const copy =
        forms.find(({ form }) => form.test(name))?.copy ?? (additionalProperties === false ? undefined : copyAny);
      if (copy !== undefined) to[name] = copy(member);
    }
  };
}
