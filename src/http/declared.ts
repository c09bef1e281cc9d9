import type { TSchema } from 'typebox';

type Members = Record<string, unknown>;

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/**
 * Takes out of a checked body what its schema does not declare, at every depth. A member that no schema knows was
 * checked by nobody: neither its type nor whether it holds a card number. Ignored means that no handler sees it.
 *
 * @param body is changed, and returned
 */
export function onlyDeclared(schema: TSchema, body: unknown): unknown {
  const { properties, items } = schema as Shape;
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) {
    if (items !== undefined) for (const item of body) onlyDeclared(items, item);
    return body;
  }
  if (properties === undefined) return body;
  const members = body as Members;
  for (const name of Object.keys(members)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared === undefined) delete members[name];
    else onlyDeclared(declared, members[name]);
  }
  return body;
}
