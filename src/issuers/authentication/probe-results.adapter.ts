import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { ACQUIRER_FILES } from '../acquirers/acquirer-files.adapter.ts';
import type { MutualTls, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import type { FoundOnPort } from './three-ds.types.ts';

/** Milliseconds that a port of this machine is waited for. */
const PROBE_MS = 2_000;

/** Looks who listens on the port for results: whose certificate is shown there. Never rejects. */
export function probeResults(
  { resultsPort }: Pick<ThreeDSServer, 'resultsPort'>,
  { tls, host }: { readonly tls: MutualTls; readonly host: string },
): Promise<FoundOnPort> {
  return new Promise((resolve) => {
    const own = certificateOf(tls);
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

/** Whether the certificate for results is for the name that directory servers post them to. */
export function hasNameOf(tls: MutualTls, resultsUrl: string): boolean {
  const name = new URL(resultsUrl).hostname.replace(/^\[|\]$/g, '');
  const certificate = certificateOf(tls);
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function certificateOf(tls: MutualTls): X509Certificate {
  return new X509Certificate(ACQUIRER_FILES.tls(tls).cert);
}

/** A host that listens everywhere listens on this machine too. */
function reachableAt(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}
