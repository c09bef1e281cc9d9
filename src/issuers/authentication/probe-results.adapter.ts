import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ThreeDSServer } from '../acquirers/acquirers.types.ts';
import type { FoundOnPort } from './three-ds.types.ts';

/** Milliseconds that a port of this machine is waited for. */
const PROBE_MS = 2_000;

/**
 * Looks who listens on the port for results: whose certificate is shown there. Never rejects.
 *
 * @param cert ours, as PEM
 * @param host where the service listens
 */
export function probeResults(
  { resultsPort }: Pick<ThreeDSServer, 'resultsPort'>,
  { cert, host }: { readonly cert: string; readonly host: string },
): Promise<FoundOnPort> {
  return new Promise((resolve) => {
    const own = new X509Certificate(cert);
    let isConnected = false;
    // Whose it is counts, and not whether it would be trusted.
    const socket = connect({ host: reachableAt(host), port: resultsPort, rejectUnauthorized: false });
    const found = (what: FoundOnPort) => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(PROBE_MS, () => found(isConnected ? 'NoTls' : 'Nothing'));
    socket.on('connect', () => {
      isConnected = true;
    });
    // Before the server has looked for a certificate of ours, which it may refuse.
    socket.on('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      found(shown?.fingerprint256 === own.fingerprint256 ? 'Ours' : 'Another');
    });
    socket.on('error', () => found(isConnected ? 'NoTls' : 'Nothing'));
  });
}

/** Whether a certificate (PEM) is for the name that directory servers post results to. */
export function hasNameOf(cert: string, resultsUrl: string): boolean {
  const name = new URL(resultsUrl).hostname.replace(/^\[|\]$/g, '');
  const certificate = new X509Certificate(cert);
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

/** A host that listens everywhere listens on this machine too. */
function reachableAt(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}
