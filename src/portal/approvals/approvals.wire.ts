import { Type } from 'typebox';
import { Instant, InstantOrNull, PayeeParams } from '../../kit/portal.wire.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const PendingChange = Type.Object(
  {
    changeId: Type.String(),
    operationId: Type.String({ description: 'The operation of the API that is asked for' }),
    objectId: TextOrNull,
    currency: Type.String(),
    amount: Type.Integer(),
    askedBy: Type.String(),
    askedByName: TextOrNull,
    askedAt: Instant,
    expiresAt: Instant,
    state: Type.Enum(['Pending', 'Expired', 'Approved', 'Done', 'Refused', 'Impossible'], {
      description:
        '`Approved`: agreed to, and no answer came yet: agree again. `Impossible`: agreed to, and refused then',
    }),
    decidedBy: TextOrNull,
    decidedByName: TextOrNull,
    decidedAt: InstantOrNull,
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'The code of the problem that made it impossible',
    }),
  },
  { $id: 'PendingChange' },
);
export const PendingChanges = Type.Object({
  changes: Type.Array(PendingChange),
  next: Type.Union([Type.String(), Type.Null()]),
});
export const ChangesQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 36 })) });
export const ChangeParams = Type.Object({ ...PayeeParams.properties, changeId: Type.String() });
export const CollectedCard = Type.Object({
  accountKey: Type.String({ description: "The card's number" }),
  cvc: Type.String(),
  expiryDate: Type.String(),
});
