import { orNull, tableOf } from '../db/rows/tables.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import type { TakenStep } from './cards/life.types.ts';
import type { GiftCard } from './gift-cards.types.ts';

/** Gift cards. What changes of a card is its end. */
export const GIFT_CARD = tableOf<GiftCard, AccountKey>('gift_card', {
  key: { payeeId: 'uuid', accountId: 'uuid' },
  once: {
    productId: 'text',
    numberSealed: 'bytea',
    emailSealed: orNull('bytea'),
    msisdnSealed: orNull('bytea'),
    sealedWith: 'text',
    issuedAt: 'timestamptz',
    inactiveUntilSold: 'boolean',
    payerReference: orNull('text'),
  },
  always: {
    eventSequence: 'bigint',
  },
  later: {
    voidedAt: orNull('timestamptz'),
    mergedAt: orNull('timestamptz'),
    mergedInto: orNull('uuid'),
    replacedAt: orNull('timestamptz'),
    replacedBy: orNull('uuid'),
    sweptAt: orNull('timestamptz'),
  },
  read: {
    extendedTo: orNull('date'),
  },
});

/** What was asked of their lives. */
export const GIFT_CARD_STEP = tableOf<TakenStep>('gift_card_step', {
  key: { payeeId: 'uuid', transactionRef: 'text' },
  once: {
    accountId: 'uuid',
    step: 'text',
    reason: orNull('text'),
    mergedInto: orNull('uuid'),
    until: orNull('date'),
  },
  apart: {
    happenedAt: 'timestamptz',
  },
});
