import { named, orNull, tableOf } from '../db/rows/tables.ts';
import type { StoredCredential } from './stored/make-tokens.types.ts';

/** What the cards of tokens are charged by later. */
export const STORED_CREDENTIAL = tableOf<StoredCredential>('stored_credential', {
  key: { payeeId: 'uuid', token: 'uuid' },
  once: {
    schemeTransactionId: 'text',
    acquirerId: named('acquirer', orNull('text')),
  },
  apart: {
    createdAt: 'timestamptz',
  },
});
