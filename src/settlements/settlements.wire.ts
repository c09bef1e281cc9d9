import { Type } from 'typebox';
import { logged, operations } from '../kit/schemas.wire.ts';

const DISPUTE_STAGES = ['Retrieval', 'Chargeback', 'PreArbitration', 'Arbitration'] as const;
const DISPUTE_STATES = ['Open', 'Accepted', 'Represented', 'Won', 'Lost', 'Withdrawn'] as const;
/** `Withdrawn`: the batch of its line was. */
export const DIFFERENCE_OUTCOMES = ['WrittenOff', 'PaidOtherwise', 'AcquirersMistake'] as const;
export const DIFFERENCE_STATES = ['Open', 'Cured', 'Resolved', 'Withdrawn'] as const;
const DISPUTE_CATEGORIES = ['Fraud', 'Authorization', 'Processing', 'Consumer'] as const;
export const DIFFERENCE_KINDS = [
  'unknownToUs',
  'takenThoughRefused',
  'amountDiffers',
  'currencyDiffers',
  'merchantDiffers',
  'twice',
  'missingAtAcquirer',
  'totalsDiffer',
  'abandoned',
  'feeAboveZero',
] as const;

/** Settlements or disputes in one page. */
export const PAGE_SETTLEMENTS = 100;

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const limit = Type.Optional(
  Type.String({ pattern: '^[1-9][0-9]?$|^100$', description: `a whole number from 1 to ${PAGE_SETTLEMENTS}` }),
);
const after = Type.Optional(Type.String({ pattern: uuid, description: 'the id of the last one of the page before' }));

const dayOf = (description: string) => Type.String({ pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$', description });
export const PERIOD = {
  from: Type.Optional(dayOf('the first day, YYYY-MM-DD; without it from the beginning')),
  to: Type.Optional(dayOf('the last day, YYYY-MM-DD; without it to the end')),
};

export const SettlementParams = Type.Object({ settlementId: Type.String({ description: 'The settlement, a UUID' }) });
export const DisputeParams = Type.Object({ disputeId: Type.String({ description: 'The dispute, a UUID' }) });
export const SettlementsQuery = Type.Object({
  day: Type.Optional(dayOf('a day, YYYY-MM-DD')),
  ...PERIOD,
  after,
  limit,
});
export const DisputesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...DISPUTE_STATES])),
  ...PERIOD,
  after,
  limit,
});

const Minor = (description: string) => logged(Type.Integer({ description }));
const Day = (description: string) => logged(Type.String({ format: 'date', description }));
const Instant = logged(Type.String({ format: 'date-time' }));
const Text = logged(Type.String());

const Sum = Type.Object({ number: logged(Type.Integer()), amount: logged(Type.Integer()) });
const Sums = Type.Object(
  {
    sales: Sum,
    salesTakenBack: Sum,
    refunds: Sum,
    refundsTakenBack: Sum,
    net: Minor('What the acquirer owes; below 0: what it is owed'),
  },
  { $id: 'SettlementTotals', description: 'What was taken back counts on both sides' },
);

const SETTLEMENT = {
  id: Type.String({ description: 'Relative address' }),
  settlementId: logged(Type.String({ format: 'uuid' })),
  day: Day('The business day'),
  agreement: Text,
  acquirer: Text,
  merchantId: logged(Type.String({ description: 'Your number at the acquirer' })),
  currency: Text,
  state: logged(
    Type.Enum(['Closed', 'Reconciled', 'Different', 'Settled'], {
      description:
        'Closed: its sums stand. Reconciled: the acquirer counts the same. Different: it counts otherwise. ' +
        'Settled: all of it was paid.',
    }),
  ),
  closedAt: Instant,
  totals: Sums,
  acquirerTotals: Type.Optional(Sums),
  settled: Type.Object(
    { number: logged(Type.Integer()), amount: logged(Type.Integer()) },
    { description: 'Sales and refunds that lines of files have settled, refunds below 0' },
  ),
  openDifferences: logged(Type.Integer()),
  openTakeBacks: logged(Type.Integer({ description: 'Messages that the acquirer has not acknowledged yet' })),
};

