import { type Static, type TSchema, Type } from 'typebox';
import { PayeeParams } from '../kit/portal.wire.ts';
import { PORTAL_PAGE_ROWS, PORTAL_PAGE_ROWS_MOST } from '../kit/portal-limits.ts';

/** What more than one part of the portal's data is made of. */

/** The payee, and one object of theirs. */
export function objectParams<const Name extends string>(name: Name, description: string) {
  const payee = PayeeParams.properties;
  return Type.Object({ ...payee, [name]: Type.String({ description }) } as typeof payee &
    Record<Name, ReturnType<typeof Type.String>>);
}

/** A text or a number that may be missing, which is said by null. */
export function orNull<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
}

export const Text = Type.String();
export const TextOrNull = orNull(Type.String());
export const Whole = Type.Integer();
export const WholeOrNull = orNull(Type.Integer());
export const InstantOrNull = orNull(Type.String({ description: 'ISO 8601 in UTC' }));

/** An amount in the currency's smallest unit. */
export const Minor = Type.Integer({ description: "In the currency's smallest unit" });

const asked = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
const Cursor = Type.String({ maxLength: 200, unscanned: 'our own text', description: 'the `next` of the page before' });

/** The members of a query that a period is made of. */
export const period = {
  from: asked('an instant of ISO 8601 with its zone: rows from then on'),
  to: asked('an instant of ISO 8601 with its zone: rows before it'),
};

/** The members of a query that a page is made of. */
export const paging = {
  cursor: Type.Optional(Cursor),
  limit: asked(`rows in the page, 1 to ${PORTAL_PAGE_ROWS_MOST}; ${PORTAL_PAGE_ROWS} where it is absent`),
};

/** The member of an answer that leads to the next page. */
export const next = orNull(Type.String({ description: 'The cursor of the next page; null: there is none' }));

/** The member of an answer that says how far back a search has looked. */
export const searchedTo = orNull(
  Type.String({
    description: 'Set where the page has fewer rows because the search looks at a limited number at a time',
  }),
);
