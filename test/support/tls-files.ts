import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateFiles } from '../../src/http/listening/tls.ts';

/** Copies of the test certificates whose keys only their owner may read: a checkout keeps no such modes. */
export interface TlsFiles {
  of(kind: 'ecdsa' | 'rsa'): CertificateFiles;
  remove(): void;
}

export function tlsFiles(): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-tls-'));
  cpSync(join(import.meta.dirname, 'tls'), folder, { recursive: true });
  for (const kind of ['ecdsa', 'rsa']) chmodSync(join(folder, `${kind}.key.pem`), 0o600);
  return {
    of: (kind) => ({ certFile: join(folder, `${kind}.cert.pem`), keyFile: join(folder, `${kind}.key.pem`) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
