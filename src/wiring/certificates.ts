import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { judgeCertificate } from '../http/listening/judge-certificate.ts';
import type { CertificatePair } from '../http/listening/tls.ts';
import { ACQUIRER_FILES } from '../issuers/acquirers/acquirer-files.adapter.ts';
import { certificatesOnLines } from '../issuers/acquirers/check-acquirers.ts';
import { validityOf } from '../kit/certificates.ts';
import type { Finding } from '../kit/findings.ts';
import type { Metrics } from './metrics.ts';
import type { Service } from './service.ts';

/** What the service's own certificate is called in findings and metrics. */
const OWN = 'KONTOR_TLS_CERT';

/** Judges the service's own certificate by the settings. */
export function certificateFindings(config: Config, { cert }: CertificatePair): readonly Finding[] {
  const { publicUrl, trustedProxies } = config;
  return judgeCertificate(OWN, cert, {
    publicHost: publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''),
    isBehindProxy: !trustedProxies.isEmpty,
    now: new Date(),
  });
}

/**
 * Makes what tells the log and the metrics about certificates, when the service starts and when its certificate is read again.
 * A certificate that clients refuse keeps nothing from starting: a proxy may take it all the same.
 */
export function judgeCertificates(
  config: Config,
  { acquirers }: Pick<Service, 'acquirers'>,
  {
    log,
    metrics,
  }: { readonly log: Pick<Logger, 'warn' | 'error'>; readonly metrics: Pick<Metrics, 'tellCertificates'> },
): (own: CertificatePair | undefined) => void {
  metrics.tellCertificates(certificatesOnLines(acquirers, ACQUIRER_FILES));
  return (own) => {
    if (own === undefined) return;
    const { to } = validityOf(new X509Certificate(own.cert));
    metrics.tellCertificates([{ name: OWN, to }]);
    for (const { level, text } of certificateFindings(config, own)) log[level === 'problem' ? 'error' : 'warn'](text);
  };
}
