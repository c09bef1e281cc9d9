import { expect, test } from 'vitest';
import { retrievalReferenceOf, takeBackReasonOf } from './exchanges.rules.ts';

test.each([
  ['2026-03-09T10:15:28Z', '000101', '606810000101'],
  ['2026-01-01T00:00:00Z', '000001', '600100000001'],
  ['2028-02-29T23:59:59Z', '999900', '806023999900'],
  ['2028-03-01T00:00:00Z', '000007', '806100000007'],
  ['2030-12-31T07:00:00Z', '012345', '036507012345'],
])('a payment that began at %s with the number %s has the reference %s', (sentAt, stan, reference) => {
  expect(retrievalReferenceOf(sentAt, stan)).toBe(reference);
});

const SILENT = {
  state: 'Silent',
  approvedAmount: null,
  approvalCode: null,
  schemeTransactionId: null,
  answeredAt: null,
} as const;

test.each([
  ['no answer came', {}, 'Silence'],
  ['it came too late', { answeredAt: '2026-03-09T10:15:28Z' }, 'TooLate'],
  ['it could not be used', { state: 'Answered' }, 'NotUsable'],
  ['it approved a part', { state: 'Answered', approvalCode: 'A00001', approvedAmount: 1 as never }, 'Partial'],
  ['the payee does not take the approval', { state: 'Answered', approvalCode: 'A00001' }, 'Refused'],
  ['nor one without a code, of a verification', { state: 'Answered', schemeTransactionId: '1' }, 'Refused'],
] as const)('a question is taken back because %s', (_why, found, reason) => {
  expect(takeBackReasonOf({ ...SILENT, ...found })).toBe(reason);
});
