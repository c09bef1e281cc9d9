import { orNull, tableOf } from '../db/rows/tables.ts';
import type { AuditRow, EventRow } from './journal.types.ts';

/** The audit trail. */
export const AUDIT = tableOf<AuditRow>('audit', {
  key: { payeeId: 'uuid', auditId: 'uuid' },
  once: {
    actorKind: 'text',
    actorId: orNull('text'),
    action: 'text',
    objectKind: 'text',
    objectId: 'text',
    sessionId: orNull('uuid'),
    details: 'jsonb',
  },
  apart: {
    happenedAt: 'timestamptz',
  },
});

/** What has happened. */
export const EVENT = tableOf<EventRow>('event', {
  key: { payeeId: 'uuid', eventId: 'uuid' },
  once: {
    type: 'text',
    resourceKind: 'text',
    resourceId: 'text',
    resourceSequence: 'bigint',
    payload: 'jsonb',
    callbackUrl: orNull('text'),
    callbackBody: orNull('jsonb'),
  },
  // Never before that of the event before.
  read: {
    happenedAt: 'timestamptz',
  },
});
