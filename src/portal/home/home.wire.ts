import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { InstantOrNull, next, paging, Text, Whole } from '../portal.wire.ts';

export const DaysQuery = Type.Object({
  days: Type.Optional(
    Type.String({ maxLength: 3, description: 'how many days, from 1 to 366; 30 where it is absent' }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 10,
      description: 'the last day, YYYY-MM-DD; today where the payee is, where it is absent',
    }),
  ),
});

export const Counts = Type.Object({ payments: Whole, orders: Whole }, { $id: 'Counts' });
export type Counts = Shown<typeof Counts>;

const numbers = {
  volume: Type.Integer({ description: 'Captured less refunded' }),
  captured: Type.Integer({ description: 'What issuers elsewhere paid' }),
  refunded: Type.Integer({ description: 'What went back to them' }),
  sold: Type.Integer({ description: 'Stored value that was sold and loaded, less what was taken back' }),
  spent: Type.Integer({ description: 'Paid with stored value, less what went back onto it' }),
  paid: Counts,
  declined: Counts,
};

export const Statistics = Type.Object(
  {
    timeZone: Text,
    from: Text,
    to: Text,
    currencies: Type.Array(
      Type.Object({
        currency: Text,
        ...numbers,
        days: Type.Array(Type.Object({ day: Text, ...numbers }), { description: 'Each day, also without payments' }),
        declines: Type.Array(
          Type.Object({
            problem: Text,
            attempts: Whole,
            payments: Type.Integer({ description: 'In which they were' }),
            orders: Type.Integer({ description: 'In which they were' }),
          }),
          { description: 'The most frequent first' },
        ),
      }),
      { description: 'The one with most payments first' },
    ),
    isPartial: Type.Boolean({ description: 'Whether there was too much to count: the oldest is missing' }),
  },
  {
    description:
      "Amounts are in the currency's smallest unit, on the day on which they moved; payments and orders count on the day on which they were made",
  },
);

export const GettingStarted = Type.Object({
  hasAccessToken: Type.Boolean(),
  hasCall: Type.Boolean(),
  hasPayment: Type.Boolean(),
  hasCapture: Type.Boolean(),
  hasWebhook: Type.Boolean(),
});
export type GettingStarted = Shown<typeof GettingStarted>;

export const WebhookRate = Type.Object({
  webhookId: Text,
  looked: Type.Integer({ description: 'Of the latest deliveries, how many were looked at' }),
  delivered: Whole,
  givenUp: Whole,
  waiting: Whole,
  oldestWaiting: InstantOrNull,
  isFailing: Type.Boolean({ description: 'It was tried, and has taken nothing since' }),
});
export type WebhookRate = Shown<typeof WebhookRate>;

export const WebhookRatesAnswer = Type.Object({ webhooks: Type.Array(WebhookRate) });

export const PayersQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200, description: 'what the payer reference begins with' })),
  ...paging,
});

export const PayersAnswer = Type.Object({
  payers: Type.Array(
    Type.Object({ payerReference: Text, firstSeenAt: Instant, activeTokens: Whole, archivedTokens: Whole }),
    { description: 'In the order of their references' },
  ),
  next,
});
