import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { KeyExport } from '../keys.types.ts';

/** 128 MiB and about half a second for each guess (OWASP Password Storage: N = 2^17, r = 8, p = 1). */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** scrypt needs 128 * N * r bytes, and the runtime refuses more than this. */
const MEMORY_BYTES = 256 * 1024 * 1024;
const FORMAT = 'kontor-key-export-1';
const CIPHER = 'aes-256-gcm';

/** Texts are base64. */
interface SealedExport {
  readonly format: typeof FORMAT;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly sealed: string;
}

/** Seals a ring with a passphrase: scrypt (RFC 7914) for the key, AES-256-GCM for the text. */
export const passphraseExport: KeyExport = {
  isSealed: (text) => readSealed(text) !== undefined,

  async seal(text, passphrase) {
    const [salt, iv] = [randomBytes(16), randomBytes(12)];
    const cipher = createCipheriv(CIPHER, await stretch(passphrase, salt), iv, { authTagLength: 16 });
    cipher.setAAD(Buffer.from(FORMAT));
    const sealed = Buffer.concat([cipher.update(text.reveal(), 'utf8'), cipher.final()]);
    const printed = { salt, iv, tag: cipher.getAuthTag(), sealed };
    const texts = Object.entries(printed).map(([name, bytes]) => [name, bytes.toString('base64')]);
    return `${JSON.stringify({ format: FORMAT, ...Object.fromEntries(texts) }, null, 2)}\n`;
  },

  async open(text, passphrase) {
    const { salt, iv, tag, sealed } = parse(text);
    const key = await stretch(passphrase, Buffer.from(salt, 'base64'));
    try {
      const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(FORMAT));
      decipher.setAuthTag(Buffer.from(tag, 'base64'));
      const opened = Buffer.concat([decipher.update(sealed, 'base64'), decipher.final()]);
      return new Secret(opened.toString('utf8'));
    } catch {
      throw new Trouble('The export does not open: the passphrase is another one, or the file was altered.');
    }
  },
};

function stretch(passphrase: Secret, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC, so that one passphrase typed on two systems is one passphrase.
    const text = passphrase.reveal().normalize('NFKC');
    scrypt(text, salt, 32, { ...COST, maxmem: MEMORY_BYTES }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function parse(text: string): SealedExport {
  const parsed = readSealed(text);
  if (parsed === undefined) throw new Trouble('The file is no key export of this version of Kontor.');
  return parsed;
}

function readSealed(text: string): SealedExport | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isSealedExport(parsed) ? parsed : undefined;
  } catch {
    // Not JSON, and the parser's message quotes it.
    return undefined;
  }
}

function isSealedExport(value: unknown): value is SealedExport {
  if (typeof value !== 'object' || value === null) return false;
  const { format, salt, iv, tag, sealed } = value as Partial<Record<keyof SealedExport, unknown>>;
  return format === FORMAT && [salt, iv, tag, sealed].every((text) => typeof text === 'string');
}
