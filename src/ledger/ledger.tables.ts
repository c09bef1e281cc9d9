import { named, orNull, tableOf } from '../db/rows/tables.ts';
import type {
  Account,
  AccountKey,
  KnownAccount,
  NumberKey,
  PaymentNumber,
  ReferenceKey,
  TakenReference,
} from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

/** Accounts. What the terms say stays as it is, but for the end of a card that is extended. */
export const ACCOUNT = tableOf<Account, AccountKey>('account', {
  key: { payeeId: 'uuid', accountId: 'uuid' },
  once: {
    kind: 'text',
    instrument: 'text',
    issuer: 'text',
    currency: orNull('text'),
    numberMasked: 'text',
    expiresOn: orNull('date'),
    cvcRequired: 'boolean',
    cvcKeyId: orNull('text'),
    cvcSequence: 'integer',
    largestBalance: orNull('bigint'),
    createdAt: 'timestamptz',
  },
  always: {
    available: 'bigint',
    expiresAt: orNull('timestamptz'),
    blockedAt: orNull('timestamptz'),
    blockedUntil: orNull('timestamptz'),
    entryCount: 'bigint',
    version: 'bigint',
  },
  later: {
    held: 'bigint',
    strikes: 'integer',
    strikesEndAt: orNull('timestamptz'),
    nextHoldExpiresAt: orNull('timestamptz'),
    closedAt: orNull('timestamptz'),
    strikers: orNull('jsonb'),
  },
  // Lists are no values of a list.
  read: { allowedProductIds: 'text[]' },
});

/** By what they are found. */
export const ACCOUNT_NUMBER = tableOf<Pick<KnownAccount, 'payeeId' | 'numberDigest' | 'numberKeyId'>, NumberKey>(
  'account',
  {
    key: { payeeId: 'uuid', numberDigest: 'bytea' },
    once: { numberKeyId: 'text' },
    apart: { numberEndsAt: 'timestamptz' },
  },
);

/** References that were taken, and what they stand for. */
export const REFERENCE = tableOf<TakenReference, ReferenceKey>('reference', {
  key: { payeeId: 'uuid', scope: 'text', reference: 'text' },
  once: {
    commandId: 'uuid',
    objectId: named('payment_id', orNull('uuid')),
    transactionId: orNull('uuid'),
  },
});

/** The numbers of account payments. */
export const PAYMENT_NUMBER = tableOf<PaymentNumber, Pick<PaymentNumber, 'payeeId' | 'number'>>('payment_number', {
  key: { payeeId: 'uuid', number: 'bigint' },
  once: {
    paymentId: 'uuid',
  },
});

/** Money that has moved. */
export const MOVEMENT = tableOf<Movement>('movement', {
  key: { payeeId: 'uuid', movementId: 'uuid' },
  once: {
    kind: 'text',
    currency: 'text',
    paymentId: orNull('uuid'),
    transactionId: orNull('uuid'),
    happenedAt: 'timestamptz',
  },
});

/** Its lines. */
export const ENTRY = tableOf<Entry>('entry', {
  key: { payeeId: 'uuid', movementId: 'uuid', line: 'smallint' },
  once: {
    side: 'text',
    currency: 'text',
    amount: 'bigint',
    accountId: orNull('uuid'),
    sequence: orNull('bigint'),
    balance: orNull('bigint'),
  },
});
