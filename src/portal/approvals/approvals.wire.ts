import { Type } from 'typebox';
import { Instant, InstantOrNull, PayeeParams } from '../../kit/portal.wire.ts';
import { orNull, TextOrNull, Whole } from '../portal.wire.ts';

const ChangeObject = Type.Object(
  {
    kind: Type.Enum(['payment', 'order', 'gift-card', 'product', 'difference', 'batch', 'dispute']),
    id: Type.String(),
    name: orNull(Type.String({ description: 'What people call it: a number, a masked number, a name' })),
    reference: TextOrNull,
    payerReference: TextOrNull,
    left: orNull(
      Type.Integer({
        description: "What can be given back of it, or what is on the card, in the currency's smallest unit",
      }),
    ),
  },
  { $id: 'ChangeObject' },
);
const ObjectOrNull = Type.Union([ChangeObject, Type.Null()]);

export const PendingChange = Type.Object(
  {
    changeId: Type.String(),
    operationId: Type.String({ description: 'The operation of the API or of the portal that is asked for' }),
    object: ObjectOrNull,
    into: ObjectOrNull,
    cards: orNull(
      Type.Integer({ description: 'How many gift cards it is about, where they are not named one by one' }),
    ),
    way: orNull(
      Type.String({ description: 'In which of several ways the object is ended: an outcome, or a step of a dispute' }),
    ),
    reason: orNull(Type.String({ description: 'In the words of the person who asked' })),
    afterwards: orNull(
      Type.Integer({
        description: 'What stays of the object, or what is on the card, once it is done. Below 0: no longer possible',
      }),
    ),
    waitingBeside: Type.Integer({ description: 'What waits for the same object beside it' }),
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
/** What waits for another person, in the answer about the object that it is about. */
export const waiting = Type.Array(PendingChange, { description: 'What waits for another person, the newest first' });
export const PendingChanges = Type.Object({
  changes: Type.Array(PendingChange),
  next: Type.Union([Type.String(), Type.Null()]),
});
export const ChangeCount = Type.Object({ count: Whole });
export const ChangesQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 36 })) });
export const ChangeParams = Type.Object({ ...PayeeParams.properties, changeId: Type.String() });
export const CollectedCard = Type.Object({
  accountKey: Type.String({ description: "The card's number" }),
  cvc: Type.String(),
  expiryDate: Type.String(),
});
