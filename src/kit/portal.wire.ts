import { Type } from 'typebox';
import { SCOPES } from './caller.ts';

/** What many routes of the portal have in common. */

export const NoMembers = Type.Object({}, { description: 'Nothing is to be said' });
export const PayeeParams = Type.Object({
  payeeId: Type.String({ description: "The user's own payee; an operator names any" }),
});

/** ISO 8601 in UTC. */
export const Instant = Type.String({ format: 'date-time' });
export const InstantOrNull = Type.Union([Instant, Type.Null()]);
export const Scopes = Type.Array(Type.Enum([...SCOPES]));

/** What a person has done, or what waits for another one. */
export const ActAnswer = Type.Object({
  approval: Type.Union([
    Type.Object({ changeId: Type.String(), expiresAt: Instant, amount: Type.Integer(), currency: Type.String() }),
    Type.Null(),
  ]),
});
