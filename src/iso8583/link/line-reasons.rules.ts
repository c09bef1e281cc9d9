import type { LineReason } from './link.types.ts';

/** Words of Node and OpenSSL for what keeps a line from being opened. */
const REASONS: Readonly<Record<string, LineReason>> = {
  ECONNREFUSED: 'NothingListens',
  ENOTFOUND: 'NameUnknown',
  EAI_AGAIN: 'NameUnknown',
  EHOSTUNREACH: 'NoWay',
  ENETUNREACH: 'NoWay',
  ETIMEDOUT: 'NotOpened',
  CERT_HAS_EXPIRED: 'CertificateExpired',
  CERT_NOT_YET_VALID: 'CertificateNotYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CertificateName',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CertificateAuthority',
  SELF_SIGNED_CERT_IN_CHAIN: 'CertificateAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'CertificateAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'CertificateAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'CertificateAuthority',
  CERT_SIGNATURE_FAILURE: 'CertificateAuthority',
  EPROTO: 'NoTls',
};

/** Ends of a line that the other side has made. */
const ENDED = ['', 'ECONNRESET', 'EPIPE'];

/** How far a line had come when it was lost. */
export interface LostLine {
  /** As the socket names it; empty where it just ended. */
  readonly cause: string;
  readonly hasTls: boolean;
  /** Whether it had been opened, and had not signed on. */
  readonly wasSigningOn: boolean;
}

/** Why a line was lost that we have not ended ourselves. */
export function reasonOf({ cause, hasTls, wasSigningOn }: LostLine): LineReason {
  const known = Object.hasOwn(REASONS, cause) ? REASONS[cause] : undefined;
  if (known !== undefined) return known;
  // With TLS 1.3 a host looks at our certificate when we think that the line is open already.
  if (cause.includes('ALERT') || (hasTls && wasSigningOn && ENDED.includes(cause))) return 'OursRefused';
  return ENDED.includes(cause) ? 'Ended' : 'Unknown';
}
