import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { SealedBatch, SealForPrinter } from './bulk.types.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** NIST SP 800-57 wants 112 bits of strength at least. */
const LEAST_RSA_BITS = 2048;
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;

/**
 * Reads a printer's public key and gives what seals lines of cards to it: each batch under a key of its own (AES-256-GCM), which the
 * printer's key wraps (RSA-OAEP with SHA-256). What stands beside it in the clear is authenticated too.
 *
 * @param path a PEM file with an RSA public key or a certificate
 * @throws Trouble where it is none
 */
export async function readPrinterKey(path: string): Promise<SealForPrinter> {
  const key = await readKey(path, publicKeyOf, 'an RSA public key or a certificate');
  return (lines, clear) => {
    const [dataKey, iv] = [randomBytes(KEY_BYTES), randomBytes(IV_BYTES)];
    const cipher = createCipheriv(CIPHER, dataKey, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(clear));
    const data = Buffer.concat([cipher.update(lines.reveal(), 'utf8'), cipher.final()]);
    const sealed = {
      key: publicEncrypt({ key, ...OAEP }, dataKey).toString('base64'),
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    };
    dataKey.fill(0);
    return `${JSON.stringify({ ...clear, ...sealed })}\n`;
  };
}

/**
 * Reads the private key that a file of cards was sealed to, and gives what opens a batch.
 *
 * @throws Trouble where it is none; the opener, where the batch was altered or is another key's
 */
export async function readPrivateKey(path: string): Promise<(batch: SealedBatch) => Secret> {
  const key = await readKey(path, (pem) => createPrivateKey(pem), 'an RSA private key');
  return ({ key: wrapped, iv, tag, data, ...clear }) => {
    try {
      const dataKey = privateDecrypt({ key, ...OAEP }, Buffer.from(wrapped, 'base64'));
      const decipher = createDecipheriv(CIPHER, dataKey, Buffer.from(iv, 'base64'), { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(clear));
      decipher.setAuthTag(Buffer.from(tag, 'base64'));
      return new Secret(Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString());
    } catch {
      throw new Trouble('The file does not open with this key, or it was altered.');
    }
  };
}

function boundTo({ version, format, balance, currency, accounts }: Omit<SealedBatch, 'key' | 'iv' | 'tag' | 'data'>) {
  return Buffer.from(JSON.stringify([version, format, balance, currency, accounts]));
}

/** The text of a sealed file, whose lines are JSON. */
export async function readSealedFile(path: string): Promise<Secret> {
  return new Secret((await read(path)).toString('latin1'));
}

function read(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${path} cannot be read (${error.code}).`);
  });
}

async function readKey(path: string, parse: (pem: Buffer) => KeyObject, what: string): Promise<KeyObject> {
  const pem = await read(path);
  const key = parsed(pem, parse);
  if (key?.asymmetricKeyType !== 'rsa') throw new Trouble(`${path} must be a PEM file with ${what}.`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < LEAST_RSA_BITS)
    throw new Trouble(`${path} has a key of ${bits} bits; it must have ${LEAST_RSA_BITS} at least.`);
  return key;
}

/** Of a private key it would make its public one; that key has no place here, where files are sealed. */
function publicKeyOf(pem: Buffer): KeyObject {
  if (pem.includes('PRIVATE KEY'))
    throw new Trouble('That is a private key: it stays at the printer. Name its public key or a certificate.');
  return createPublicKey(pem);
}

/** The message of what cannot be parsed may quote it. */
function parsed(pem: Buffer, parse: (pem: Buffer) => KeyObject): KeyObject | undefined {
  try {
    return parse(pem);
  } catch (error) {
    if (error instanceof Trouble) throw error;
    return undefined;
  }
}
