import { constants, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server, TlsOptions } from 'node:tls';

/** PEM: the certificate followed by those that vouch for it, and its private key. */
export interface CertificatePair {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Where a certificate and its key lie, as absolute paths. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Forward secrecy and authenticated encryption only (PCI DSS 4.0.1, 4.2.1; OWASP ASVS 5, 12.1.2). Node's own list has
 * CBC with SHA-1 in it.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
];

/** Options of an HTTPS server that speaks TLS 1.2 and 1.3, in our order of ciphers, without renegotiation. */
export function secureServerOptions({ cert, key }: CertificatePair): TlsOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: CIPHERS.join(':'),
    honorCipherOrder: true,
    ecdhCurve: 'X25519:P-256:P-384',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/**
 * Reads a certificate and its key.
 *
 * @throws Error where they do not belong together: OpenSSL takes a certificate and a key of different kinds for halves
 *   of two pairs, says nothing, and then refuses every client
 * @throws the file system's or OpenSSL's error where one cannot be read
 */
export function readCertificate({ certFile, keyFile }: CertificateFiles): CertificatePair {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error(`The certificate in ${certFile} and the key in ${keyFile} do not belong together.`);
  }
  return pair;
}

/**
 * Makes a running server use the certificate that now lies in the files; connections that are open keep theirs.
 *
 * @throws Error where the files cannot be used, as between the two writes of a renewal: the server then goes on with the
 *   certificate that it has
 */
export function reloadCertificate(server: Server, files: CertificateFiles): void {
  server.setSecureContext(secureServerOptions(readCertificate(files)));
}
