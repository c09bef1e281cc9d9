import { Type } from 'typebox';
import { REASON_CHARACTERS } from '../kit/limits.ts';
import { ActAnswer, Instant, InstantOrNull, PayeeParams } from '../kit/portal.wire.ts';
import { freeText } from '../kit/schemas.wire.ts';
import { DIFFERENCE_KINDS, DIFFERENCE_OUTCOMES, DIFFERENCE_STATES, PERIOD } from './settlements.wire.ts';

const payee = PayeeParams.properties;
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const MinorOrNull = Type.Union([Type.Integer(), Type.Null()]);

export const DayParams = Type.Object({ ...payee, day: Type.String({ description: 'The business day, YYYY-MM-DD' }) });
export const DifferenceParams = Type.Object({
  ...payee,
  differenceId: Type.String({ description: 'The difference, a UUID' }),
});
export const DifferencesQuery = Type.Object({ state: Type.Optional(Type.Enum(['Open'])), ...PERIOD });
/** Of a table of a period; without it of all. */
export const SomePeriodQuery = Type.Object(PERIOD);
export const ResolveBody = Type.Object({
  reason: freeText(REASON_CHARACTERS, 'Why it is ended'),
  outcome: Type.Optional(
    Type.Enum([...DIFFERENCE_OUTCOMES], {
      description:
        'WrittenOff and PaidOtherwise book what is owed for it. AcquirersMistake, which it is without it, books nothing.',
    }),
  ),
});
const number = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Of the batch in the list of payouts',
});
export const WithdrawBody = Type.Object({
  acquirer: Type.String({ maxLength: 100 }),
  batch: Type.String({ maxLength: 200, description: 'Its name, as the file has it' }),
  number,
  reason: freeText(REASON_CHARACTERS, 'Why it is withdrawn'),
});
const Day = Type.String({ pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$', description: 'a day, YYYY-MM-DD' });
export const PeriodQuery = Type.Object({ from: Day, to: Day });
export const SeenBody = Type.Object({
  number,
  isSeen: Type.Boolean(),
});
export const DisputeOfPayeeParams = Type.Object({
  ...payee,
  disputeId: Type.String({ description: 'The dispute, a UUID' }),
});
const DisputeSteps = Type.Enum(['accept', 'represent', 'win', 'lose']);
export const StepBody = Type.Object({ step: DisputeSteps });
export const StepsAnswer = Type.Object({
  steps: Type.Array(DisputeSteps, { description: 'What can be done with it now' }),
});

export const DisputeChanged = Type.Object({ ...StepsAnswer.properties, ...ActAnswer.properties });

export const ClosedAnswer = Type.Object({
  closed: Type.Integer({
    description: 'How many agreements and currencies had an open day; 0 where it was closed before',
  }),
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
        batch: TextOrNull,
        merchantId: TextOrNull,
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
