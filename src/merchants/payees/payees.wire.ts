import { Type } from 'typebox';
import { PAYEE_STATES } from '../../kit/caller.ts';
import { NAME_CHARACTERS } from '../../kit/limits.ts';
import { Instant } from '../../kit/portal.wire.ts';
import { freeText } from '../../kit/schemas.wire.ts';

const TimeZone = Type.String({ description: 'Where its days begin, as in Europe/Oslo' });

export const PayeeList = Type.Object({
  payees: Type.Array(
    Type.Object(
      {
        payeeId: Type.String(),
        name: Type.String(),
        createdAt: Instant,
        timeZone: TimeZone,
        state: Type.Enum([...PAYEE_STATES]),
        stateReason: Type.Union([Type.String(), Type.Null()]),
      },
      { $id: 'Payee' },
    ),
  ),
});
export const PayeeBody = Type.Object({ name: freeText(NAME_CHARACTERS, 'For people') });
export const CreatedPayee = Type.Object({ payeeId: Type.String() });

export const TimeZoneBody = Type.Object({
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Of the IANA database, as in Europe/Oslo, or UTC',
  }),
});

export const StateBody = Type.Object({
  state: Type.Enum([...PAYEE_STATES]),
  reason: freeText(NAME_CHARACTERS, 'Why, for the audit trail'),
});
export const ChangedState = Type.Object({ state: Type.Enum([...PAYEE_STATES]), isNew: Type.Boolean() });
