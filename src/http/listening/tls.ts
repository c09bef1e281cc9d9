import { constants, createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import type { Server, TlsOptions } from 'node:tls';
import { refuseExposed } from '../../kit/exposed-file.ts';
import { HEADERS_TIMEOUT_MS } from '../../kit/limits.ts';
import { Trouble } from '../../kit/work/trouble.ts';

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
    handshakeTimeout: HEADERS_TIMEOUT_MS,
  };
}

/**
 * Reads a certificate and its key.
 *
 * @throws Trouble where one cannot be read, where others may read the key, or where they do not belong together: OpenSSL takes a certificate and a key
 *   of different kinds for halves of two pairs, says nothing, and then refuses every client
 */
export function readCertificate({ certFile, keyFile }: CertificateFiles): CertificatePair {
  const [cert, certificate] = readPem('certificate', certFile, (pem) => new X509Certificate(pem));
  const [key, privateKey] = readPem('key', keyFile, createPrivateKey, refuseExposed);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Trouble(`The certificate in ${certFile} and the key in ${keyFile} do not belong together.`);
  }
  return { cert, key };
}

/** A file and what is in it. OpenSSL's own message is left out: it names functions, and the file could be anything. */
function readPem<Content>(
  what: string,
  path: string,
  parse: (pem: Buffer) => Content,
  check: (path: string, file: Stats) => void = () => undefined,
): [Buffer, Content] {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // Of the open file and not of the path, which could be another file a moment later.
    check(path, fstatSync(file));
    const pem = readFileSync(file);
    return [pem, parse(pem)];
  } catch (error) {
    if (error instanceof Trouble) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'not PEM';
    throw new Trouble(`The ${what} in ${path} cannot be read (${code}). See KONTOR_TLS_CERT and KONTOR_TLS_KEY.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Makes a running server use the certificate that now lies in the files; connections that are open keep theirs.
 *
 * @returns that certificate
 * @throws Trouble where the files cannot be used, as between the two writes of a renewal: the server then goes on with the
 *   certificate that it has
 */
export function reloadCertificate(server: Server, files: CertificateFiles): CertificatePair {
  const pair = readCertificate(files);
  server.setSecureContext(secureServerOptions(pair));
  return pair;
}