export const SettlementObject = Type.Object({ ...SETTLEMENT, operations }, { $id: 'Settlement' });

export const SettlementsAnswer = Type.Object(
  {
    settlements: Type.Object({
      id: Type.String({ description: 'Relative address' }),
      hasMore: logged(Type.Boolean()),
      settlementList: Type.Array(SettlementObject),
    }),
    operations,
  },
  { $id: 'Settlements', description: 'Amounts are in the smallest unit of the currency' },
);

const Payout = Type.Object(
  {
    batch: Text,
    merchantId: logged(Type.String({ description: 'The merchant number that it pays' })),
    valueDate: Type.Optional(Day('When it is paid')),
    gross: Minor('Of all of its lines before fees: chargebacks, adjustments and reserves are in it'),
    fee: Minor('Below 0: what the acquirer keeps'),
    amount: Minor('What it pays'),
    currency: logged(Type.String({ description: 'In which it pays: the acquirer may convert' })),
  },
  { $id: 'SettlementPayout' },
);

export const PayoutsQuery = Type.Object({
  ...PERIOD,
  after: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'the number of the last one of the page before' }),
  ),
  limit,
});

const PAYOUT_SUMS = {
  gross: Minor('Sales less refunds'),
  fees: Minor('Below 0: what the acquirer keeps'),
  interchange: Minor('Of the fees: what banks of cards get'),
  schemeFees: Minor('Of the fees: what schemes get'),
  otherFees: Minor('Of the fees: the rest'),
  chargebacks: Minor('Chargebacks less their reversals'),
  adjustments: Minor('What else the acquirer adds or keeps'),
  reserves: Minor('Below 0: what the acquirer holds back; above 0: what it releases'),
  net: Minor('What is paid: the sum of gross, fees, chargebacks, adjustments and reserves'),
  currency: Text,
  unmatchedLines: logged(Type.Integer({ description: 'Lines that nothing in our books matches' })),
};

export const PayoutObject = Type.Object(
  {
    number: logged(Type.Integer({ description: 'Numbers batches in the order in which they were imported' })),
    batch: logged(Type.String({ description: 'As its file names it: one for each acquirer and merchant number' })),
    acquirer: Text,
    merchantId: logged(Type.String({ description: 'The merchant number that it pays' })),
    valueDate: Type.Optional(Day('When it is paid; without it the payout is listed by the day of its import')),
    ...PAYOUT_SUMS,
    converted: Type.Optional(
      Type.Array(
        Type.Object(
          {
            currency: logged(Type.String({ description: 'Of the sales, refunds and disputes' })),
            amount: Minor('Their amount in that currency, refunds and chargebacks below 0'),
            paid: Minor('What is paid for it, in the currency of the payout: it is in the sums'),
          },
          { $id: 'ConvertedPart' },
        ),
        { description: 'What the payout pays of transactions in other currencies' },
      ),
    ),
    state: logged(
      Type.Enum(['Paid', 'Seen', 'Withdrawn'], {
        description: "Seen: a person has seen it on the bank's statement. Withdrawn: its file was wrong.",
      }),
    ),
    importedAt: Instant,
    seenAt: Type.Optional(Instant),
    withdrawnAt: Type.Optional(Instant),
    withdrawnBecause: Type.Optional(Type.String({ description: 'Why, in the words of who withdrew it' })),
  },
  { $id: 'Payout' },
);

export const PayoutsAnswer = Type.Object(
  {
    payouts: Type.Object({
      id: Type.String({ description: 'Relative address' }),
      hasMore: logged(Type.Boolean()),
      payoutList: Type.Array(PayoutObject),
      days: Type.Array(
        Type.Object(
          {
            day: Day('When it is paid'),
            payouts: logged(Type.Integer()),
            seen: logged(Type.Integer({ description: 'Of these: those that a person has seen on the statement' })),
            ...PAYOUT_SUMS,
          },
          { $id: 'PaidDay' },
        ),
        { description: 'What is paid on each day of the period, without what was withdrawn' },
      ),
      reserves: Type.Array(
        Type.Object(
          {
            acquirer: Text,
            merchantId: Text,
            currency: Text,
            held: Minor('Kept and not released; below 0: more was released than was kept here'),
          },
          { $id: 'HeldReserve' },
        ),
        { description: 'What acquirers hold in reserve at the end of the period' },
      ),
    }),
    operations,
  },
  { $id: 'Payouts', description: 'Amounts are in the smallest unit of the currency' },
);

