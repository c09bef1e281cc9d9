import { assert } from '../kit/assert.ts';
import { SANDBOX_ANSWER_MS } from '../kit/limits.ts';
import { sandboxAgreement } from './exchanges.rules.ts';
import type { Issuer, Issuers } from './issuers.types.ts';

/** Prefix of the numbers of our own stored-value accounts: of ISO/IEC 7812's national range for Norway, so no scheme's. */
export const OWN_PREFIX = '957801';

const SEVEN_DAYS_SECONDS = 7 * 24 * 60 * 60;

/** Our own ledger as an issuer: stored value. */
export const LEDGER_ISSUER: Issuer = {
  issuerId: 'ledger',
  issuerName: 'Kontor',
  acquirerId: 'kontor',
  acquirerName: 'Kontor',
  settlementProvided: false,
  holdSeconds: SEVEN_DAYS_SECONDS,
  prefixes: [OWN_PREFIX],
  host: undefined,
  limits: { sendMs: 0, answerMs: 0 },
  agreementsOf: () => [],
};

/** What the sandbox's simulated acquirer says of itself. */
export const SANDBOX_ISSUER_TERMS: Omit<Issuer, 'prefixes' | 'host'> = {
  issuerId: 'sandbox',
  issuerName: 'Sandbox issuer',
  acquirerId: 'sandbox',
  acquirerName: 'Sandbox acquirer',
  settlementProvided: true,
  holdSeconds: SEVEN_DAYS_SECONDS,
  limits: { sendMs: 0, answerMs: SANDBOX_ANSWER_MS },
  agreementsOf: (payeeId) => [sandboxAgreement(payeeId)],
};

/** The issuers of an installation as one table. Their ids and prefixes must differ. */
export function issuerTable(issuers: readonly Issuer[]): Issuers {
  const byId = new Map(issuers.map((issuer) => [issuer.issuerId, issuer]));
  assert(byId.size === issuers.length, 'each issuer has an id of its own');
  const byPrefix = issuers
    .flatMap((issuer) => issuer.prefixes.map((prefix) => ({ prefix, issuer })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const external = issuers.filter(({ host }) => host !== undefined);
  return {
    all: issuers,
    externalPrefixes: external.flatMap(({ prefixes }) => prefixes),
    hasAcquirer: external.length > 0,
    forNumber: (number) => byPrefix.find(({ prefix }) => number.reveal().startsWith(prefix))?.issuer,
    named: (issuerId) => {
      const issuer = byId.get(issuerId);
      assert(issuer !== undefined, 'the issuer of every account is configured');
      return issuer;
    },
  };
}
