import { orNull, tableOf } from '../db/rows/tables.ts';
import type { Instrument, InstrumentRow, StoredCardRange } from './vault.types.ts';

/** Instruments, as they are shown. */
export const INSTRUMENT = tableOf<Instrument, Pick<Instrument, 'payeeId' | 'instrumentId'>>('instrument', {
  key: { payeeId: 'uuid', instrumentId: 'uuid' },
  once: {
    kind: 'text',
    brand: orNull('text'),
    bin: orNull('text'),
    lastFour: orNull('text'),
    cardType: orNull('text'),
    holderType: orNull('text'),
    issuerName: orNull('text'),
    countryCode: orNull('text'),
    masked: 'text',
  },
});

/** What opens and finds them. */
export const INSTRUMENT_KEYS = tableOf<Omit<InstrumentRow, 'instrument'>>('instrument', {
  key: {},
  once: { fingerprint: 'bytea', fingerprintKeyId: 'text', sealed: 'bytea', cardDataKeyId: 'text' },
  apart: { createdAt: 'timestamptz' },
});

/** What numbers say by their first digits. */
export const CARD_RANGE = tableOf<StoredCardRange>('card_range', {
  key: { prefix: 'text', source: 'text' },
  once: {
    brand: 'text',
    cardType: orNull('text'),
    holderType: orNull('text'),
    issuerName: orNull('text'),
    countryCode: orNull('text'),
  },
});
