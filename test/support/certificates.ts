import { createPrivateKey, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

// X.509 certificates made here (RFC 5280, DER of X.690): no program of the machine is needed for them.

/** A certificate with its key, as PEM. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says. */
export interface CertificateTerms {
  readonly name: string;
  /** Who signs it; without one it signs itself, as an authority. */
  readonly by?: MadeCertificate & { readonly name: string };
  /** From when to when; from yesterday for a year, where nothing else is said. */
  readonly from?: Date;
  readonly to?: Date;
}

const DAY_MS = 86_400_000;

/** Makes a certificate of a fresh P-256 key. */
export function makeCertificate(terms: CertificateTerms): MadeCertificate & { readonly name: string } {
  const { name, by, from = new Date(Date.now() - DAY_MS), to = new Date(Date.now() + 365 * DAY_MS) } = terms;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    nameOf(by?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...(by === undefined ? [IS_AUTHORITY] : [subjectNames(name)]))),
  );
  const signer = by === undefined ? privateKey : createPrivateKey(by.key);
  const cert = sequence(body, algorithm, bits(sign(body, signer)));
  return { name, cert: pem(cert), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

function sign(body: Buffer, key: KeyObject): Buffer {
  return createSign('sha256').update(body).sign(key);
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts);
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const bits = (bytes: Buffer) => tagged(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer) => tagged(0x04, bytes);

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number);
  const base128 = (value: number): number[] => {
    const digits = [value & 0x7f];
    for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
    return digits;
  };
  return tagged(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** YYMMDDhhmmssZ. */
function time(at: Date): Buffer {
  return tagged(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`, 'latin1'));
}

function nameOf(text: string): Buffer {
  return sequence(tagged(0x31, sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(text, 'utf8')))));
}

function subjectNames(name: string): Buffer {
  const names = sequence(tagged(0x82, Buffer.from(name, 'latin1')));
  return sequence(oid('2.5.29.17'), octets(names));
}

const IS_AUTHORITY = sequence(
  oid('2.5.29.19'),
  tagged(0x01, Buffer.from([0xff])),
  octets(sequence(tagged(0x01, Buffer.from([0xff])))),
);

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
