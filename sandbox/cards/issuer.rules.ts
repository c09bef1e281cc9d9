import type { Acquirer, Agreement } from '../../src/issuers/acquirers/acquirers.types.ts';
import { ACQUIRER_DEFAULTS } from '../../src/issuers/acquirers/file/acquirers-file.rules.ts';
import { type AcquirerLine, acquirerIssuer } from '../../src/issuers/issuers.rules.ts';
import type { Issuer } from '../../src/issuers/issuers.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { CURRENCY_CODES } from '../../src/kit/money.ts';
import { CARD_BRANDS } from '../../src/vault/brands.rules.ts';
import { SANDBOX_CARD_RANGES } from './card-ranges.rules.ts';

/** Milliseconds that it has to answer: a person who tries something out does not wait long. */
const ANSWER_MS = 4_000;

/** The test acquirer that a sandbox brings along. It takes any free port, so its address is known once it listens. */
export const SANDBOX_ACQUIRER: Acquirer = {
  ...ACQUIRER_DEFAULTS,
  id: 'sandbox',
  name: 'Sandbox acquirer',
  dialect: 'iso93',
  host: '127.0.0.1',
  port: 0,
  acquiringInstitution: '957800',
  forwardingInstitution: '957801',
  tls: 'none',
  answerMs: ANSWER_MS,
  operations: ['Authorize', 'Purchase', 'Verify', 'Credit', 'Capture', 'Cancel', 'Reversal'],
  // Most test cards do not take part in 3-D Secure, and are to be tried too.
  withoutShift: 'attempt',
  // Tokens that were brought along have no scheme transaction id, and are to be tried too.
  withoutSchemeReference: 'send',
  // Not all, so that an exemption that is not agreed can be tried too.
  exemptions: ['LowValue', 'RiskAnalysis', 'TrustedPayee'],
  // About what the law has in euros.
  exemptionLimits: {
    LowValue: { NOK: 300_00, SEK: 300_00, DKK: 225_00, GBP: 25_00, USD: 30_00 },
    RiskAnalysis: { NOK: 5_000_00, SEK: 5_000_00, DKK: 3_700_00, GBP: 440_00, USD: 500_00 },
  },
  cutOver: '23:00',
  timeZone: 'Europe/Oslo',
  testHost: true,
};

const EVERY_PAYEE: Omit<Agreement, 'payeeId'> = {
  id: SANDBOX_ACQUIRER.id,
  acquirer: SANDBOX_ACQUIRER.id,
  priority: 1,
  merchantId: '000000000000001',
  terminalIds: ['SANDBOX1', 'SANDBOX2'],
  terminalChannels: { SANDBOX2: ['MailOrPhone'] },
  mcc: '5999',
  merchant: { name: 'Sandbox', street: 'Storgata 1', city: 'Oslo', postalCode: '0155', country: 'NOR' },
  currencies: CURRENCY_CODES,
  brands: CARD_BRANDS,
  bins: SANDBOX_CARD_RANGES.map(({ prefix }) => prefix),
  closed: false,
  threeDS: {},
  allowNo3DSecure: true,
};

/** In the sandbox every payee has the test acquirer. */
export function sandboxAgreement(payeeId: PayeeId): Agreement {
  return { ...EVERY_PAYEE, payeeId };
}

/** The test acquirer as an issuer, under whose agreement every payee is. */
export function sandboxIssuer(line: AcquirerLine): Issuer {
  return {
    ...acquirerIssuer(SANDBOX_ACQUIRER, line, []),
    issuerName: 'Sandbox issuer',
    prefixes: EVERY_PAYEE.bins,
    agreementsOf: (payeeId) => [sandboxAgreement(payeeId)],
  };
}
