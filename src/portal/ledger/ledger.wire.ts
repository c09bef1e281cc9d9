import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { entries } from '../payments/payments.wire.ts';
import {
  InstantOrNull,
  Minor,
  next,
  objectParams,
  orNull,
  paging,
  period,
  searchedTo,
  Text,
  TextOrNull,
  Whole,
} from '../portal.wire.ts';

const MovementKind = Type.Enum([
  'Authorize',
  'Capture',
  'Cancel',
  'Expire',
  'Purchase',
  'Deposit',
  'Credit',
  'Reversal',
  'Sweep',
  'Merge',
  'Opening',
  'Settlement',
  'Dispute',
  'Conversion',
]);
const AccountKind = Type.Enum(['StoredValue', 'External']);

export const AccountsQuery = Type.Object({ kind: Type.Optional(AccountKind), ...paging });
export const AccountQuery = Type.Object({
  asOf: Type.Optional(Type.String({ maxLength: 40, description: 'an instant of ISO 8601 with its zone; absent: now' })),
});
export const EntriesQuery = Type.Object({ to: period.to, ...paging });
export const EntriesFileQuery = Type.Object({ to: period.to });
const movementFilters = {
  ...period,
  kind: Type.Optional(MovementKind),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })),
  figure: Type.Optional(
    Type.Enum(['volume', 'spent', 'sold', 'sales'], {
      description:
        'those that count as one: volume is what issuers elsewhere paid less what went back, spent the same of stored value, sold what stored value was sold and loaded less what was taken back; sales is volume and spent together',
    }),
  ),
};
export const MovementsQuery = Type.Object({ ...movementFilters, ...paging });
export const MovementsFileQuery = Type.Object(movementFilters);
export const AccountParams = objectParams('accountId', 'The account');
export const MovementParams = objectParams('movementId', 'The movement');

const ListedAccount = Type.Object(
  {
    accountId: Text,
    kind: AccountKind,
    instrument: Text,
    issuer: Text,
    masked: Type.String({ description: 'First six, asterisks, last four' }),
    currency: orNull(Type.String({ description: 'Null: an external card, which takes any' })),
    available: Minor,
    held: Minor,
    createdAt: Instant,
    closedAt: InstantOrNull,
    isGiftCard: Type.Boolean(),
  },
  { $id: 'ListedAccount' },
);

export const AccountsAnswer = Type.Object({ accounts: Type.Array(ListedAccount), next, searchedTo });
export const AccountAnswer = Type.Object({ account: ListedAccount, asOf: Instant, available: Minor, held: Minor });

/** A line of an account's statement. */
export const AccountEntry = Type.Object(
  {
    sequence: Type.Integer({ description: "Number of the entry among the account's" }),
    happenedAt: Instant,
    movementId: Text,
    kind: MovementKind,
    side: Type.Enum(['Available', 'Held']),
    amount: Type.Integer({ description: 'Negative: money left the bucket' }),
    balance: Type.Integer({ description: 'What the bucket holds after it' }),
    currency: Text,
    paymentId: TextOrNull,
    orderId: TextOrNull,
    orderNumber: orNull(Type.Integer({ description: 'Of the payment order that it is part of' })),
  },
  { $id: 'AccountEntry' },
);

export const EntriesAnswer = Type.Object({ entries: Type.Array(AccountEntry), next });

const ListedMovement = Type.Object(
  {
    movementId: Text,
    happenedAt: Instant,
    kind: MovementKind,
    currency: Text,
    paymentId: TextOrNull,
    transactionId: TextOrNull,
    entries,
  },
  { $id: 'ListedMovement' },
);

export const MovementsAnswer = Type.Object({ movements: Type.Array(ListedMovement), next, searchedTo });
export const MovementAnswer = Type.Object({ movement: ListedMovement });

export const Books = Type.Object({
  verifiedAt: orNull(Type.String({ description: 'The instant as of which they were looked at; null: never' })),
  invariants: Whole,
  broken: Type.Integer({ description: 'Of the invariants. 0: the books balance' }),
});
export type Books = Shown<typeof Books>;
