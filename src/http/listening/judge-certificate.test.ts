import { expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/certificates.ts';
import { type CertificateUse, judgeCertificate } from './judge-certificate.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-15T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const authority = makeCertificate({ name: 'Test CA', from: inDays(-1), to: inDays(400) });
const HOST = 'pay.example.com';

function judge(
  terms: { readonly name?: string; readonly from?: Date; readonly to?: Date; readonly isSelfSigned?: boolean },
  use: Partial<CertificateUse> = {},
) {
  const { name = HOST, from = inDays(-1), to = inDays(300), isSelfSigned = false } = terms;
  const { cert } = makeCertificate({ name, from, to, ...(isSelfSigned ? {} : { by: authority }) });
  return judgeCertificate('KONTOR_TLS_CERT', cert, { publicHost: HOST, isBehindProxy: false, now: NOW, ...use });
}

test('a certificate that clients take brings no finding', () => {
  expect(judge({})).toEqual([]);
  expect(judge({ name: 'inside' }, { publicHost: undefined })).toEqual([]);
});

test.each([
  ['has expired', { to: inDays(-0.5) }, 'problem', 'has expired'],
  ['is not valid yet', { from: inDays(1) }, 'problem', 'is not valid yet'],
  ['is nearly over', { to: inDays(29.5) }, 'advice', 'is valid for 29 more days'],
  ['is for another host', { name: 'www.example.com' }, 'problem', 'is not for the host in KONTOR_PUBLIC_URL'],
] as const)('one that %s is named', (_what, terms, level, words) => {
  expect(judge(terms)).toEqual([{ level, text: expect.stringContaining(words) }]);
});

test('a proxy may know the service by another name', () => {
  expect(judge({ name: 'inside' }, { isBehindProxy: true })).toEqual([
    { level: 'advice', text: expect.stringContaining('is not for the host') },
  ]);
});

test('one that signed itself is named', () => {
  expect(judge({ isSelfSigned: true, name: HOST }, { publicHost: undefined })).toEqual([
    { level: 'advice', text: expect.stringContaining('self-signed') },
  ]);
});
