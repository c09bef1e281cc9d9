import type { ThreeDSServer } from '../../src/issuers/acquirers/acquirers.types.ts';
import type { AskedTerms, AuthenticationTerms } from '../../src/issuers/authentication/three-ds.types.ts';
import { SANDBOX_ACQUIRER, sandboxAgreement } from './issuer.rules.ts';

/** Brands that the test directory server knows, with the path of each one's address. */
const SCHEMES = { Visa: '/visa', Mastercard: '/mastercard' } as const;

/** How the sandbox speaks with the test directory server, which it brings along: in the clear, on this machine. */
export function sandboxServer(port: number): ThreeDSServer {
  return {
    serverReferenceNumber: 'KONTOR-SANDBOX',
    operatorId: 'KONTOR-SANDBOX',
    resultsUrl: 'http://127.0.0.1/3ds/results',
    resultsPort: 0,
    tls: 'none',
    directoryServers: Object.entries(SCHEMES).map(([scheme, path]) => ({
      scheme,
      url: `http://127.0.0.1:${port}${path}`,
      tls: 'none',
      answerMs: SANDBOX_DIRECTORY_ANSWER_MS,
    })),
  };
}

/** Shorter than elsewhere, so that a directory server that does not answer can be tried by hand. */
const SANDBOX_DIRECTORY_ANSWER_MS = 3_000;

/** In the sandbox every payee is known to the test directory server. */
export function sandboxTerms({ payeeId, brand }: AskedTerms): AuthenticationTerms | undefined {
  if (!Object.hasOwn(SCHEMES, brand)) return undefined;
  const { acquiringInstitution, withoutShift } = SANDBOX_ACQUIRER;
  const agreement = sandboxAgreement(payeeId);
  return {
    merchant: {
      acquirerBin: acquiringInstitution,
      merchantId: agreement.merchantId,
      requestorId: payeeId.slice(-12),
      requestorName: agreement.merchant.name,
    },
    agreement,
    withoutShift,
    // Most test cards do not take part, and what they leave to be charged later is to be tried too.
    refusesMandates: false,
  };
}
