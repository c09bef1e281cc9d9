import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { refuseExposed } from '../../kit/exposed-file.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AcquirerFiles, MutualTls } from './acquirers.types.ts';

/** Bytes of a file: of twenty thousand agreements, a kilobyte each. */
const FILE_BYTES = 20 * 1024 * 1024;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g;

/** The files of this machine. */
export const ACQUIRER_FILES: AcquirerFiles = {
  text: (path) => read(path, () => undefined)?.toString('utf8'),
  tls: readTls,
  validity: (path) =>
    certificatesOf(
      path,
      present(
        path,
        read(path, () => undefined),
      ).toString('latin1'),
    ).map((certificate) => ({
      subject: certificate.subject.split('\n').at(-1) ?? '',
      from: new Date(certificate.validFrom).toISOString(),
      to: new Date(certificate.validTo).toISOString(),
    })),
};

function readTls(files: MutualTls): MutualTls {
  const ca = present(
    files.ca,
    read(files.ca, () => undefined),
  ).toString('latin1');
  const cert = present(
    files.cert,
    read(files.cert, () => undefined),
  ).toString('latin1');
  const key = present(files.key, read(files.key, refuseExposed)).toString('latin1');
  certificatesOf(files.ca, ca);
  const [own] = certificatesOf(files.cert, cert);
  if (own?.checkPrivateKey(privateKeyOf(files.key, key)) !== true) {
    throw new Trouble(`The certificate in ${files.cert} and the key in ${files.key} do not belong together.`);
  }
  return { ca, cert, key };
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

function present(path: string, content: Buffer | undefined): Buffer {
  if (content === undefined) throw new Trouble(`There is no file ${path}.`);
  return content;
}

/** Undefined where there is none. What is checked is the open file: another one may have the path a moment later. */
function read(path: string, check: typeof refuseExposed): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const facts = fstatSync(file);
    check(path, facts);
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
