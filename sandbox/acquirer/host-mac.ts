import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { DialectMac } from '../../src/iso8583/dialects/dialect.types.ts';
import { Trouble } from '../../src/kit/work/trouble.ts';
import type { HostMac } from './host-frames.ts';

/**
 * The test acquirer's own message authentication codes.
 *
 * @param hex the key; undefined where none is agreed
 * @throws Trouble where a key is missing, or there is nothing to use it for
 */
export function hostMac(mac: DialectMac | undefined, hex: string | undefined): HostMac | undefined {
  if (mac === undefined && hex === undefined) return undefined;
  if (mac === undefined) throw new Trouble('The dialect has no message authentication codes: leave --mac-key out.');
  if (hex === undefined)
    throw new Trouble('The dialect has message authentication codes: give their key with --mac-key.');
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]{32,128}$/.test(hex)) {
    throw new Trouble('--mac-key names a file with 16 to 64 bytes as hexadecimal digits.');
  }
  const key = Buffer.from(hex, 'hex');
  const make = { retail, 'aes-cmac': cmac, 'hmac-sha256': hmac }[mac.algorithm];
  return (message) => make(key, message).subarray(0, mac.bytes);
}

function hmac(key: Buffer, message: Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}

/** Block by block, as ISO/IEC 9797-1 draws it. */
function retail(key: Buffer, message: Buffer): Buffer {
  const [left, right] = [key.subarray(0, 8), key.subarray(8, 16)];
  let sum: Buffer = Buffer.alloc(8);
  for (let at = 0; at < message.length; at += 8) sum = block('des-ede3', left, xor(sum, message.subarray(at, at + 8)));
  const decipher = createDecipheriv('des-ede3', Buffer.concat([right, right, right]), null);
  decipher.setAutoPadding(false);
  return block('des-ede3', left, decipher.update(sum));
}

function cmac(key: Buffer, message: Buffer): Buffer {
  const name = `aes-${8 * key.length}-ecb`;
  const shifted = (value: Buffer): Buffer => {
    const out = Buffer.from(value.map((byte, at) => (byte << 1) | ((value[at + 1] ?? 0) >> 7)));
    if (((value[0] ?? 0) & 0x80) !== 0) out[15] = (out[15] ?? 0) ^ 0x87;
    return out;
  };
  const one = shifted(block(name, key, Buffer.alloc(16)));
  const rest = message.length % 16;
  const isWhole = message.length > 0 && rest === 0;
  const blocks = isWhole ? message : Buffer.concat([message, Buffer.of(0x80), Buffer.alloc(15 - rest)]);
  let sum: Buffer = Buffer.alloc(16);
  for (let at = 0; at < blocks.length; at += 16) {
    const isLast = at + 16 === blocks.length;
    const mixed = xor(sum, blocks.subarray(at, at + 16));
    sum = block(name, key, isLast ? xor(mixed, isWhole ? one : shifted(one)) : mixed);
  }
  return sum;
}

function block(name: string, key: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv(name, name === 'des-ede3' ? Buffer.concat([key, key, key]) : key, null);
  cipher.setAutoPadding(false);
  return cipher.update(data);
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));
}
