import { expect, test } from 'vitest';
import { retrievalReferenceOf, timesOf } from './times.ts';

const AT = new Date('2026-03-09T10:15:28.999Z');

test('the times of a message are of UTC, or of the acquirer’s zone', () => {
  expect(timesOf(AT, 'UTC')).toEqual({ transmittedAt: '0309101528', sentAt: '260309101528' });
  expect(timesOf(AT, 'Europe/Oslo')).toEqual({ transmittedAt: '0309101528', sentAt: '260309111528' });
  expect(timesOf(new Date('2026-07-31T23:30:00Z'), 'Europe/Helsinki').sentAt).toBe('260801023000');
});

test('a retrieval reference is made of year, day, hour and STAN', () => {
  expect(retrievalReferenceOf(AT, '000101')).toBe('606810000101');
  expect(retrievalReferenceOf(new Date('2026-04-09T06:00:00Z'), '000102')).toBe('609906000102');
  expect(retrievalReferenceOf(new Date('2028-12-31T23:59:59Z'), '999999')).toBe('836623999999');
});
