import { named, orNull, tableOf } from '../db/rows/tables.ts';
import type { BatchKey, FileLine, LineDifference, NewBatch } from './files/files.types.ts';
import type { ShareOfMovement } from './shares.types.ts';

/** Batches of acquirers' files. */
export const SETTLEMENT_BATCH = tableOf<NewBatch & { readonly now: string }>('settlement_batch', {
  key: { payeeId: 'uuid', acquirer: 'text', batchId: 'text' },
  once: {
    currency: 'text',
    digest: 'bytea',
    lines: 'bigint',
    gross: 'bigint',
    fee: 'bigint',
    payout: named('net', 'bigint'),
    now: named('imported_at', 'timestamptz'),
    name: 'text',
    merchantId: 'text',
  },
  apart: {
    movementId: orNull('uuid'),
    number: 'bigint',
    seenAt: orNull('timestamptz'),
    seenBy: orNull('text'),
    conversionIds: 'uuid[]',
  },
});

/** Their lines. */
export const SETTLEMENT_LINE = tableOf<FileLine & BatchKey>('settlement_line', {
  key: { payeeId: 'uuid', acquirer: 'text', batchId: 'text', lineId: 'text' },
  once: {
    type: 'text',
    merchantId: 'text',
    attemptReference: orNull('uuid'),
    acquirerReference: orNull('text'),
    retrievalReference: orNull('text'),
    transactionDate: orNull('date'),
    valueDate: orNull('date'),
    cardLast4: orNull('text'),
    brand: orNull('text'),
    currency: 'text',
    gross: 'bigint',
    fee: 'bigint',
    interchange: orNull('bigint'),
    schemeFee: orNull('bigint'),
    net: 'bigint',
    reasonCode: orNull('text'),
    caseId: orNull('text'),
    respondBy: orNull('date'),
    transactionCurrency: orNull('text'),
    transactionAmount: orNull('bigint'),
    exchangeRate: orNull('text'),
  },
  apart: {
    attemptId: orNull('uuid'),
    bookedBy: orNull('text'),
    disputeId: orNull('uuid'),
    disputeBefore: orNull('jsonb'),
  },
});

/** What an acquirer says otherwise. */
export const SETTLEMENT_DIFFERENCE = tableOf<LineDifference>('settlement_difference', {
  key: { payeeId: 'uuid', differenceId: 'uuid' },
  once: {
    kind: 'text',
    acquirer: 'text',
    agreement: 'text',
    currency: 'text',
    day: orNull('date'),
    attemptId: orNull('uuid'),
    batchId: orNull('text'),
    lineId: orNull('text'),
    ours: orNull('bigint'),
    theirs: orNull('bigint'),
    now: named('opened_at', 'timestamptz'),
    theirCurrency: orNull('text'),
  },
  apart: {
    state: 'text',
    closedAt: orNull('timestamptz'),
    reason: orNull('text'),
    outcome: orNull('text'),
    movementId: orNull('uuid'),
    curedBy: orNull('text'),
    withdrawalId: orNull('uuid'),
  },
});

/** Whose part of a movement is whose. */
export const SETTLEMENT_SHARE = tableOf<ShareOfMovement>('settlement_share', {
  key: { payeeId: 'uuid', movementId: 'uuid', agreement: 'text' },
  once: {
    amount: 'bigint',
  },
});
