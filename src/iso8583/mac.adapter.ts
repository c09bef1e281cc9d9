import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { MakeMac } from './messages.types.ts';

const DES_BYTES = 8;
const AES_BYTES = 16;

/** The codes of a key. */
export const messageMac: MakeMac = ({ algorithm, bytes }, key) => {
  const make = { retail: retailMac, 'aes-cmac': aesCmac, 'hmac-sha256': hmac }[algorithm];
  const of = (message: Buffer) => make(Buffer.from(key.reveal(), 'hex'), message).subarray(0, bytes);
  return { bytes, of, fits: (message, mac) => mac.length === bytes && timingSafeEqual(of(message), mac) };
};

/** ISO/IEC 9797-1, MAC algorithm 3 with DES and padding method 1, as ANSI X9.19. */
export function retailMac(key: Buffer, message: Buffer): Buffer {
  const left = key.subarray(0, DES_BYTES);
  const right = key.subarray(DES_BYTES);
  const padded = Buffer.alloc(Math.max(DES_BYTES, Math.ceil(message.length / DES_BYTES) * DES_BYTES));
  message.copy(padded);
  // Three times the same key is DES itself, which OpenSSL 3 has no longer by its name.
  const chain = des('des-ede3-cbc', left, padded).subarray(-DES_BYTES);
  const decipher = createDecipheriv('des-ede3', threeTimes(right), null).setAutoPadding(false);
  return des('des-ede3', left, Buffer.concat([decipher.update(chain), decipher.final()]));
}

function des(name: 'des-ede3' | 'des-ede3-cbc', key: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv(name, threeTimes(key), name === 'des-ede3' ? null : Buffer.alloc(DES_BYTES));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

function threeTimes(key: Buffer): Buffer {
  return Buffer.concat([key, key, key]);
}

/** RFC 4493, and NIST SP 800-38B for longer keys. */
export function aesCmac(key: Buffer, message: Buffer): Buffer {
  const first = doubled(aes(key, Buffer.alloc(AES_BYTES)));
  const isWhole = message.length > 0 && message.length % AES_BYTES === 0;
  const padded = isWhole
    ? Buffer.from(message)
    : Buffer.alloc((Math.floor(message.length / AES_BYTES) + 1) * AES_BYTES);
  if (!isWhole) {
    message.copy(padded);
    padded[message.length] = 0x80;
  }
  const last = padded.subarray(-AES_BYTES);
  for (const [place, byte] of (isWhole ? first : doubled(first)).entries()) last[place] = (last[place] ?? 0) ^ byte;
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(AES_BYTES)).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]).subarray(-AES_BYTES);
}

function aes(key: Buffer, block: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** A block times two in the field of 2^128 (RFC 4493, 2.3). */
function doubled(block: Buffer): Buffer {
  const whole = BigInt(`0x${block.toString('hex')}`) << 1n;
  const isOver = whole >> 128n === 1n;
  const reduced = BigInt.asUintN(128, isOver ? whole ^ 0x87n : whole);
  return Buffer.from(reduced.toString(16).padStart(2 * AES_BYTES, '0'), 'hex');
}

function hmac(key: Buffer, message: Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}
