import { MAC_KEY_BYTES } from '../../../iso8583/dialects/dialect.types.ts';
import { HELD_CARD_DAYS } from '../../../kit/cards/card-payment-limits.ts';
import { validityFindings } from '../../../kit/certificates.ts';
import { advice, type Finding, ok, problem } from '../../../kit/findings.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import type { Acquirer, AcquirerFiles, AcquirersSetup, MutualTls } from '../acquirers.types.ts';
import { goesBack } from './repeated-hour.rules.ts';

/** Looks at the certificates and keys that a file names. */
export function checkSecretFiles(setup: AcquirersSetup, files: AcquirerFiles, now: Date): readonly Finding[] {
  const lines = securedLines(setup).flatMap(([name, tls]) => checkLine(name, tls, { files, now }));
  return [...lines, ...setup.acquirers.flatMap((acquirer) => checkMacKey(acquirer, setup, files))];
}

function checkMacKey({ id, macKey }: Acquirer, { dialects }: AcquirersSetup, files: AcquirerFiles): readonly Finding[] {
  const mac = dialects.get(id)?.mac;
  if (mac === undefined || macKey === undefined) return [];
  try {
    files.macKey(macKey, MAC_KEY_BYTES[mac.algorithm]);
    return [ok(`Acquirer ${id}: the key of its message authentication codes can be used.`)];
  } catch (error) {
    if (error instanceof Trouble) return [problem(`Acquirer ${id}: ${error.message}`)];
    throw error;
  }
}

/** Our own certificate on each line that uses TLS, with when it expires (ISO 8601). */
export function certificatesOnLines(
  setup: AcquirersSetup,
  files: AcquirerFiles,
): readonly { readonly name: string; readonly to: string }[] {
  return securedLines(setup).flatMap(([name, tls]) =>
    files
      .validity(tls.cert)
      .slice(0, 1)
      .map(({ to }) => ({ name, to })),
  );
}

function securedLines({ acquirers, threeDS }: AcquirersSetup): readonly (readonly [name: string, tls: MutualTls])[] {
  const lines = [
    ...acquirers.map(({ id, tls }) => [`Acquirer ${id}`, tls] as const),
    ...(threeDS === undefined ? [] : [['3-D Secure', threeDS.tls] as const]),
    ...(threeDS?.directoryServers ?? []).map(({ scheme, tls }) => [`Directory server ${scheme}`, tls] as const),
  ];
  return lines.flatMap(([name, tls]) => (tls === 'none' ? [] : [[name, tls] as const]));
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

/**
 * Looks at when business days begin. A cut-over in the hour that comes twice begins a day, goes back to the one before, and begins it again.
 */
export function checkCutOvers({ acquirers }: Pick<AcquirersSetup, 'acquirers'>, now: Date): readonly Finding[] {
  return acquirers
    .filter((acquirer) => goesBack(acquirer, now.getTime()))
    .map(({ id, cutOver }) =>
      problem(
        `The cutOver ${cutOver} of acquirer ${id} is in the hour that comes twice when clocks are set back: its business day would go ` +
          'back. Agree with the acquirer on another time.',
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
    const found = [...files.validity(tls.cert).slice(0, 1), ...files.validity(tls.ca)].flatMap((validity) =>
      validityFindings(name, validity, now),
    );
    if (found.length > 0) return found;
    return [ok(`${name}: certificates and key can be used.`)];
  } catch (error) {
    if (error instanceof Trouble) return [problem(`${name}: ${error.message}`)];
    throw error;
  }
}
