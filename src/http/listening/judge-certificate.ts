import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { validityFindings, validityOf } from '../../kit/certificates.ts';
import { advice, type Finding, problem } from '../../kit/findings.ts';

/** What the service's own certificate is for. */
export interface CertificateUse {
  /** The host in `KONTOR_PUBLIC_URL`; undefined if it is not set. */
  readonly publicHost: string | undefined;
  /** Whether clients reach the service through a proxy, which looks at the certificate in their place. */
  readonly isBehindProxy: boolean;
  readonly now: Date;
}

/**
 * Judges the service's own certificate as a client would: its dates, its names and who signed it.
 *
 * @param pem the certificate, followed by those that vouch for it
 */
export function judgeCertificate(
  name: string,
  pem: string | Buffer,
  { publicHost, isBehindProxy, now }: CertificateUse,
): readonly Finding[] {
  const certificate = new X509Certificate(pem);
  // A proxy may know the instance by another name, and may be told which certificate to trust.
  const refused = isBehindProxy ? advice : problem;
  const isNamed = publicHost === undefined || isFor(certificate, publicHost);
  return [
    ...validityFindings(name, validityOf(certificate), now),
    ...(isNamed
      ? []
      : [refused(`${name}: the certificate is not for the host in KONTOR_PUBLIC_URL, so clients refuse it.`)]),
    ...(certificate.checkIssued(certificate)
      ? [advice(`${name}: the certificate is self-signed. Clients refuse it unless they are told to trust it.`)]
      : []),
  ];
}

function isFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}
