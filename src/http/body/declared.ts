import type { TSchema } from 'typebox';
import { withoutIds } from '../document/schemas.ts';
import { type Liberties, NO_LIBERTIES, understand } from './understand.ts';
import { type Check, refuseProblems } from './validate.ts';

type Members = Record<string, unknown>;

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TSchema | boolean;
  readonly items?: TSchema;
}

/**
 * Makes what takes a body, once it is read as JSON: as its schema declares it and checked, or refused. The one place that
 * decides which members are there.
 *
 * - A member that the schema does not declare is ignored: nothing of it was checked, neither its type nor whether it
 *   holds a
 *   card number, so no handler sees it.
 * - A member that need not be there is absent where it is an empty text. Clients send all members that they know, and leave
 *   empty what they have not got. `null` is absent already: `parseJson` leaves it out.
 *
 * @param liberties in which ways its values may be written beside what the schema says
 */
export function declaredBody(
  compile: (schema: TSchema) => Check,
  schema: TSchema,
  liberties: Liberties = NO_LIBERTIES,
): (sent: unknown) => unknown {
  const check = compile(withoutIds(schema));
  return (sent) => {
    const body = understand(schema, sent, liberties);
    keepDeclared(schema, body);
    refuseProblems(check(body));
    return body;
  };
}

/** Whether a member that need not be there counts as absent. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === '';
}

/** Takes out of a value, at every depth, what does not count as a member. */
function keepDeclared(schema: TSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties, required = [], additionalProperties, items } = schema as Shape;
  if (Array.isArray(value)) {
    if (items !== undefined) for (const item of value) keepDeclared(items, item);
    return;
  }
  const members = value as Members;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const isDeclared = properties !== undefined && Object.hasOwn(properties, name);
    const isLeftOut =
      member === '' ? !required.includes(name) : !isDeclared && !isFree(member, properties, additionalProperties);
    if (isLeftOut) delete members[name];
    else if (isDeclared) keepDeclared(properties[name] as TSchema, member);
  }
}

/** Whether a member by a name that the schema does not have stays: where all names are free, or those of texts. */
function isFree(member: unknown, properties: Shape['properties'], others: Shape['additionalProperties']): boolean {
  return properties === undefined || (typeof others === 'object' && typeof member === 'string');
}
