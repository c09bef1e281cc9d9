import { expect, test } from 'vitest';
import { reasonOf } from './line-reasons.rules.ts';

const OPENING = { hasTls: true, wasSigningOn: false };
const SIGNING_ON = { hasTls: true, wasSigningOn: true };

test.each([
  ['ECONNREFUSED', OPENING, 'NothingListens'],
  ['ENOTFOUND', OPENING, 'NameUnknown'],
  ['CERT_HAS_EXPIRED', OPENING, 'CertificateExpired'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', OPENING, 'CertificateAuthority'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', OPENING, 'OursRefused'],
  ['', SIGNING_ON, 'OursRefused'],
  ['ECONNRESET', SIGNING_ON, 'OursRefused'],
  ['ECONNRESET', OPENING, 'Ended'],
  // Without TLS the host has seen no certificate of ours.
  ['', { hasTls: false, wasSigningOn: true }, 'Ended'],
  ['ERR_OSSL_UNSUPPORTED', OPENING, 'Unknown'],
  ['constructor', OPENING, 'Unknown'],
])('a line that was lost with %j, %j: %s', (cause, line, reason) => {
  expect(reasonOf({ cause, ...line })).toBe(reason);
});
