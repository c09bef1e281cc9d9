import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { judgeCertificate } from '../http/listening/judge-certificate.ts';
import type { CertificatePair } from '../http/listening/tls.ts';
import type { AcquirerLines } from '../issuers/acquirers/acquirer-lines.flow.ts';
import { ACQUIRER_FILES } from '../issuers/acquirers/file/acquirer-files.adapter.ts';
import { certificatesOnLines } from '../issuers/acquirers/file/check-acquirers.ts';
import { validityOf } from '../kit/certificates.ts';
import type { Finding } from '../kit/findings.ts';
import type { Metrics } from './metrics/metrics.ts';
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
  { acquirers }: Service,
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

/**
 * Speaks with acquirers and directory servers by the certificates and keys that lie in the files now. What cannot be used is told, and
 * those before stay in use.
 */
export async function renewCertificates(
  { acquirers, slices }: Service,
  lines: Pick<AcquirerLines, 'renew'>,
  { log, metrics }: Telling,
): Promise<void> {
  try {
    if (slices.threeDS.renewCertificates()) log.info('The certificates of 3-D Secure were read again.');
  } catch (err) {
    log.error({ err }, 'The certificates of 3-D Secure cannot be used; those before stay in use.');
  }
  for (const renewal of await lines.renew()) {
    const { acquirerId: acquirer, outcome } = renewal;
    if (outcome === 'Renewed') log.info({ acquirer }, 'The certificates and keys of an acquirer were read again.');
    if (outcome === 'NotTaken') log.error({ acquirer }, NOT_TAKEN);
    if (outcome === 'Trouble')
      log.error(
        { acquirer, err: renewal.error },
        'The certificates and keys of an acquirer cannot be used; those before stay in use.',
      );
  }
  try {
    metrics.tellCertificates(certificatesOnLines(acquirers, ACQUIRER_FILES));
  } catch {
    // What cannot be read has been told above.
  }
}

const NOT_TAKEN =
  'No line to the acquirer could be signed on with the new certificates and keys; those before stay in use. `kontor acquirers echo` says why.';

interface Telling {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly metrics: Pick<Metrics, 'tellCertificates'>;
}
