import type { TSchema } from 'typebox';

type Json = Readonly<Record<string, unknown>>;

/** A schema without `$id`s, as compilers want it: the same part may then stand in many schemas. */
export function withoutIds(schema: TSchema): TSchema {
  return rewrite(schema, (part) => {
    const { $id: _id, ...rest } = part;
    return rest;
  }) as TSchema;
}

/**
 * A schema as the OpenAPI document shows it: parts with an `$id` become components and are referred to, keywords of
 * our own are told in the words of JSON Schema.
 *
 * @param components filled with the parts that are referred to
 */
export function documented(schema: TSchema, components: Map<string, unknown>): unknown {
  return rewrite(schema, (part) => {
    const {
      $id,
      freeText,
      noCardCode: _noCardCode,
      unscanned,
      productNumber,
      logged,
      idLike,
      decimal,
      scalar,
      ...rest
    } = part;
    const plain = {
      ...rest,
      // Members may be called so: then it is a schema, and no keyword.
      ...(typeof unscanned === 'object' && { unscanned }),
      ...(typeof productNumber === 'object' && { productNumber }),
      ...(typeof logged === 'object' && { logged }),
      ...(freeText !== undefined && { minLength: 1, maxLength: freeText }),
      // A number has no pattern: the keyword holds for the string form alone.
      ...(idLike !== undefined && { type: ['string', 'integer'], pattern: idLike }),
      ...(decimal === true && { type: 'number' }),
      ...(scalar !== undefined && { type: ['string', 'number', 'boolean'], maxLength: scalar }),
    };
    if (typeof $id !== 'string') return plain;
    components.set($id, plain);
    return { $ref: `#/components/schemas/${$id}` };
  });
}

/** A copy of a JSON value in which each object, innermost first, is replaced by what `change` makes of it. */
export function rewrite(value: unknown, change: (part: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = rewrite(member, change);
  return change(copy);
}
