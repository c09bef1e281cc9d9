import { type Static, type TSchema, Type } from 'typebox';

/** Of a request that has no parameters in its path, or takes none behind a question mark. */
export const NoParams = Type.Object({});
export const NoQuery = Type.Object({});

/** What a schema describes, as we make it or are given it: nothing of it is changed. */
export type Shown<Schema extends TSchema> = Unchanged<Static<Schema>>;

type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Unchanged<Value[Member]> }
    : Value;

/**
 * A member whose value the payee's log of calls shows: money, states, references of the payee's programs, ids of resources
 * that pay nothing by themselves, and what problems say. The log hides every other value, so what is not known here yet
 * is hidden. Never for card numbers, codes, tokens, secrets, and what tells who a payer is.
 *
 * @returns a schema with the keyword `logged`, which the OpenAPI documents do not show
 */
export function logged<Schema extends TSchema>(schema: Schema): Schema {
  // A spread would lose what TypeBox keeps in members that are not enumerable.
  const members = Object.getOwnPropertyDescriptors(schema);
  return Object.create(Object.getPrototypeOf(schema), { ...members, logged: { value: true, enumerable: true } });
}

/**
 * A text that a person wrote: 1 to `most` characters after trimming.
 *
 * @param description says so in words; it is part of the API's document and of the problem for a wrong value
 */
export function freeText(most: number, description: string) {
  return Type.String({ freeText: most, description });
}

/**
 * A remark about a payment: a free text in which people write what they should not, as a card's check digits (PCI DSS 4.0.1, 3.3.1).
 *
 * @param description says so in words, as for `freeText`
 */
export function remark(most: number, description: string) {
  return Type.String({ freeText: most, noCardCode: true, description });
}

/** The same possibilities as `operations`, in the shape that resources below `/api/payments` have beside it. */
export const links = Type.Array(
  Type.Object(
    {
      href: Type.String({ description: 'Absolute and opaque: to be followed, not stored or built' }),
      rel: logged(Type.String({ description: '`self` for the resource, else what can be done with it now' })),
      type: logged(Type.String({ description: 'Media type of what is sent there or found there' })),
      templated: Type.Boolean({ description: 'Always false: an href is whole' }),
    },
    { $id: 'Link' },
  ),
  { description: 'The resource, and what can be done with it now' },
);

/**
 * A reference that a program made up: it is stored and shown in the clear, so it must not be a card number.
 *
 * @param meaning what it names, in words that follow its form: both stand in the problem for a wrong one
 */
export function reference(meaning: string) {
  const form = '1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash';
  return Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description: `${form}: ${meaning}` });
}

/**
 * A member that some clients send as a string and others as a number: `digitsOf` and `textOf` of http/ read its exact
 * text.
 *
 * @param pattern what its text must be like, anchored
 */
export function idLike(pattern: string, description: string) {
  return Type.Unsafe<string | number>({ idLike: pattern, description });
}

/** The number of a card, where one belongs: it is sealed or masked before anything is stored. */
export function cardNumber(pattern: string, description: string) {
  return Type.Unsafe<string | number>({ idLike: pattern, unscanned: 'a card number', description });
}

/**
 * The month in which a card ends, in the forms that clients have it in: as it stands on the card, with four digits of the
 * year, and as the last day, as our own answers have it. `shortExpiry` of the accounts reads it.
 */
export function expiryDate(description: string) {
  return Type.String({
    pattern: '^(0[1-9]|1[0-2])/(20)?[0-9]{2}$|^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
    description: `MM/YY, MM/YYYY or YYYY-MM-DD, of which the month counts; ${description}`,
  });
}

/** A text that a person wrote, to name something that is sold: it may be a product number (GTIN), and else no card number. */
export function productReference(most: number, description: string) {
  return Type.String({ freeText: most, productNumber: true, description });
}

/** A number that may have a fraction, up to nine digits before and six behind the point. */
export function decimal(description: string) {
  return Type.Unsafe<number>({ decimal: true, description });
}

/** A value of the caller's own: a text of up to `most` characters, a number that may have a fraction, true or false. */
export function scalar(most: number, description: string) {
  return Type.Unsafe<string | number | boolean>({ scalar: most, description });
}

/** The array of operations that every resource carries. */
export const operations = Type.Array(
  Type.Object(
    {
      method: logged(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'])),
      href: Type.String({ description: 'Absolute and opaque: to be followed, not stored or built' }),
      rel: logged(Type.String({ description: 'What the operation does' })),
      contentType: Type.String(),
    },
    { $id: 'Operation' },
  ),
  { description: 'What can be done with the resource now' },
);