const Difference = Type.Object(
  {
    differenceId: logged(Type.String({ format: 'uuid' })),
    kind: logged(Type.Enum([...DIFFERENCE_KINDS])),
    state: logged(Type.Enum([...DIFFERENCE_STATES])),
    ours: Type.Optional(Minor('What our books say')),
    acquirers: Type.Optional(Minor('What the acquirer says')),
    acquirersCurrency: Type.Optional(logged(Type.String({ description: 'Of that, where it is not the settlement’s' }))),
    paymentId: Type.Optional(logged(Type.String({ format: 'uuid' }))),
    batch: Type.Optional(Text),
    merchantId: Type.Optional(logged(Type.String({ description: 'Of the batch' }))),
    line: Type.Optional(Text),
    reason: Type.Optional(Type.String({ description: 'Why it was ended' })),
    openedAt: Instant,
    closedAt: Type.Optional(Instant),
  },
  { $id: 'SettlementDifference' },
);

export const SettlementAnswer = Type.Object(
  {
    settlement: Type.Object({
      ...SETTLEMENT,
      payouts: Type.Array(Payout, { description: 'Batches that have lines of it, by the day on which they are paid' }),
      differences: Type.Array(Difference),
    }),
    operations,
  },
  { $id: 'SettlementAnswer', description: 'Amounts are in the smallest unit of the currency' },
);

const DISPUTE = {
  id: Type.String({ description: 'Relative address' }),
  disputeId: logged(Type.String({ format: 'uuid' })),
  caseId: logged(Type.String({ description: 'As the acquirer names it' })),
  paymentId: logged(Type.String({ format: 'uuid' })),
  transactionId: Type.Optional(logged(Type.String({ format: 'uuid' }))),
  orderId: Type.Optional(logged(Type.String({ format: 'uuid', description: 'The order that the payment belongs to' }))),
  orderReference: Type.Optional(Type.String({ description: 'The order as the shop names it' })),
  agreement: Text,
  stage: logged(Type.Enum([...DISPUTE_STAGES])),
  state: logged(
    Type.Enum([...DISPUTE_STATES], {
      description:
        'Accepted: you let the money go. Represented: the acquirer was told why it is yours. Won: it came back. Lost: ' +
        'it will not. Withdrawn: the file that has opened it was wrong.',
    }),
  ),
  reasonCode: Type.Optional(Text),
  category: Type.Optional(logged(Type.Enum([...DISPUTE_CATEGORIES]))),
  amount: Minor('What was asked back'),
  taken: Minor('What the acquirer has taken for it and not given back: it cannot be refunded'),
  refunded: Minor('What of the payment was refunded: the holder of the card has it already'),
  paymentCurrency: Type.Optional(
    logged(Type.String({ description: 'Of `taken` and `refunded`, where the acquirer asks in another currency' })),
  ),
  currency: Text,
  respondBy: Type.Optional(Day('The last day for an answer')),
  openedAt: Instant,
  updatedAt: Instant,
};

export const DisputeObject = Type.Object({ ...DISPUTE, operations }, { $id: 'Dispute' });

export const DisputesAnswer = Type.Object(
  {
    disputes: Type.Object({
      id: Type.String({ description: 'Relative address' }),
      hasMore: logged(Type.Boolean()),
      disputeList: Type.Array(DisputeObject),
    }),
    operations,
  },
  { $id: 'Disputes', description: 'Amounts are in the smallest unit of the currency' },
);

export const DisputeAnswer = Type.Object(
  { dispute: Type.Object(DISPUTE), operations },
  { $id: 'DisputeAnswer', description: 'Amounts are in the smallest unit of the currency' },
);
