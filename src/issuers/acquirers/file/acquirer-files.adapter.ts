import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { validityOf } from '../../../kit/certificates.ts';
import { refuseExposed } from '../../../kit/exposed-file.ts';
import { Secret } from '../../../kit/secret.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import type { AcquirerFiles, MutualTls } from '../acquirers.types.ts';

/** Bytes of a file: of twenty thousand agreements, a kilobyte each. */
const FILE_BYTES = 20 * 1024 * 1024;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g;

/** The files of this machine. */
export const ACQUIRER_FILES: AcquirerFiles = {
  text: (path) => read(path)?.toString('utf8'),
  tls: readTls,
  macKey: readMacKey,
  validity: (path) => certificatesOf(path, pemOf(path)).map(validityOf),
};

function readTls(files: MutualTls): MutualTls {
  const ca = pemOf(files.ca);
  const cert = pemOf(files.cert);
  const key = pemOf(files.key, refuseExposed);
  certificatesOf(files.ca, ca);
  const [own] = certificatesOf(files.cert, cert);
  if (own?.checkPrivateKey(privateKeyOf(files.key, key)) !== true) {
    throw new Trouble(`The certificate in ${files.cert} and the key in ${files.key} do not belong together.`);
  }
  return { ca, cert, key };
}

function readMacKey(path: string, bytes: readonly number[]): Secret {
  const hex = pemOf(path, refuseExposed).trim();
  if (hex.length > 1_000 || !/^[0-9A-Fa-f]*$/.test(hex) || !bytes.some((count) => hex.length === 2 * count)) {
    throw new Trouble(`The key in ${path} must have ${bytes.join(' or ')} bytes, written as hexadecimal digits.`);
  }
  return new Secret(hex);
}

function privateKeyOf(path: string, pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's own message is left out: it names functions, and the file could be anything.
    throw new Trouble(`The key in ${path} cannot be read (not PEM).`);
  }
}

function certificatesOf(path: string, pem: string): readonly X509Certificate[] {
  try {
    const found = pem.match(CERTIFICATES) ?? [];
    if (found.length > 0) return found.map((one) => new X509Certificate(one));
  } catch {
    // As where there is none.
  }
  throw new Trouble(`The certificate in ${path} cannot be read (not PEM).`);
}

/** A file with a key or certificates in it. What stands around its blocks may be in any encoding. */
function pemOf(path: string, check?: typeof refuseExposed): string {
  const content = read(path, check);
  if (content === undefined) throw new Trouble(`There is no file ${path}.`);
  return content.toString('latin1');
}

/** Undefined where there is none. What is checked is the open file: another one may have the path a moment later. */
function read(path: string, check?: typeof refuseExposed): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const facts = fstatSync(file);
    check?.(path, facts);
    if (facts.size > FILE_BYTES) throw new Trouble(`The file ${path} has more than ${FILE_BYTES} bytes.`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Trouble) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Trouble(`The file ${path} cannot be read (${code ?? 'error'}).`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
