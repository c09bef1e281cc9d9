import { advice, type Finding, problem } from './findings.ts';

/** Days before a certificate ends on which there is still time for another one. */
const RENEWAL_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whom a certificate names, and from when to when it is valid (ISO 8601, UTC). */
export interface Validity {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

/** Reads the validity of a certificate, as `X509Certificate` of Node tells it. */
export function validityOf(certificate: {
  readonly subject: string | undefined;
  readonly validFrom: string;
  readonly validTo: string;
}): Validity {
  return {
    subject: certificate.subject?.split('\n').at(-1) ?? '',
    from: new Date(certificate.validFrom).toISOString(),
    to: new Date(certificate.validTo).toISOString(),
  };
}

/** Says of a certificate that it is not valid at this moment, or will soon be none; else nothing. */
export function validityFindings(name: string, { subject, from, to }: Validity, now: Date): readonly Finding[] {
  const days = Math.floor((Date.parse(to) - now.getTime()) / DAY_MS);
  const words = `${name}: the certificate of ${subject}`;
  if (Date.parse(from) > now.getTime()) return [problem(`${words} is not valid yet.`)];
  if (Date.parse(to) <= now.getTime()) return [problem(`${words} has expired.`)];
  return days < RENEWAL_DAYS ? [advice(`${words} is valid for ${days} more days.`)] : [];
}
