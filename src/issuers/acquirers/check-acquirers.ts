import { HELD_CARD_DAYS } from '../../kit/cards/card-payment-limits.ts';
import { advice, type Finding, ok, problem } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AcquirerFiles, AcquirersSetup, MutualTls } from './acquirers.types.ts';

/** Days before a certificate ends on which there is still time for another one. */
const RENEWAL_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Looks at the certificates and keys that a file names. */
export function checkSecretFiles(setup: AcquirersSetup, files: AcquirerFiles, now: Date): readonly Finding[] {
  const { acquirers, threeDS } = setup;
  const lines: readonly (readonly [name: string, tls: MutualTls | 'none'])[] = [
    ...acquirers.map(({ id, tls }) => [`Acquirer ${id}`, tls] as const),
    ...(threeDS === undefined ? [] : [['3-D Secure', threeDS.tls] as const]),
    ...(threeDS?.directoryServers ?? []).map(({ scheme, tls }) => [`Directory server ${scheme}`, tls] as const),
  ];
  return lines.flatMap(([name, tls]) => (tls === 'none' ? [] : checkLine(name, tls, { files, now })));
}

/** Says of each acquirer that wants cards again that their numbers are kept for it, and how long. */
export function checkKeptCards({ acquirers }: Pick<AcquirersSetup, 'acquirers'>): readonly Finding[] {
  const wanting = acquirers.filter(({ needCard }) => needCard.length > 0);
  return wanting.map(({ id, needCard }) =>
    advice(
      `Acquirer ${id} wants cards again for ${needCard.join(', ')}: their numbers are kept sealed until nothing can follow, for ${HELD_CARD_DAYS} days at most.`,
    ),
  );
}

interface Looking {
  readonly files: AcquirerFiles;
  readonly now: Date;
}

function checkLine(name: string, tls: MutualTls, { files, now }: Looking): readonly Finding[] {
  try {
    files.tls(tls);
    const found = [...files.validity(tls.cert).slice(0, 1), ...files.validity(tls.ca)].flatMap(
      ({ subject, from, to }) => {
        const days = Math.floor((Date.parse(to) - now.getTime()) / DAY_MS);
        if (Date.parse(from) > now.getTime())
          return problem(`${name}: the certificate of ${subject} is not valid yet.`);
        if (Date.parse(to) <= now.getTime()) return problem(`${name}: the certificate of ${subject} has expired.`);
        if (days < RENEWAL_DAYS)
          return advice(`${name}: the certificate of ${subject} is valid for ${days} more days.`);
        return [];
      },
    );
    if (found.length > 0) return found;
    return [ok(`${name}: certificates and key can be used.`)];
  } catch (error) {
    if (error instanceof Trouble) return [problem(`${name}: ${error.message}`)];
    throw error;
  }
}
