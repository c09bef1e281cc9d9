import { Type } from 'typebox';
import { REASON_CHARACTERS } from '../kit/limits.ts';
import { Instant, InstantOrNull, PayeeParams } from '../kit/portal.wire.ts';
import { freeText } from '../kit/schemas.wire.ts';
import { DIFFERENCE_KINDS, DIFFERENCE_STATES } from './settlements.wire.ts';

const payee = PayeeParams.properties;
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const MinorOrNull = Type.Union([Type.Integer(), Type.Null()]);

export const DayParams = Type.Object({ ...payee, day: Type.String({ description: 'The business day, YYYY-MM-DD' }) });
export const DifferenceParams = Type.Object({
  ...payee,
  differenceId: Type.String({ description: 'The difference, a UUID' }),
});
export const DifferencesQuery = Type.Object({ state: Type.Optional(Type.Enum(['Open'])) });
export const ResolveBody = Type.Object({ reason: freeText(REASON_CHARACTERS, 'Why it is ended') });

export const DisputeOfPayeeParams = Type.Object({
  ...payee,
  disputeId: Type.String({ description: 'The dispute, a UUID' }),
});
const DisputeSteps = Type.Enum(['accept', 'represent', 'win', 'lose']);
export const StepBody = Type.Object({ step: DisputeSteps });
export const StepsAnswer = Type.Object({
  steps: Type.Array(DisputeSteps, { description: 'What can be done with it now' }),
});

export const DifferencesAnswer = Type.Object({
  differences: Type.Array(
    Type.Object(
      {
        differenceId: Type.String(),
        kind: Type.Enum([...DIFFERENCE_KINDS]),
        state: Type.Enum([...DIFFERENCE_STATES]),
        acquirer: Type.String(),
        agreement: Type.String(),
        currency: Type.String(),
        day: TextOrNull,
        paymentId: TextOrNull,
        batchId: TextOrNull,
        lineId: TextOrNull,
        ours: MinorOrNull,
        theirs: MinorOrNull,
        theirCurrency: TextOrNull,
        reason: TextOrNull,
        openedAt: Instant,
        closedAt: InstantOrNull,
      },
      { $id: 'ListedDifference', description: "Amounts are in the currency's smallest unit" },
    ),
  ),
  hasMore: Type.Boolean({ description: 'There are younger ones, which are not shown' }),
});
