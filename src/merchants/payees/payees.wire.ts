import { Type } from 'typebox';
import { NAME_CHARACTERS } from '../../kit/limits.ts';
import { Instant } from '../../kit/portal.wire.ts';
import { freeText } from '../../kit/schemas.wire.ts';

const TimeZone = Type.String({ description: 'Where its days begin, as in Europe/Oslo' });

export const PayeeList = Type.Object({
  payees: Type.Array(
    Type.Object(
      { payeeId: Type.String(), name: Type.String(), createdAt: Instant, timeZone: TimeZone },
      { $id: 'Payee' },
    ),
  ),
});
export const PayeeBody = Type.Object({ name: freeText(NAME_CHARACTERS, 'For people') });
export const CreatedPayee = Type.Object({ payeeId: Type.String() });
